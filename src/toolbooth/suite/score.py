"""Recorded runs × classes → one score: the selection, what it cost, and how many runs were wholly right."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from toolbooth.errors import UserMistake
from toolbooth.suite.adapters import ADAPTERS, read_traces, trace_document, traces_of
from toolbooth.suite.adapters.tool_names import ToolNames
from toolbooth.suite.assertion import FREE, NOTHING_RIGHT, Absent, Assertion
from toolbooth.suite.efficiency import Efficiency, token_efficiency
from toolbooth.suite.expect_line import FIGURES, read_expect_line
from toolbooth.suite.gates.classes import overlaps
from toolbooth.suite.selection import Classes, Selection, is_member, score_selection
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.verdict import Check
from toolbooth.suite.wilson import Rate, wilson

__all__ = [
    "ADAPTERS",
    "Assertion",
    "Check",
    "Classes",
    "Score",
    "ToolNames",
    "Trace",
    "overlaps",
    "read_expect_line",
    "read_traces",
    "score_traces",
    "trace_document",
    "traces_of",
    "without_a_known_tool",
]
_OF_SURFACE = ("tool_surface_tokens", "tokens_per_correct")


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
        return {
            name: value
            for name in FIGURES
            if (value := getattr(chosen if hasattr(chosen, name) else spent, name)) is not None
        }

    def check(self, wanted: Assertion) -> Check:
        """Whether it holds; of an absent figure it says why."""
        figures = self.figures
        return wanted.check(figures[wanted.target] if wanted.target in figures else self._why(wanted.target))

    def _why(self, figure: str) -> Absent:
        if figure.startswith("cost") and self.efficiency.cost is None:
            return FREE
        if figure in _OF_SURFACE and self.efficiency.tool_surface_tokens is None:
            return Absent("nobody told what the tools weigh", skip=True)
        if figure == "paid_tokens_per_correct" and self.efficiency.paid_tokens is None:
            return Absent("the traces do not tell how many tokens were sent", skip=True)
        return NOTHING_RIGHT


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


def without_a_known_tool(traces: Sequence[Trace], known: Collection[str]) -> list[Trace]:
    """Runs that called something, but nothing that is known: their names may be spelled otherwise."""
    return [
        trace
        for trace in traces
        if trace.observed and not any(is_member(name, call) for call in trace.observed for name in known)
    ]
