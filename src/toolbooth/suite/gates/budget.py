"""`budget`: the dollars that all runs of a test may cost; a model call that could pass it is refused beforehand."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Leaf, Path
from toolbooth.suite.assertion import FREE
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.verdict import Check, State, Verdict

NAME: Final = "budget"
DOLLARS: Final = Leaf(
    "a number of dollars above 0",
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
    {"type": "number", "exclusiveMinimum": 0},
)


@dataclass(frozen=True)
class Budget:
    """The runner refuses what would pass it; this judges recordings and says what was spent."""

    dollars: float

    def judge(self, evidence: Evidence) -> Verdict:
        """A free run has no cost to compare."""
        cost = summed((*(run.cost for run in evidence.runs), *(run.cost for run in evidence.padded)))
        wanted = f"<= ${self.dollars:g}"
        if cost is None:
            return Verdict(NAME, (Check("cost", wanted, None, "skipped", FREE.why),))
        state: State = "passed" if cost <= self.dollars else "failed"
        return Verdict(NAME, (Check("cost", wanted, cost, state),), {"budget.cost": cost})

    def run_is_right(self, run: Trace) -> bool:
        """A refusal is the only thing that goes wrong here."""
        return run.ended != "refused"

    def warnings(self) -> tuple[str, ...]:
        """None."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """None."""
        return ()


@gate(
    NAME, "The most that all runs of this test may cost, in dollars; what could pass it is refused.", DOLLARS
)
def read(_document: Document, value: Any, _at: Path) -> Budget:
    """Checked already."""
    return Budget(float(value))
