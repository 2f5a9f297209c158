"""The metrics of a suite: precision, recall and F1 of tool selection, cost per correct choice, Wilson intervals.

Selection compares observed calls with classes of interchangeable tools. Efficiency divides what the tool surface cost
by the number of correct choices.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

Classes = Mapping[str, Sequence[str]]
Run = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Selection:
    """Counts pooled over runs; `missed` classes and `unexpected` tools have counts, the most frequent first."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    missed: Mapping[str, int] = field(default_factory=dict, hash=False)
    unexpected: Mapping[str, int] = field(default_factory=dict, hash=False)
    idle_is_right: bool = False

    @property
    def precision(self) -> int:
        """The percentage of counted calls that were right."""
        return self._percent(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> int:
        """The percentage of wanted classes that were called."""
        return self._percent(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> int:
        """Precision and recall in one number, from the counts and not from the rounded percentages."""
        return self._percent(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def grade(self) -> str:
        """A letter for people."""
        return next((letter for letter, least in _GRADES if self.f1 >= least), "F")

    def _percent(self, part: int, whole: int) -> int:
        if self.idle_is_right:
            return 0 if self.fp else 100
        return 100 * part // whole if whole else 0


_GRADES = (("A", 90), ("B", 80), ("C", 70), ("D", 60))


def score_selection(classes: Classes, runs: Sequence[Run], *, expect_no_calls: bool = False) -> Selection:
    """Score runs, each a list of calls `{name, server?}`; a run with an error is an empty list.

    `expect_no_calls` without classes means that the right answer is to call nothing.
    """
    tp = fp = 0
    missed: Counter[str] = Counter()
    unexpected: Counter[str] = Counter()
    for run in runs:
        reached, others = _walk(classes, run)
        tp, fp = tp + len(reached), fp + len(others)
        missed.update(name for name in classes if name not in reached)
        unexpected.update(others)
    idle = expect_no_calls and not classes
    return Selection(tp, fp, missed.total(), _ranked(missed), _ranked(unexpected), idle)


def call_id(call: Mapping[str, Any]) -> str:
    """`server.name`, or `name` if the server is unknown."""
    server = call.get("server")
    return f"{server}.{call['name']}" if server else str(call["name"])


def is_member(member: str, call: Mapping[str, Any]) -> bool:
    """A member with a dot matches only the whole id; one without a dot matches the tool name on any server."""
    return member == (call_id(call) if "." in member else call["name"])


def _walk(classes: Classes, run: Run) -> tuple[set[str], list[str]]:
    reached: set[str] = set()
    others: list[str] = []
    for call in run:
        hit = {name for name, members in classes.items() if any(is_member(each, call) for each in members)}
        reached |= hit
        if not hit:
            others.append(call_id(call))
    return reached, others


def _ranked(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def overlapping(classes: Classes) -> Iterable[tuple[str, str, str]]:
    """Members of two classes, as (member, class, class): one call satisfies both.

    A bare name overlaps with that tool on any server.
    """
    owner: dict[str, str] = {}
    for name, members in classes.items():
        for member in members:
            if owner.setdefault(member, name) != name:
                yield member, owner[member], name
    for bare in [member for member in owner if "." not in member]:
        for whole in [member for member in owner if member.endswith(f".{bare}")]:
            if owner[whole] != owner[bare]:
                yield whole, owner[bare], owner[whole]


@dataclass(frozen=True)
class Efficiency:
    """Undefined figures are None: no choice was right, or the runs were free."""

    selection: Selection
    tool_surface_tokens: int | None = None
    paid_tokens: int | None = None
    cost: float | None = None

    @property
    def f1(self) -> int:
        """F1 of the selection."""
        return self.selection.f1

    @property
    def grade(self) -> str:
        """A letter for people, by F1."""
        return self.selection.grade

    @property
    def correct_selections(self) -> int:
        """True positives of all runs."""
        return self.selection.tp

    @property
    def tokens_per_correct(self) -> float | None:
        """Tokens of the surface, counted once, per right choice; it falls as the number of runs rises."""
        return self._each(self.tool_surface_tokens)

    @property
    def paid_tokens_per_correct(self) -> float | None:
        """Input tokens really sent, over all model calls, per right choice."""
        return self._each(self.paid_tokens)

    @property
    def cost_per_correct(self) -> float | None:
        """Dollars per right choice."""
        return self._each(self.cost)

    def _each(self, whole: float | None) -> float | None:
        return None if whole is None or not self.selection.tp else whole / self.selection.tp


def token_efficiency(
    classes: Classes,
    runs: Sequence[Run],
    tool_surface_tokens: int | None = None,
    *,
    cost: float | None = None,
    paid_tokens: int | None = None,
    expect_no_calls: bool = False,
) -> Efficiency:
    """Score the runs and what each right choice cost; `cost` is None if the runs were free."""
    selection = score_selection(classes, runs, expect_no_calls=expect_no_calls)
    return Efficiency(selection, tool_surface_tokens, paid_tokens, cost)


Z95 = 1.959963984540054


class Rate(NamedTuple):
    """`hits` out of `of` tries, with the bounds of the 95% interval as fractions of one."""

    hits: int
    of: int
    low: float
    high: float


def wilson(hits: int, of: int, z: float = Z95) -> Rate:
    """The Wilson interval, which is also right for few tries and at 0 and 100%. No tries give 0 to 1."""
    if not of:
        return Rate(0, 0, 0.0, 1.0)
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == of else min(1.0, middle + half)
    return Rate(hits, of, low, high)
