"""The gate `token_efficiency`: what each right choice cost, in tokens of the surface and in dollars."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Key, KeyPath, Keys
from toolbooth.suite import metrics, verdict
from toolbooth.suite.gates import equal_function_sets, registry
from toolbooth.suite.gates.classes import CLASSES, EXPECT_NO_CALLS, ClassesGate, read_classes
from toolbooth.suite.spec.expectations import Expectations

NAME: Final = "token_efficiency"
_FIGURES: Final = (
    "f1",
    "tool_surface_tokens",
    "correct_selections",
    "cost",
    "tokens_per_correct",
    "cost_per_correct",
    "paid_tokens_per_correct",
)
TARGETS: Final = tuple(f"{NAME}.{figure}" for figure in _FIGURES)
EXPECT: Final = Expectations(TARGETS.__contains__, TARGETS)


@dataclass(frozen=True)
class TokenEfficiency(ClassesGate):
    """Classes, and assertions on the figures."""

    expect: tuple[verdict.Assertion, ...]

    def judge(self, evidence: registry.CellEvidence) -> verdict.Verdict:
        """Undefined figures are absent; an assertion on one fails or is skipped, with a reason."""
        selection = self.selection(evidence.runs)
        found = metrics.Efficiency(selection, evidence.surface_tokens, evidence.paid_tokens, evidence.cost)
        figures = {
            target: value
            for target, figure in zip(TARGETS, _FIGURES, strict=True)
            if (value := getattr(found, figure)) is not None
        }
        checks = tuple(
            each.check(figures[each.target] if each.target in figures else _why(each.target, found, evidence))
            for each in self.expect
        )
        return verdict.Verdict(NAME, checks, figures, found.grade, selection.missed, selection.unexpected)


def _why(target: str, found: metrics.Efficiency, evidence: registry.CellEvidence) -> verdict.MissingValue:
    figure = target.rpartition(".")[2]
    if figure in ("cost", "cost_per_correct") and found.cost is None:
        return verdict.FREE
    if figure in ("tool_surface_tokens", "tokens_per_correct") and found.tool_surface_tokens is None:
        return verdict.MissingValue(evidence.surface_why, skip=True)
    return verdict.NOTHING_RIGHT


@registry.gate(
    NAME,
    "What did each right choice cost? F1 with the tokens of the tool surface and the dollars of the runs.",
    Keys(
        {
            "classes": CLASSES,
            "expect_no_calls": EXPECT_NO_CALLS,
            "expect": Key(
                EXPECT,
                f"Assertions on {', '.join(TARGETS)}; by default F1 of at least {equal_function_sets.FLOOR}.",
            ),
        }
    ),
)
def read(document: Document, block: Mapping[str, Any], at: KeyPath) -> TokenEfficiency:
    """Read the gate; raises ConfigError."""
    classes = read_classes(document, block, at)
    expect = EXPECT.read(document, block.get("expect"), (*at, "expect"))
    return TokenEfficiency(
        classes, expect or (equal_function_sets.at_least(TARGETS[0], equal_function_sets.FLOOR),)
    )
