"""The gate `expect`: assertions on each run by target (`tool_calls[0].args.path`, `final_response`, `cost`, …)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import KeyPath
from toolbooth.suite import trace, verdict
from toolbooth.suite.gates.registry import CellEvidence, gate
from toolbooth.suite.spec.expectations import Expectations

_CALL: Final = re.compile(r"tool_calls\[(-?[0-9]{1,6})\]\.(name|server|id|args(?:[.\[].{1,500})?)", re.DOTALL)
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(-?[0-9]{1,9})\]")

PLAIN: Final[Mapping[str, Callable[[trace.Trace], Any]]] = {
    "tool_names": lambda run: [call.id for call in run.calls],
    "tool_calls.count": lambda run: len(run.calls),
    "final_response": lambda run: run.final_response,
    "conversation.tokens.total": lambda run: run.total_tokens,
    "conversation.tokens.input": lambda run: run.input_tokens,
    "conversation.turns": lambda run: len(run.turns),
    "cost": lambda run: verdict.FREE if run.cost is None else run.cost,
}
EXAMPLES: Final = (*PLAIN, "tool_calls[0].name", "tool_calls[0].args.path")


def is_run_target(target: str) -> bool:
    """Whether this is a valid target."""
    return target in PLAIN or (_CALL.fullmatch(target) is not None and _steps(target) is not None)


def value_of(target: str, run: trace.Trace) -> Any:
    """The value, or why there is none. A run with an error has no values."""
    if run.failed:
        return verdict.MissingValue(f"the run ended in an error: {run.error}")
    if target in PLAIN:
        return PLAIN[target](run)
    match = _CALL.fullmatch(target)
    if match is None:
        return verdict.MissingValue("the target is unknown")
    calls, at = run.calls, int(match[1])
    if not -len(calls) <= at < len(calls):
        return verdict.MissingValue(f"call {at} does not exist: the run made {len(calls)}")
    return _part(calls[at], match[2], target)


def _part(call: trace.MadeCall, part: str, target: str) -> Any:
    if part == "name":
        return call.name
    if part in ("server", "id"):
        return call.server if part == "server" else call.id
    value: Any = call.arguments
    for step in _steps(target) or ():
        try:
            value = _inside(value)[step]
        except (KeyError, IndexError, TypeError):
            return verdict.MissingValue(f"the call of {call.id} has no {target.partition('.')[2]}")
    return value


def _inside(value: Any) -> Any:
    """Refuses to index into a string: a character is not a part of the arguments."""
    if isinstance(value, str):
        raise TypeError
    return value


def _steps(target: str) -> list[str | int] | None:
    """The path into the arguments; None if it is not valid."""
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


NAME: Final = "expect"
EXPECT: Final = Expectations(is_run_target, EXAMPLES)


@dataclass(frozen=True)
class Expect:
    """Each assertion must hold in every run."""

    expect: tuple[verdict.Assertion, ...]

    def judge(self, evidence: CellEvidence) -> verdict.Verdict:
        """Each check shows the first run that breaks its assertion."""
        return verdict.Verdict(NAME, tuple(_over_all(each, evidence.runs) for each in self.expect))

    def run_is_right(self, run: trace.Trace) -> bool:
        """Whether every assertion holds."""
        return all(each.check(value_of(each.target, run)).state != "failed" for each in self.expect)

    def warnings(self) -> tuple[str, ...]:
        """Return no warnings."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Return no tool names."""
        return ()


def _over_all(assertion: verdict.Assertion, runs: tuple[trace.Trace, ...]) -> verdict.Check:
    checks = [assertion.check(value_of(assertion.target, run)) for run in runs]
    failed = [check for check in checks if check.state == "failed"]
    if not failed:
        return next((check for check in checks if check.state == "passed"), checks[0])
    first = failed[0]
    of = f"in {len(failed)} of {len(runs)} runs" if len(runs) > 1 else ""
    return verdict.Check(
        first.target, first.wanted, first.found, "failed", ": ".join(filter(None, (of, first.why)))
    )


@gate(
    NAME,
    "Plain assertions on each run: its calls, their arguments, the final response, tokens, cost.",
    EXPECT,
)
def read(document: Document, value: Any, at: KeyPath) -> Expect:
    """Read the gate; raises ConfigError."""
    return Expect(EXPECT.read(document, value, at))
