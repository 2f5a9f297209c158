"""Figures of retrieval → the words and numbers that every table of them uses."""

from toolbooth.bench.report import Verdict
from toolbooth.cli.doctor_words import counted

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
    """0.940 [0.872, 0.986]; equal bounds come from equal values, and drawing from those tells nothing."""
    if bounds is None or bounds[0] == bounds[1]:
        return f"{value:.3f}"
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def signed(value: float) -> str:
    """+0.248, −0.010."""
    return f"{value:+.3f}".replace("-", "−")


def difference(verdict: Verdict) -> str:
    """+0.248 [+0.102, +0.391]; without bounds where all questions differ alike."""
    bounds = f" [{signed(verdict.low)}, {signed(verdict.high)}]" if verdict.low != verdict.high else ""
    return f"{signed(verdict.difference)}{bounds}"


def p_words(p_value: float) -> str:
    """p 0.031, p < 0.001."""
    return f"p < {SURELY_LESS}" if p_value < SURELY_LESS else f"p {p_value:.3f}"


def verdict_words(verdict: Verdict, questions: int | None = None) -> str:
    """Better or worse where chance does not explain it; how many questions cannot tell, where there is room."""
    if verdict.outcome != "unclear":
        words: str = verdict.outcome
    elif questions is None:
        words = "no clear difference"
    else:
        words = f"no difference that {counted(questions, 'question')} can show"
    return f"{words}, {p_words(verdict.p_value)}"
