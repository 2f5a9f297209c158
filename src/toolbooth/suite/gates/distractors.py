"""`distractors`: how much does F1 fall when the catalog is padded with look-alike tools?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import COUNT, Key, Keys, Leaf, Path, dotted
from toolbooth.suite.assertion import Assertion
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.classes import CLASSES, read_classes
from toolbooth.suite.gates.over_classes import OverClasses
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.matchers import MATCHERS
from toolbooth.suite.spec.expectations import Expectations
from toolbooth.suite.verdict import Verdict

NAME: Final = "distractors"
TARGETS: Final = ("distractors.f1", "distractors.f1_drop", "distractors.f1_without")
EXPECT: Final = Expectations(TARGETS.__contains__, TARGETS)
DROP: Final = 10  # points of F1 that may be lost where the block does not say
MOST: Final = 5_000
_SEED: Final = Leaf(
    "a whole number",
    lambda value: isinstance(value, int) and not isinstance(value, bool),
    {"type": "integer"},
)


@dataclass(frozen=True)
class Distractors(OverClasses):
    """`count` look-alikes from a `seed`; the same test runs without and with them."""

    count: int
    seed: int
    expect: tuple[Assertion, ...]

    def judge(self, evidence: Evidence) -> Verdict:
        """Both sides pooled by themselves."""
        without = self.selection(evidence.runs)
        padded = self.selection(evidence.padded)
        figures = dict(zip(TARGETS, (padded.f1, without.f1 - padded.f1, without.f1), strict=True))
        checks = tuple(each.check(figures[each.target]) for each in self.expect)
        return Verdict(NAME, checks, figures, "", padded.missed, padded.unexpected)


@gate(
    NAME,
    "Runs the test once more on a catalog padded with look-alike tools, and gates how much F1 falls.",
    Keys(
        {
            "count": Key(COUNT, f"How many look-alikes (at most {MOST})."),
            "seed": Key(_SEED, "Which ones: the same seed makes the same tools (default 0)."),
            "classes": CLASSES,
            "expect": Key(
                EXPECT, f"What is wanted of {', '.join(TARGETS)}; by default a drop of at most {DROP} points."
            ),
        }
    ),
)
def read(document: Document, block: Mapping[str, Any], at: Path) -> Distractors:
    """Raises ConfigError."""
    count = block.get("count")
    if count is None or count > MOST:
        raise document.mistake(f"{dotted(at)} needs a `count` of look-alikes, at most {MOST}", at)
    classes = read_classes(document, block, at)
    expect = EXPECT.read(document, block.get("expect"), (*at, "expect"))
    most = MATCHERS["<="]
    default = Assertion("distractors.f1_drop", most, DROP, most.compile(DROP))
    return Distractors(classes, count, block.get("seed", 0), expect or (default,))
