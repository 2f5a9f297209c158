"""Figures of retrieval → the words and numbers that every table of them uses."""

from toolbooth.bench.report import Verdict

LABELS = {
    "recall_at_1": "recall@1",
    "recall_at_3": "recall@3",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "mrr": "MRR",
    "ndcg_at_10": "nDCG@10",
    "map": "MAP",
}
SURE = 0.05  # a p value from here on is no difference that the questions can show
SURELY_LESS = 0.001


def figure(value: float, bounds: tuple[float, float] | None = None) -> str:
    """0.940 [0.872, 0.986]."""
    return f"{value:.3f}" if bounds is None else f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def signed(value: float) -> str:
    """+0.248, −0.010."""
    return f"{value:+.3f}".replace("-", "−")


def p_words(p_value: float) -> str:
    """p 0.031, p < 0.001."""
    return f"p < {SURELY_LESS}" if p_value < SURELY_LESS else f"p {p_value:.3f}"


def verdict_words(verdict: Verdict, questions: int | None = None) -> str:
    """Better or worse where chance does not explain it; how many questions cannot tell, where there is room."""
    if verdict.p_value < SURE:
        return f"{'better' if verdict.difference > 0 else 'worse'}, {p_words(verdict.p_value)}"
    if questions is None:
        return f"none shown, {p_words(verdict.p_value)}"
    return f"no difference that {questions:,} questions can show, {p_words(verdict.p_value)}"
