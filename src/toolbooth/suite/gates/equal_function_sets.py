"""`equal_function_sets`: did the agent reach for the right tools, whichever of those that do the same?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Key, Keys, Path
from toolbooth.suite.assertion import Assertion
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.classes import CLASSES, EXPECT_NO_CALLS, overlaps, read_classes
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.matchers import MATCHERS
from toolbooth.suite.selection import Classes, Selection, score_selection
from toolbooth.suite.spec.expectations import Expectations
from toolbooth.suite.trace import Trace
from toolbooth.suite.verdict import Verdict

NAME: Final = "equal_function_sets"
TARGETS: Final = ("tool_selection.f1", "tool_selection.precision", "tool_selection.recall")
FLOOR: Final = 50  # an F1 under half is more wrong than right
EXPECT: Final = Expectations(TARGETS.__contains__, TARGETS)


def at_least(target: str, floor: int) -> Assertion:
    """The assertion that counts where a block has none of its own."""
    matcher = MATCHERS[">="]
    return Assertion(target, matcher, floor, matcher.compile(floor))


@dataclass(frozen=True)
class EqualFunctionSets:
    """Classes, and what is wanted of the pooled percents."""

    classes: Classes
    expect: tuple[Assertion, ...]
    idle: bool = False

    def judge(self, evidence: Evidence) -> Verdict:
        """Runs are pooled; one that errored counts as an empty one."""
        found = self.selection([run.observed for run in evidence.runs])
        figures = {target: getattr(found, target.rpartition(".")[2]) for target in TARGETS}
        checks = tuple(each.check(figures[each.target]) for each in self.expect)
        return Verdict(NAME, checks, figures, found.grade, found.missed, found.unexpected)

    def selection(self, runs: list[list[dict[str, str]]]) -> Selection:
        """The counts."""
        return score_selection(self.classes, runs, expect_no_calls=self.idle)

    def run_is_right(self, run: Trace) -> bool:
        """Every class, and nothing else."""
        return not run.failed and self.selection([run.observed]).f1 == 100

    def warnings(self) -> tuple[str, ...]:
        """Overlapping classes."""
        return overlaps(self.classes)

    def names(self) -> tuple[tuple[str, ...], ...]:
        """The classes."""
        return tuple(map(tuple, self.classes.values()))


@gate(
    NAME,
    "Did the agent reach for the right tools? F1 over classes of tools that do the same job.",
    Keys(
        {
            "classes": CLASSES,
            "expect_no_calls": EXPECT_NO_CALLS,
            "expect": Key(
                EXPECT, f"What is wanted of {', '.join(TARGETS)}; by default F1 of at least {FLOOR}."
            ),
        }
    ),
)
def read(document: Document, block: Mapping[str, Any], at: Path) -> EqualFunctionSets:
    """Raises ConfigError."""
    classes = read_classes(document, block, at)
    expect = EXPECT.read(document, block.get("expect"), (*at, "expect"))
    return EqualFunctionSets(classes, expect or (at_least(TARGETS[0], FLOOR),), not classes)
