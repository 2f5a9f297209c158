"""Two foreign texts → all their words, each marked as kept, removed or added: what a person reads before approving.

Every text is cleaned and whole: nothing that acts on a terminal, nothing hidden, nothing left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, takewhile
from typing import Final, Literal, NamedTuple

from rapidfuzz.distance import Indel

from toolbooth.limits import MAX_WORD_PAIRS
from toolbooth.safetext import whole_text

Kind = Literal["kept", "removed", "added"]
_MARKS: Final[dict[Kind, tuple[str, str]]] = {
    "kept": ("", ""),
    "removed": ("[-", "-]"),
    "added": ("{+", "+}"),
}
_FEW: Final = (
    1  # words that both texts have, between words that they do not: easier read as part of the change
)


class Part(NamedTuple):
    """Words in a row that are of one kind."""

    kind: Kind
    text: str

    @property
    def marked(self) -> str:
        """As plain text: `[-removed-]`, `{+added+}`."""
        left, right = _MARKS[self.kind]
        return f"{left}{self.text}{right}"


def word_diff(before: str, after: str) -> tuple[Part, ...]:
    """The same words once, others as removed and added; a text that only came or went is one part."""
    old, new = whole_text(before).split(), whole_text(after).split()
    parts = [(kind, word) for kind, words in _without_islands(_runs(old, new)) for word in words]
    return tuple(
        Part(kind, " ".join(_unmarked(word) for _, word in group))
        for kind, group in groupby(parts, lambda part: part[0])
    )


def as_text(parts: Iterable[Part]) -> str:
    """The parts with their marks."""
    return " ".join(part.marked for part in parts)


def _unmarked(word: str) -> str:
    """No word of a server looks like a mark of ours: text after a forged one would pass for kept."""
    for mark in chain.from_iterable(_MARKS.values()):
        if mark:
            word = word.replace(mark, f"{mark[0]}\\{mark[1]}")
    return word


_Run = tuple[Kind, Sequence[str]]


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    """Beginnings and ends that are the same cost nothing; what is between is compared unless it is too long."""
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    yield "kept", new[:start]
    yield from _between(old[start : len(old) - end], new[start : len(new) - end])
    yield "kept", new[len(new) - end :]


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    if len(old) * len(new) > MAX_WORD_PAIRS:
        yield from (("removed", old), ("added", new))
        return
    for step in Indel.opcodes(old, new):
        if step.tag == "equal":
            yield "kept", new[step.dest_start : step.dest_end]
        else:
            yield from (
                ("removed", old[step.src_start : step.src_end]),
                ("added", new[step.dest_start : step.dest_end]),
            )


def _without_islands(runs: Iterable[_Run]) -> Iterator[_Run]:
    """Runs of a change are put together, removed words first; a lone kept word inside one belongs to both."""
    removed: list[str] = []
    added: list[str] = []
    waiting = [run for run in runs if run[1]]
    for place, (kind, words) in enumerate(waiting):
        if kind == "removed":
            removed += words
        elif kind == "added":
            added += words
        elif (removed or added) and len(words) <= _FEW and place + 1 < len(waiting):
            removed += words
            added += words
        else:
            yield from (("removed", removed), ("added", added), (kind, words))
            removed, added = [], []
    yield from (("removed", removed), ("added", added))
