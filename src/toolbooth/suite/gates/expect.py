"""`expect`: plain assertions on what a run did and said."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Path
from toolbooth.suite.assertion import Assertion
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.run_targets import EXAMPLES, is_run_target, value_of
from toolbooth.suite.spec.expectations import Expectations
from toolbooth.suite.trace import Trace
from toolbooth.suite.verdict import Check, Verdict

NAME: Final = "expect"
EXPECT: Final = Expectations(is_run_target, EXAMPLES)


@dataclass(frozen=True)
class Expect:
    """Each assertion must hold in every run."""

    expect: tuple[Assertion, ...]

    def judge(self, evidence: Evidence) -> Verdict:
        """The first run that breaks an assertion is what its check shows."""
        return Verdict(NAME, tuple(_over_all(each, evidence.runs) for each in self.expect))

    def run_is_right(self, run: Trace) -> bool:
        """Nothing is broken."""
        return all(each.check(value_of(each.target, run)).state != "failed" for each in self.expect)

    def warnings(self) -> tuple[str, ...]:
        """None."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """None."""
        return ()


def _over_all(assertion: Assertion, runs: tuple[Trace, ...]) -> Check:
    checks = [assertion.check(value_of(assertion.target, run)) for run in runs]
    failed = [check for check in checks if check.state == "failed"]
    if not failed:
        return next((check for check in checks if check.state == "passed"), checks[0])
    first = failed[0]
    of = f"in {len(failed)} of {len(runs)} runs" if len(runs) > 1 else ""
    return Check(first.target, first.wanted, first.found, "failed", ": ".join(filter(None, (of, first.why))))


@gate(
    NAME,
    "Plain assertions on each run: its calls, their arguments, the final response, tokens, cost.",
    EXPECT,
)
def read(document: Document, value: Any, at: Path) -> Expect:
    """Raises ConfigError."""
    return Expect(EXPECT.read(document, value, at))
