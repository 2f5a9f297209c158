"""`equal_function_sets`: did the agent reach for the right tools, whichever of those that do the same?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Key, Keys, Path
from toolbooth.suite.assertion import Assertion
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.classes import CLASSES, EXPECT_NO_CALLS, read_classes
from toolbooth.suite.gates.over_classes import OverClasses
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.matchers import MATCHERS
from toolbooth.suite.spec.expectations import Expectations
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
class EqualFunctionSets(OverClasses):
    """Classes, and what is wanted of the pooled percents."""

    expect: tuple[Assertion, ...]

    def judge(self, evidence: Evidence) -> Verdict:
        """All runs together."""
        found = self.selection(evidence.runs)
        figures = {target: getattr(found, target.rpartition(".")[2]) for target in TARGETS}
        checks = tuple(each.check(figures[each.target]) for each in self.expect)
        return Verdict(NAME, checks, figures, found.grade, found.missed, found.unexpected)


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
    return EqualFunctionSets(classes, expect or (at_least(TARGETS[0], FLOOR),))
