"""The score of recorded runs: selection, cost, and the number of runs that were entirely right. A public entry point.

An expectation such as `f1>=80` is an assertion on one figure of the score.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from toolbooth import errors, safetext, suggest
from toolbooth.suite import matchers
from toolbooth.suite.adapters import ADAPTERS, read_traces, trace_document, traces_of
from toolbooth.suite.adapters.tool_names import KnownTools
from toolbooth.suite.gates.classes import overlaps
from toolbooth.suite.metrics import (
    Classes,
    Efficiency,
    Rate,
    Selection,
    is_member,
    score_selection,
    token_efficiency,
    wilson,
)
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.verdict import FREE, NOTHING_RIGHT, Assertion, Check, MissingValue

__all__ = [
    "ADAPTERS",
    "Assertion",
    "Check",
    "Classes",
    "KnownTools",
    "Score",
    "Trace",
    "overlaps",
    "read_expect_line",
    "read_traces",
    "score_traces",
    "trace_document",
    "traces_of",
    "without_a_known_tool",
]


# The full names of a suite's targets are accepted, too.
_LINE: Final = re.compile(
    r"\s*(?:tool_selection\.|token_efficiency\.)?(?P<target>[a-z0-9_]+)\s*(?P<sign>>=|<=|==|!=|>|<)"
    r"\s*(?P<bound>-?[0-9]{1,15}(?:\.[0-9]{1,9})?)\s*",
    re.ASCII | re.IGNORECASE,
)
FIGURES: Final = (
    "f1",
    "precision",
    "recall",
    "correct_selections",
    "tool_surface_tokens",
    "tokens_per_correct",
    "paid_tokens_per_correct",
    "cost",
    "cost_per_correct",
)


def read_expect_line(line: str) -> Assertion:
    """Raises UserMistake with what is wrong with the line."""
    found = _LINE.fullmatch(line)
    if found is None:
        shown = safetext.for_terminal(line, 60)
        raise errors.UserMistake(f"{shown!r} is not an expectation; try 'f1>=80' or 'tokens_per_correct<500'")
    target = found["target"].lower()
    if target not in FIGURES:
        hint = suggest.did_you_mean(target, FIGURES, f"the figures are {', '.join(FIGURES)}", form="{!r}")
        raise errors.UserMistake(f"unknown figure {safetext.for_terminal(target, 40)!r}; {hint}")
    bound = float(found["bound"]) if "." in found["bound"] else int(found["bound"])
    matcher = matchers.MATCHERS[found["sign"]]
    return Assertion(target, matcher, bound, matcher.compile(bound))


_OF_SURFACE = ("tool_surface_tokens", "tokens_per_correct")


@dataclass(frozen=True)
class Score:
    """`passes` counts the runs that called every class and nothing else."""

    efficiency: Efficiency
    passes: Rate
    errored: int = 0

    @property
    def selection(self) -> Selection:
        """The pooled counts of all runs."""
        return self.efficiency.selection

    @property
    def figures(self) -> Mapping[str, float]:
        """Every figure by the name that expectations use; undefined ones are absent."""
        chosen, spent = self.selection, self.efficiency
        return {
            name: value
            for name in FIGURES
            if (value := getattr(chosen if hasattr(chosen, name) else spent, name)) is not None
        }

    def check(self, wanted: Assertion) -> Check:
        """Whether the expectation holds, or why its figure is absent."""
        figures = self.figures
        return wanted.check(figures[wanted.target] if wanted.target in figures else self._why(wanted.target))

    def _why(self, figure: str) -> MissingValue:
        if figure.startswith("cost") and self.efficiency.cost is None:
            return FREE
        if figure in _OF_SURFACE and self.efficiency.tool_surface_tokens is None:
            return MissingValue("the size of the tools in tokens is unknown", skip=True)
        if figure == "paid_tokens_per_correct" and self.efficiency.paid_tokens is None:
            return MissingValue("the traces do not say how many tokens were sent", skip=True)
        return NOTHING_RIGHT


def score_traces(
    classes: Classes,
    traces: Sequence[Trace],
    tool_surface_tokens: int | None = None,
    *,
    expect_no_calls: bool = False,
) -> Score:
    """Score recorded runs; a run with an error counts as a run without calls."""
    if not classes and not expect_no_calls:
        raise errors.UserMistake(
            "there are no classes; use `expect_no_calls` if the right answer is to call nothing"
        )
    if classes and expect_no_calls:
        raise errors.UserMistake("classes and `expect_no_calls` exclude each other")
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
    """Runs that called only unknown tools, perhaps because they spell the names differently."""
    return [
        trace
        for trace in traces
        if trace.observed and not any(is_member(name, call) for call in trace.observed for name in known)
    ]
