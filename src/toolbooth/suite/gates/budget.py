"""The gate `budget`: the dollars that all runs of a test may cost. A model call that could exceed it is refused."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import KeyPath, Leaf
from toolbooth.suite import trace, verdict
from toolbooth.suite.gates.registry import CellEvidence, gate

NAME: Final = "budget"
DOLLARS: Final = Leaf(
    "a number of dollars above 0",
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
    {"type": "number", "exclusiveMinimum": 0},
)


@dataclass(frozen=True)
class BudgetGate:
    """The runner refuses calls that could exceed the budget; the gate judges recordings and reports the cost."""

    dollars: float

    def judge(self, evidence: CellEvidence) -> verdict.Verdict:
        """Skipped for free runs, which have no cost to compare."""
        cost = trace.summed((*(run.cost for run in evidence.runs), *(run.cost for run in evidence.padded)))
        wanted = f"<= ${self.dollars:g}"
        if cost is None:
            return verdict.Verdict(NAME, (verdict.Check("cost", wanted, None, "skipped", verdict.FREE.why),))
        state: verdict.State = "passed" if cost <= self.dollars else "failed"
        return verdict.Verdict(NAME, (verdict.Check("cost", wanted, cost, state),), {"budget.cost": cost})

    def run_is_right(self, run: trace.Trace) -> bool:
        """Whether the run was not refused."""
        return run.ended != "refused"

    def warnings(self) -> tuple[str, ...]:
        """Return no warnings."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Return no tool names."""
        return ()


@gate(
    NAME,
    "The most that all runs of this test may cost, in dollars; calls that could exceed it are refused.",
    DOLLARS,
)
def read(_document: Document, value: Any, _at: KeyPath) -> BudgetGate:
    """The value has been checked."""
    return BudgetGate(float(value))
