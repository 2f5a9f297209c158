"""Unknown words of a query: the correction of misspelled ones, and the catalog words that contain one or compose it."""

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import cdist

from toolbooth.search.analysis import stem, stop_words
from toolbooth.search.vocabulary import known_words, word_pieces

_SHORTEST: Final = 3
_ALIKE: Final = (
    0.85  # a word with two misspelled letters is still this similar; `cosine` and `coding` are not
)
_PREFIX: Final = re.compile(r"^(un|re|non|pre|dis|mis|over)(?=\w{4})")
_REMEMBERED: Final = 10_000  # so that a client that sends random words does not fill the memory


class Repair(NamedTuple):
    """The word searched for instead, and how many letters changed."""

    word: str
    distance: int


def allowed_distance(length: int) -> int:
    """One letter in up to four, two in up to twelve, three beyond."""
    return 1 if length <= 4 else 2 if length <= 12 else 3


@cache
def _known_stems() -> frozenset[str]:
    return frozenset(map(stem, known_words()))


@lru_cache(maxsize=1 << 14)
def is_known(word: str) -> bool:
    """Whether the language has the word; then it is no misspelling, however close a catalog word may be."""
    if word in stop_words() or word in known_words() or stem(word) in _known_stems():
        return True
    rest = _PREFIX.sub("", word)
    return (len(rest) < len(word) and stem(rest) in _known_stems()) or any(
        word[:cut] in known_words() and word[cut:] in known_words() for cut in range(4, len(word) - 3)
    )


class Repairer:
    """Finds the nearest word of the catalog (each with the number of tools that hold it), else of the language."""

    def __init__(self, words: Mapping[str, int]) -> None:
        # Lower comes first: catalog words by the number of tools that hold them, then known words, common ones first.
        self._order = {word: place for place, word in enumerate(word_pieces().rows) if word in known_words()}
        self._order.update({word: -held for word, held in words.items()})
        self._by_length: dict[int, list[str]] = {}
        for word in self._order:
            if len(word) >= _SHORTEST and word.isalpha():
                self._by_length.setdefault(len(word), []).append(word)
        self._remembered: dict[str, Repair | None] = {}

    def repair(self, word: str, proper: bool = False) -> Repair | None:
        """The nearest word within the allowed distance; a proper name must differ by one letter only."""
        if len(word) < _SHORTEST or not word.isalpha() or is_known(word):
            return None
        if word not in self._remembered:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[word] = self._nearest(word)
        found = self._remembered[word]
        return None if found and proper and (found.distance > 1 or len(word) < 5) else found

    def _nearest(self, word: str) -> Repair | None:
        """The fewest changes win, then the same first letter, then the commoner word, then the alphabet."""
        found: list[tuple[int, bool, int, str]] = []
        limit = allowed_distance(len(word))
        for length in range(len(word) - limit, len(word) + limit + 1):
            words = self._by_length.get(length)
            if not words:
                continue
            distances = cdist([word], words, scorer=OSA.distance, score_cutoff=limit)[0]
            for at in (distances <= limit).nonzero()[0]:
                other, distance = words[at], int(distances[at])
                if _likely(word, other, distance) and (distance == 1 or self._order[other] < 0):
                    found.append((distance, other[0] != word[0], self._order[other], other))
        best = min(found, default=None)
        return Repair(best[3], best[0]) if best else None


def _likely(word: str, other: str, distance: int) -> bool:
    """In a word of three letters another letter makes another word (`rmb`, `rgb`); two changes must leave it alike."""
    if distance == 1:
        return len(word) > 3 or len(other) > 3 or sorted(word) == sorted(other)
    return JaroWinkler.similarity(word, other) >= _ALIKE


_SHORTEST_INSIDE = 4  # `port` inside `report` is already chance; three letters are inside everything
_SHORTEST_PART = 3
_MOST = 8


class Near(NamedTuple):
    """A word of the catalog and how much of it is covered, 0 to 1."""

    word: str
    cover: float


class Substrings:
    """Scans all words as one text, in 30 µs at 4,400 words; a trigram index would have to be built and maintained."""

    def __init__(self, words: Collection[str]) -> None:
        self._words = words
        self._text = "\n" + "\n".join(sorted(words)) + "\n"

    def containing(self, word: str, prefix_only: bool = False) -> list[Near]:
        """Words that contain this one (or begin with it), the shortest first."""
        if len(word) < _SHORTEST_INSIDE:
            return []
        wanted = f"\n{word}" if prefix_only else word
        found: dict[str, float] = {}
        at = self._text.find(wanted)
        while at != -1 and len(found) < 20 * _MOST:
            start = self._text.rfind("\n", 0, at + 1) + 1
            end = self._text.find("\n", at + 1)
            found[self._text[start:end]] = len(word) / (end - start)
            at = self._text.find(wanted, end - 1)
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return [Near(*item) for item in best[:_MOST]]

    def composing(self, word: str) -> tuple[str, str] | None:
        """`readfile` gives `read` and `file`: the split into two catalog words with the longest first part."""
        for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            if word[:cut] in self._words and word[cut:] in self._words:
                return word[:cut], word[cut:]
        return None
