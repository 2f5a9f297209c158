"""A target that can be asserted of a single run (`tool_calls[0].args.path`, `cost`, …) × a run → its value."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from toolbooth.suite.assertion import FREE, Absent
from toolbooth.suite.trace import MadeCall, Trace

_CALL: Final = re.compile(r"tool_calls\[(-?[0-9]{1,6})\]\.(name|server|id|args(?:[.\[].{1,500})?)", re.DOTALL)
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(-?[0-9]{1,9})\]")

PLAIN: Final[Mapping[str, Callable[[Trace], Any]]] = {
    "tool_names": lambda run: [call.id for call in run.calls],
    "tool_calls.count": lambda run: len(run.calls),
    "final_response": lambda run: run.final_response,
    "conversation.tokens.total": lambda run: run.total_tokens,
    "conversation.tokens.input": lambda run: run.input_tokens,
    "conversation.turns": lambda run: len(run.turns),
    "cost": lambda run: FREE if run.cost is None else run.cost,
}
EXAMPLES: Final = (*PLAIN, "tool_calls[0].name", "tool_calls[0].args.path")


def is_run_target(target: str) -> bool:
    """Whether a suite may write it."""
    return target in PLAIN or (_CALL.fullmatch(target) is not None and _steps(target) is not None)


def value_of(target: str, run: Trace) -> Any:
    """The value, or why there is none. A run that errored has no values at all."""
    if run.failed:
        return Absent(f"the run ended in an error: {run.error}")
    if target in PLAIN:
        return PLAIN[target](run)
    match = _CALL.fullmatch(target)
    if match is None:
        return Absent("there is no such target")
    calls, at = run.calls, int(match[1])
    if not -len(calls) <= at < len(calls):
        return Absent(f"there is no call {at}: {len(calls)} made")
    return _part(calls[at], match[2], target)


def _part(call: MadeCall, part: str, target: str) -> Any:
    if part == "name":
        return call.name
    if part in ("server", "id"):
        return call.server if part == "server" else call.id
    value: Any = call.arguments
    for step in _steps(target) or ():
        try:
            value = _inside(value)[step]
        except (KeyError, IndexError, TypeError):
            return Absent(f"the call of {call.id} has no {target.partition('.')[2]}")
    return value


def _inside(value: Any) -> Any:
    """A letter of a text is no part of the arguments."""
    if isinstance(value, str):
        raise TypeError
    return value


def _steps(target: str) -> list[str | int] | None:
    """The way into the arguments; None where it cannot be read."""
    path = target.partition("].")[2].removeprefix("args")
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            return None if target.partition("].")[2].startswith("args") else []
        steps.append(match[1] if match[1] is not None else int(match[2]))
        at = match.end()
    return steps
