"""Observed calls × classes of interchangeable tools → precision, recall and F1 in whole percents."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Classes = Mapping[str, Sequence[str]]
Run = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Selection:
    """Counts pooled over runs; `missed` classes and `unexpected` tools with how often, the most frequent first."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    missed: Mapping[str, int] = field(default_factory=dict, hash=False)
    unexpected: Mapping[str, int] = field(default_factory=dict, hash=False)
    idle_is_right: bool = False

    @property
    def precision(self) -> int:
        """Of the calls that counted, how many percent were right."""
        return self._percent(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> int:
        """Of the classes that were wanted, how many percent were reached."""
        return self._percent(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> int:
        """Both in one number, from the counts and not from the floored percents."""
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
    """Score runs, each a list of calls `{name, server?}`; a run that errored is an empty list.

    `expect_no_calls`, with no classes, says that the right answer is to call nothing.
    """
    tp = fp = 0
    missed: Counter[str] = Counter()
    unexpected: Counter[str] = Counter()
    for run in runs:
        reached, strangers = _walk(classes, run)
        tp, fp = tp + len(reached), fp + len(strangers)
        missed.update(name for name in classes if name not in reached)
        unexpected.update(strangers)
    idle = expect_no_calls and not classes
    return Selection(tp, fp, missed.total(), _ranked(missed), _ranked(unexpected), idle)


def call_id(call: Mapping[str, Any]) -> str:
    """`server.name`, or `name` where no server is known."""
    server = call.get("server")
    return f"{server}.{call['name']}" if server else str(call["name"])


def is_member(member: str, call: Mapping[str, Any]) -> bool:
    """A member with a dot matches the whole id only, one without it the tool name on any server."""
    return member == (call_id(call) if "." in member else call["name"])


def _walk(classes: Classes, run: Run) -> tuple[set[str], list[str]]:
    reached: set[str] = set()
    strangers: list[str] = []
    for call in run:
        hit = {name for name, members in classes.items() if any(is_member(each, call) for each in members)}
        reached |= hit
        if not hit:
            strangers.append(call_id(call))
    return reached, strangers


def _ranked(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def overlapping(classes: Classes) -> Iterable[tuple[str, str, str]]:
    """Members that stand in two classes, as (member, class, class): one call satisfies both.

    A bare name overlaps with that tool of any server.
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
