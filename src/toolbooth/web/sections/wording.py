"""The words for what a report holds: modes, metrics, labels and savings."""

from collections.abc import Iterable
from typing import Final

from toolbooth import figures
from toolbooth.bench.report import ModeCost, SchemaCount, TokensSection

MODES: Final = {
    "baseline": "every definition",
    "direct": "slimmed definitions",
    "search": "search surface",
    "code": "code surface",
    "full": "full surface",
}
METRICS: Final = {"mrr": "MRR", "ndcg_at_10": "nDCG@10", "map": "MAP"}


def mode_name(mode: str) -> str:
    """What a mode offers to the model; an unknown mode keeps its name."""
    return MODES.get(mode, mode)


def metric_name(metric: str) -> str:
    """`recall_at_5` becomes recall@5, as on the terminal."""
    return METRICS.get(metric, metric.replace("recall_at_", "recall@"))


def search_mode(modes: Iterable[ModeCost]) -> ModeCost | None:
    """The gateway's search surface, which the headline is about; else the first mode that is not the baseline."""
    ways = [mode for mode in modes if mode.mode != "baseline"]
    return next((mode for mode in ways if mode.mode == "search"), ways[0] if ways else None)


def labels(parts: Iterable[str]) -> str:
    """The labels of the figures' origins, each once."""
    return ", ".join(dict.fromkeys(parts))


def mode_tone(mode: str) -> str:
    """The colour of a mode's bar: grey for the baseline."""
    return "fill tone-base" if mode == "baseline" else "fill tone-0"


def savings_words(mode: ModeCost) -> str:
    """`93.4% less`, `12% more`, `withheld`."""
    if mode.mode == "baseline":
        return ""
    if mode.savings_vs_baseline is None:
        return "withheld"
    return less_or_more(mode.savings_vs_baseline)


def savings_cell(mode: ModeCost) -> str:
    """A percentage with its sign, or that it is withheld."""
    return "withheld" if mode.savings_vs_baseline is None else figures.percent(mode.savings_vs_baseline)


def whole_savings_cell(mode: ModeCost) -> str:
    """The savings of menu and instructions together."""
    return "withheld" if mode.savings_vs_baseline is None else figures.percent(mode.savings_with_instructions)


def less_or_more(savings: float) -> str:
    """The share of the baseline that is saved, or paid on top of it."""
    if savings == 0:
        return "as much"
    return f"{figures.percent(savings)} less" if savings > 0 else f"{figures.percent(-savings)} more"


def why_withheld(section: TokensSection) -> str:
    """Which side lacks too many schemas."""
    sides = (("of the servers", section.baseline_schemas), ("of the gateway", section.gateway_schemas))
    reasons = [_lacking(whose, count) for whose, count in sides if not count.counted]
    return "; ".join(reasons) or "the two sides cannot be compared; the notes say why"


def _lacking(whose: str, count: SchemaCount) -> str:
    total = count.real + count.without_parameters + count.missing
    if not count.real and not count.missing:
        return f"no tool {whose} has parameters"
    if count.real < count.without_parameters:
        return (
            f"{figures.number(count.real)} of {figures.counted(total, 'tool')} {whose} have parameters, "
            "too few to compare"
        )
    return (
        f"{figures.number(count.missing)} of {figures.counted(total, 'tool')} {whose} came without a schema"
    )
