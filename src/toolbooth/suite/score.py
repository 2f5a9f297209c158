"""Recorded runs × classes → one score: the selection, what it cost, and how many runs were wholly right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolbooth.errors import UserMistake
from toolbooth.suite.adapters import ADAPTERS, read_traces
from toolbooth.suite.efficiency import Efficiency, token_efficiency
from toolbooth.suite.expectation import Expectation, read_expectation
from toolbooth.suite.selection import Classes, Selection, overlapping, score_selection
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.wilson import Rate, wilson

__all__ = [
    "ADAPTERS",
    "Classes",
    "Expectation",
    "Rate",
    "Score",
    "Trace",
    "overlapping",
    "read_expectation",
    "read_traces",
    "score_traces",
]


@dataclass(frozen=True)
class Score:
    """`passes` counts the runs in which every class was reached and nothing else was called."""

    efficiency: Efficiency
    passes: Rate
    errored: int = 0

    @property
    def selection(self) -> Selection:
        """The pooled counts."""
        return self.efficiency.selection

    @property
    def figures(self) -> Mapping[str, float]:
        """Every number by the name that can be expected of it; undefined ones are absent."""
        chosen, spent = self.selection, self.efficiency
        every = {
            "f1": chosen.f1,
            "precision": chosen.precision,
            "recall": chosen.recall,
            "correct_selections": spent.correct_selections,
            "tool_surface_tokens": spent.tool_surface_tokens,
            "tokens_per_correct": spent.tokens_per_correct,
            "paid_tokens_per_correct": spent.paid_tokens_per_correct,
            "cost": spent.cost,
            "cost_per_correct": spent.cost_per_correct,
        }
        return {name: value for name, value in every.items() if value is not None}


def score_traces(
    classes: Classes,
    traces: Sequence[Trace],
    tool_surface_tokens: int | None = None,
    *,
    expect_no_calls: bool = False,
) -> Score:
    """Score recorded runs; one that errored counts as an empty one."""
    if not classes and not expect_no_calls:
        raise UserMistake(
            "there are no classes; say `expect_no_calls` where the right answer is to call nothing"
        )
    if classes and expect_no_calls:
        raise UserMistake("classes and `expect_no_calls` exclude each other")
    runs = [trace.observed for trace in traces]
    passed = sum(score_selection(classes, [run], expect_no_calls=expect_no_calls).f1 == 100 for run in runs)
    efficiency = token_efficiency(
        classes,
        runs,
        tool_surface_tokens,
        cost=summed([trace.cost for trace in traces]),
        paid_tokens=sum(trace.input_tokens for trace in traces) or None,
        expect_no_calls=expect_no_calls,
    )
    return Score(efficiency, wilson(passed, len(runs)), sum(trace.failed for trace in traces))
