"""The gate `distractors`: how much F1 falls when the catalog is padded with look-alike tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import COUNT, Key, KeyPath, Keys, Leaf, dotted
from toolbooth.suite import matchers, verdict
from toolbooth.suite.gates import registry
from toolbooth.suite.gates.classes import CLASSES, ClassesGate, read_classes
from toolbooth.suite.spec.expectations import Expectations

NAME: Final = "distractors"
TARGETS: Final = ("distractors.f1", "distractors.f1_drop", "distractors.f1_without")
EXPECT: Final = Expectations(TARGETS.__contains__, TARGETS)
DROP: Final = 10  # points of F1 that may be lost by default
MOST: Final = 5_000
_SEED: Final = Leaf(
    "a whole number",
    lambda value: isinstance(value, int) and not isinstance(value, bool),
    {"type": "integer"},
)


@dataclass(frozen=True)
class Distractors(ClassesGate):
    """`count` look-alikes made from a `seed`; the test runs without and with them."""

    count: int
    seed: int
    expect: tuple[verdict.Assertion, ...]

    def judge(self, evidence: registry.CellEvidence) -> verdict.Verdict:
        """Pools the plain runs and the padded runs separately."""
        without = self.selection(evidence.runs)
        padded = self.selection(evidence.padded)
        figures = dict(zip(TARGETS, (padded.f1, without.f1 - padded.f1, without.f1), strict=True))
        checks = tuple(each.check(figures[each.target]) for each in self.expect)
        return verdict.Verdict(NAME, checks, figures, "", padded.missed, padded.unexpected)


@registry.gate(
    NAME,
    "Runs the test again on a catalog padded with look-alike tools, and limits how much F1 may fall.",
    Keys(
        {
            "count": Key(COUNT, f"The number of look-alikes (at most {MOST})."),
            "seed": Key(
                _SEED, "The seed of the look-alikes: the same seed makes the same tools (default 0)."
            ),
            "classes": CLASSES,
            "expect": Key(
                EXPECT, f"Assertions on {', '.join(TARGETS)}; by default a drop of at most {DROP} points."
            ),
        }
    ),
)
def read(document: Document, block: Mapping[str, Any], at: KeyPath) -> Distractors:
    """Read the gate; raises ConfigError."""
    count = block.get("count")
    if count is None or count > MOST:
        raise document.mistake(f"{dotted(at)} needs a `count` of look-alikes, at most {MOST}", at)
    classes = read_classes(document, block, at)
    expect = EXPECT.read(document, block.get("expect"), (*at, "expect"))
    most = matchers.MATCHERS["<="]
    default = verdict.Assertion("distractors.f1_drop", most, DROP, most.compile(DROP))
    return Distractors(classes, count, block.get("seed", 0), expect or (default,))
