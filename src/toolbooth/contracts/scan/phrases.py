"""Phrases in prose, found in linear time, so that a hostile text cannot make the search backtrack."""

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
    """An ordered pattern of words in one sentence: one word of each slot, with at most `gaps` other words between two.

    A word of `unless` shortly before the phrase cancels it, as in `do not ignore …`.
    """

    level: Level
    message: str
    slots: tuple[frozenset[str], ...]
    gaps: tuple[int, ...]
    unless: frozenset[str] = frozenset()
    unless_within: int = 4

    @cached_property
    def rarest(self) -> frozenset[str]:
        """The slot with the fewest common words; few texts have a word of it."""
        return min(self.slots, key=lambda slot: len(slot & _COMMON))

    def spans(self, words: TextWords) -> Iterator[WordSpan]:
        """Every end of the phrase in the text, with the nearest beginning."""
        if any(slot.isdisjoint(words.known) for slot in self.slots):
            return
        reached = {index: index for index in words.positions_of(self.slots[0])}
        for gap, slot in zip(self.gaps, self.slots[1:], strict=True):
            reached = dict(_next(words, reached, gap, slot))
        for last, first in reached.items():
            if self.unless.isdisjoint(_before(words, first, self.unless_within)):
                yield WordSpan(first, last)


def _next(
    words: TextWords, reached: Mapping[int, int], gap: int, slot: frozenset[str]
) -> Iterator[tuple[int, int]]:
    for index in words.positions_of(slot) if reached else ():
        for back in range(index - 1, max(-1, index - gap - 2), -1):
            if words.sentences[back] != words.sentences[index]:
                break
            if back in reached:
                yield index, reached[back]
                break


def _before(words: TextWords, first: int, within: int) -> list[str]:
    sentence = words.sentences[first]
    return [words.words[at] for at in range(max(0, first - within), first) if words.sentences[at] == sentence]


def phrases(level: Level, message: str, *texts: str, unless: str = "", within: int = 4) -> Iterator[Phrase]:
    """Parse texts such as `ignore|forget 3 previous|prior 2 instructions`: slots, and the most words between two."""
    for text in texts:
        parts = text.split()
        slots = tuple(frozenset(part.split("|")) for part in parts[::2])
        gaps = tuple(map(int, parts[1::2]))
        yield Phrase(level, message, slots, gaps, frozenset(unless.split("|")) - {""}, within)


class PhraseSet:
    """Many phrases. A text without a rare word of any of them is skipped with one set operation."""

    def __init__(self, *rows: Iterable[Phrase]) -> None:
        self.phrases = tuple(phrase for row in rows for phrase in row)
        self._rare_words = frozenset(word for each in self.phrases for word in each.rarest)

    def found_in(self, words: TextWords) -> Iterator[tuple[Phrase, WordSpan]]:
        """Every phrase in the text, with each of its spans."""
        rare = self._rare_words & words.known
        for each in self.phrases if rare else ():
            if not each.rarest.isdisjoint(rare):
                yield from ((each, span) for span in each.spans(words))


_SHORTEST: Final = 8  # characters: no phrase is shorter


def phrase_hits(passage: Passage, phrase_set: PhraseSet) -> Iterator[ScanHit]:
    """One hit for each span of each phrase."""
    if len(passage.text) < _SHORTEST:
        return
    for each, span in phrase_set.found_in(passage.words):
        yield ScanHit(each.level, each.message, passage.words.quoted(span))
