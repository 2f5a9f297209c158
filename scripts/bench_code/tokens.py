"""The cost of every task in every mode, side by side, and whether the answer was right."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from .agent import Endpoint
from .direct_servers import DirectServers
from .gateway import BenchGateway
from .task import Task
from .task_cost import TaskCost, play
from .tasks import TASKS

WAYS = ("baseline", "search", "code")
KNOWN = ("search, known", "code, known")
Costs = dict[str, dict[str, TaskCost]]  # by task, then by way
_KEYS = ("model_calls", "tool_calls", "input", "output")


def measure_tokens(quick: bool) -> dict[str, Any]:
    """Every mode has its own servers, so that a change is made once for each."""
    tasks = TASKS[:3] if quick else TASKS
    with ExitStack() as stack:
        endpoints: dict[str, Endpoint] = {"baseline": DirectServers()}
        for way in (*WAYS[1:], *KNOWN):
            endpoints[way] = stack.enter_context(BenchGateway(way.removesuffix(", known")))
        menus = {way: endpoint.menu for way, endpoint in endpoints.items()}
        costs = {
            task.name: {way: _cost_of(task, way, endpoint) for way, endpoint in endpoints.items()}
            for task in tasks
        }
    _print(menus, costs)
    found = {name: {way: cost.as_json() for way, cost in each.items()} for name, each in costs.items()}
    return {"menus": menus, "tasks": found, "sums": _sums(costs)}


def _cost_of(task: Task, way: str, endpoint: Endpoint) -> TaskCost:
    """An answer is right if it equals the one computed independently, and every change can be found."""
    wanted, proofs = task.truth(DirectServers()), task.proofs(DirectServers())
    cost = play(task.ways[way], task.prompt, endpoint, knows_all=way in KNOWN or way == "baseline")
    missing = [proof for proof in proofs if proof.holds not in endpoint.peek(proof.name, proof.arguments)]
    cost.right = cost.answer == wanted and not missing
    if not cost.right and not cost.why:
        cost.why = f"not changed: {missing[0]}" if missing else f"said {cost.answer!r}, not {wanted!r}"
    return cost


def _sums(costs: Costs) -> dict[str, dict[str, int]]:
    return {
        way: {key: sum(getattr(each[way], key) for each in costs.values()) for key in _KEYS}
        | {"right": sum(each[way].right for each in costs.values())}
        for way in (*WAYS, *KNOWN)
    }


def _print(menus: Mapping[str, int], costs: Costs) -> None:
    shown = ", ".join(f"{way} {menus[way]:,}" for way in WAYS)
    print(f"\ntokens of menu and instructions, paid on every model call: {shown}")
    print(
        "every name, argument and key that a call uses was shown before it: modes that look first pay for that"
    )
    _print_rows(WAYS, costs)
    print("turns are model calls, the last words included; calls are those that the servers saw")
    print("baseline reads perfectly: sums and joins over whole answers are done in its head, and never wrong")
    print(
        "\nthe same where the keys of the answers are known already, from earlier in the session (baseline as above)"
    )
    _print_rows((WAYS[0], *KNOWN), costs)
    _print_wrong(costs)


def _print_rows(ways: Sequence[str], costs: Costs) -> None:
    print(f"  {'':22}" + "".join(f"| {way:^36}" for way in ways) + "| input × code")
    heads = f"|{'turns':>6}{'calls':>6}{'input':>9}{'output':>7}{'':>8} "
    print(f"  {'':22}" + heads * len(ways) + f"| {'base':>6}{'search':>7}")
    for name, each in costs.items():
        inputs = [each[way].input for way in ways]
        print(f"  {name:22}" + "".join(_cell(each[way]) for way in ways) + _ratios(inputs))
    sums = _sums(costs)
    cells = "".join(_sum_cell(sums[way], len(costs)) for way in ways)
    print(f"  {'all':22}{cells}" + _ratios([sums[way]["input"] for way in ways]), flush=True)


def _cell(cost: TaskCost) -> str:
    mark = "right" if cost.right else "WRONG"
    return f"|{cost.model_calls:6}{cost.tool_calls:6}{cost.input:9,}{cost.output:7,}{mark:>8} "


def _sum_cell(sums: Mapping[str, int], tasks: int) -> str:
    right = f"{sums['right']}/{tasks}"
    return f"|{sums['model_calls']:6}{sums['tool_calls']:6}{sums['input']:9,}{sums['output']:7,}{right:>8} "


def _ratios(inputs: Sequence[int]) -> str:
    baseline, search, code = inputs
    return f"| {baseline / max(code, 1):6.1f}{search / max(code, 1):7.2f}"


def _print_wrong(costs: Costs) -> None:
    for name, each in costs.items():
        for way, cost in each.items():
            if not cost.right:
                print(f"  wrong: {name}, {way}: {cost.why}")
