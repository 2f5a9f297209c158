"""Names in a report → words that a reader knows."""

from collections.abc import Iterable
from typing import Final

from toolbooth.bench.report import Mode

MODES: Final = {
    "baseline": "every definition",
    "direct_slim": "slimmed definitions",
    "retrieve_tools": "search surface",
    "code_execution": "code surface",
    "full": "full surface",
}
METRICS: Final = {"mrr": "MRR", "ndcg_at_10": "nDCG@10", "map": "MAP"}


def mode_name(mode: str) -> str:
    """What a mode offers to the model; an unknown one keeps its name."""
    return MODES.get(mode, mode)


def metric_name(metric: str) -> str:
    """`recall_at_5` → recall@5, as the terminal has it."""
    return METRICS.get(metric, metric.replace("recall_at_", "recall@"))


def search_mode(modes: Iterable[Mode]) -> Mode | None:
    """The gateway's search surface, which the headline is about; else the first that is not the baseline."""
    ways = [mode for mode in modes if mode.mode != "baseline"]
    return next((mode for mode in ways if mode.mode == "retrieve_tools"), ways[0] if ways else None)


def labels(parts: Iterable[str]) -> str:
    """How figures came about, each way once."""
    return ", ".join(dict.fromkeys(parts))


def mode_tone(mode: str) -> str:
    """The colour of a mode's bar: grey for the baseline."""
    return "fill tone-base" if mode == "baseline" else "fill tone-0"
