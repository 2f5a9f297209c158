"""Figures of a benchmark as text: measures with bounds, differences, p-values, times and ratios."""

from toolbooth.bench.report import PairedVerdict
from toolbooth.figures import counted

LABELS = {
    "recall_at_1": "recall@1",
    "recall_at_3": "recall@3",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "mrr": "MRR",
    "ndcg_at_10": "nDCG@10",
    "map": "MAP",
}
SURELY_LESS = 0.001


def figure(value: float, bounds: tuple[float, float] | None = None) -> str:
    """0.940 [0.872, 0.986]; equal bounds come from equal values and say nothing, so they are left out."""
    if bounds is None or bounds[0] == bounds[1]:
        return f"{value:.3f}"
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def signed(value: float) -> str:
    """+0.248, −0.010."""
    return f"{value:+.3f}".replace("-", "−")


def difference(verdict: PairedVerdict) -> str:
    """+0.248 [+0.102, +0.391]; without bounds where all questions differ alike."""
    bounds = f" [{signed(verdict.low)}, {signed(verdict.high)}]" if verdict.low != verdict.high else ""
    return f"{signed(verdict.difference)}{bounds}"


def p_words(p_value: float) -> str:
    """p 0.031, p < 0.001."""
    return f"p < {SURELY_LESS}" if p_value < SURELY_LESS else f"p {p_value:.3f}"


def verdict_words(verdict: PairedVerdict, questions: int | None = None) -> str:
    """The outcome and its p-value; with `questions`, an unclear outcome names the sample size."""
    if verdict.outcome != "unclear":
        words: str = verdict.outcome
    elif questions is None:
        words = "no clear difference"
    else:
        words = f"no difference that {counted(questions, 'question')} can show"
    return f"{words}, {p_words(verdict.p_value)}"


def took(ms: float) -> str:
    """Three digits: 0.052 ms, 0.36 ms, 12.3 ms, 803 ms, 12.3 s."""
    if ms >= 10_000:
        return f"{ms / 1000:,.1f} s"
    if ms >= 100:
        return f"{ms:,.0f} ms"
    if ms >= 10:
        return f"{ms:.1f} ms"
    return f"{ms:.2f} ms" if ms >= 0.1 else f"{ms:.3f} ms"


def times_as_long(ratio: float | None) -> str:
    """A ratio; empty where there is none."""
    if ratio is None:
        return ""
    return f"× {ratio:.2f}" if ratio >= 0.1 else f"× {ratio:.3f}"
