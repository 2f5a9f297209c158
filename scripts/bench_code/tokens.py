"""Tasks × ways → what each costs, side by side, and whether the right answer came out."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from .bill import Bill, play
from .booth import Booth
from .shelf import Shelf
from .talk import Door
from .task import Task
from .tasks import TASKS

WAYS = ("baseline", "search", "code")
KNOWN = ("search, known", "code, known")
Bills = dict[str, dict[str, Bill]]  # by task, then by way
_KEYS = ("model_calls", "tool_calls", "input", "output")


def measure_tokens(quick: bool) -> dict[str, Any]:
    """Every way has servers of its own, so that a change is made once for each."""
    tasks = TASKS[:3] if quick else TASKS
    with ExitStack() as stack:
        doors: dict[str, Door] = {"baseline": Shelf()}
        for way in (*WAYS[1:], *KNOWN):
            doors[way] = stack.enter_context(Booth(way.removesuffix(", known")))
        menus = {way: door.menu for way, door in doors.items()}
        bills = {task.name: {way: _billed(task, way, door) for way, door in doors.items()} for task in tasks}
    _print(menus, bills)
    found = {name: {way: bill.as_json() for way, bill in each.items()} for name, each in bills.items()}
    return {"menus": menus, "tasks": found, "sums": _sums(bills)}


def _billed(task: Task, way: str, door: Door) -> Bill:
    """Right is what equals the answer worked out apart, with every change found where it should be."""
    wanted, proofs = task.truth(Shelf()), task.proofs(Shelf())
    bill = play(task.ways[way], task.wish, door, knows_all=way in KNOWN or way == "baseline")
    missing = [proof for proof in proofs if proof.holds not in door.peek(proof.name, proof.arguments)]
    bill.right = bill.answer == wanted and not missing
    if not bill.right and not bill.why:
        bill.why = f"not changed: {missing[0]}" if missing else f"said {bill.answer!r}, not {wanted!r}"
    return bill


def _sums(bills: Bills) -> dict[str, dict[str, int]]:
    return {
        way: {key: sum(getattr(each[way], key) for each in bills.values()) for key in _KEYS}
        | {"right": sum(each[way].right for each in bills.values())}
        for way in (*WAYS, *KNOWN)
    }


def _print(menus: Mapping[str, int], bills: Bills) -> None:
    told = ", ".join(f"{way} {menus[way]:,}" for way in WAYS)
    print(f"\ntokens of menu and instructions, paid on every model call: {told}")
    print(
        "every name, argument and key that a call uses was shown before it: ways that look first pay for that"
    )
    _print_rows(WAYS, bills)
    print("turns are model calls, the last words included; calls are those that the servers saw")
    print("baseline reads perfectly: sums and joins over whole answers are done in its head, and never wrong")
    print(
        "\nthe same where the keys of the answers are known already, from earlier in the session (baseline as above)"
    )
    _print_rows((WAYS[0], *KNOWN), bills)
    _print_wrong(bills)


def _print_rows(ways: Sequence[str], bills: Bills) -> None:
    print(f"  {'':22}" + "".join(f"| {way:^36}" for way in ways) + "| input × code")
    heads = f"|{'turns':>6}{'calls':>6}{'input':>9}{'output':>7}{'':>8} "
    print(f"  {'':22}" + heads * len(ways) + f"| {'base':>6}{'search':>7}")
    for name, each in bills.items():
        inputs = [each[way].input for way in ways]
        print(f"  {name:22}" + "".join(_cell(each[way]) for way in ways) + _ratios(inputs))
    sums = _sums(bills)
    cells = "".join(_sum_cell(sums[way], len(bills)) for way in ways)
    print(f"  {'all':22}{cells}" + _ratios([sums[way]["input"] for way in ways]), flush=True)


def _cell(bill: Bill) -> str:
    mark = "right" if bill.right else "WRONG"
    return f"|{bill.model_calls:6}{bill.tool_calls:6}{bill.input:9,}{bill.output:7,}{mark:>8} "


def _sum_cell(sums: Mapping[str, int], tasks: int) -> str:
    right = f"{sums['right']}/{tasks}"
    return f"|{sums['model_calls']:6}{sums['tool_calls']:6}{sums['input']:9,}{sums['output']:7,}{right:>8} "


def _ratios(inputs: Sequence[int]) -> str:
    baseline, search, code = inputs
    return f"| {baseline / max(code, 1):6.1f}{search / max(code, 1):7.2f}"


def _print_wrong(bills: Bills) -> None:
    for name, each in bills.items():
        for way, bill in each.items():
            if not bill.right:
                print(f"  wrong: {name}, {way}: {bill.why}")
