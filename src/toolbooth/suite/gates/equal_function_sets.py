"""The gate `equal_function_sets`: whether the agent called the right tools, where any of several may be right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Key, KeyPath, Keys
from toolbooth.suite import matchers, verdict
from toolbooth.suite.gates import registry
from toolbooth.suite.gates.classes import CLASSES, EXPECT_NO_CALLS, ClassesGate, read_classes
from toolbooth.suite.spec.expectations import Expectations

NAME: Final = "equal_function_sets"
TARGETS: Final = ("tool_selection.f1", "tool_selection.precision", "tool_selection.recall")
FLOOR: Final = 50  # an F1 under half is more wrong than right
EXPECT: Final = Expectations(TARGETS.__contains__, TARGETS)


def at_least(target: str, floor: int) -> verdict.Assertion:
    """The default assertion of a block that has none."""
    matcher = matchers.MATCHERS[">="]
    return verdict.Assertion(target, matcher, floor, matcher.compile(floor))


@dataclass(frozen=True)
class EqualFunctionSets(ClassesGate):
    """Classes, and assertions on the pooled percentages."""

    expect: tuple[verdict.Assertion, ...]

    def judge(self, evidence: registry.CellEvidence) -> verdict.Verdict:
        """Judges all runs together."""
        found = self.selection(evidence.runs)
        figures = {target: getattr(found, target.rpartition(".")[2]) for target in TARGETS}
        checks = tuple(each.check(figures[each.target]) for each in self.expect)
        return verdict.Verdict(NAME, checks, figures, found.grade, found.missed, found.unexpected)


@registry.gate(
    NAME,
    "Did the agent call the right tools? F1 over classes of interchangeable tools.",
    Keys(
        {
            "classes": CLASSES,
            "expect_no_calls": EXPECT_NO_CALLS,
            "expect": Key(EXPECT, f"Assertions on {', '.join(TARGETS)}; by default F1 of at least {FLOOR}."),
        }
    ),
)
def read(document: Document, block: Mapping[str, Any], at: KeyPath) -> EqualFunctionSets:
    """Read the gate; raises ConfigError."""
    classes = read_classes(document, block, at)
    expect = EXPECT.read(document, block.get("expect"), (*at, "expect"))
    return EqualFunctionSets(classes, expect or (at_least(TARGETS[0], FLOOR),))
