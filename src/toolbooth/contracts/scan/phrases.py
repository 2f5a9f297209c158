"""Phrases in prose, found in linear time: no pattern that a hostile text could make backtrack."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.rule import Passage, ScanHit
from toolbooth.contracts.words import TextWords, WordSpan, word_set

_COMMON: Final = word_set(
    "a an the to of in on for by with from and or if it its this that these you your user users tool tools not "
    "dont never no all any every each other must always should before after when first use used call called // ."
)


@dataclass(frozen=True)
class Phrase:
    """Words of one sentence in an order: of each slot one, at most so many others between two.

    A phrase with a word of `unless` among the few before it is none: `do not ignore …`.
    """

    level: Level
    message: str
    slots: tuple[frozenset[str], ...]
    gaps: tuple[int, ...]
    unless: frozenset[str] = frozenset()
    unless_within: int = 4

    @cached_property
    def rarest(self) -> frozenset[str]:
        """The slot that the fewest texts have a word of."""
        return min(self.slots, key=lambda slot: len(slot & _COMMON))

    def spans(self, words: TextWords) -> Iterator[WordSpan]:
        """Every place where it ends, each with the nearest beginning."""
        if any(slot.isdisjoint(words.known) for slot in self.slots):
            return
        reached = {place: place for place in words.places_of(self.slots[0])}
        for gap, slot in zip(self.gaps, self.slots[1:], strict=True):
            reached = dict(_next(words, reached, gap, slot))
        for last, first in reached.items():
            if self.unless.isdisjoint(_before(words, first, self.unless_within)):
                yield WordSpan(first, last)


def _next(
    words: TextWords, reached: Mapping[int, int], gap: int, slot: frozenset[str]
) -> Iterator[tuple[int, int]]:
    for place in words.places_of(slot) if reached else ():
        for back in range(place - 1, max(-1, place - gap - 2), -1):
            if words.sentences[back] != words.sentences[place]:
                break
            if back in reached:
                yield place, reached[back]
                break


def _before(words: TextWords, first: int, within: int) -> list[str]:
    home = words.sentences[first]
    return [words.words[at] for at in range(max(0, first - within), first) if words.sentences[at] == home]


def phrases(level: Level, message: str, *texts: str, unless: str = "", within: int = 4) -> Iterator[Phrase]:
    """Each text as `ignore|forget 3 previous|prior 2 instructions`: slots, and between two how many words may stand."""
    for text in texts:
        parts = text.split()
        slots = tuple(frozenset(part.split("|")) for part in parts[::2])
        gaps = tuple(map(int, parts[1::2]))
        yield Phrase(level, message, slots, gaps, frozenset(unless.split("|")) - {""}, within)


class PhraseSet:
    """Many phrases; a text without a telling word of any of them costs one look."""

    def __init__(self, *rows: Iterable[Phrase]) -> None:
        self.phrases = tuple(phrase for row in rows for phrase in row)
        self._telling = frozenset(word for each in self.phrases for word in each.rarest)

    def found_in(self, words: TextWords) -> Iterator[tuple[Phrase, WordSpan]]:
        """Every phrase with each of its places."""
        telling = self._telling & words.known
        for each in self.phrases if telling else ():
            if not each.rarest.isdisjoint(telling):
                yield from ((each, span) for span in each.spans(words))


_SHORTEST: Final = 8  # characters: no phrase is shorter


def phrase_hits(passage: Passage, phrase_set: PhraseSet) -> Iterator[ScanHit]:
    """Each phrase's every place."""
    if len(passage.text) < _SHORTEST:
        return
    for each, span in phrase_set.found_in(passage.words):
        yield ScanHit(each.level, each.message, passage.words.quoted(span))
