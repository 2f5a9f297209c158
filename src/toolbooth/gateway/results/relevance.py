"""A query × the parts of one text → how relevant each part is, 0.0 where nothing of the query stands in it."""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from toolbooth.gateway.results.shadow import shadow
from toolbooth.limits import MAX_QUERY, MAX_QUERY_WORDS, MAX_WORD

_SATURATION: Final = 1.2
_LENGTH: Final = 0.3  # mild: a long part that tells more is better than a short one that tells less
_COUNTED: Final = 4  # of one word in one part; the score hardly grows beyond
_BEGINNING: Final = 0.4  # `auth` finds `authentication`, where the text has no `auth`
_SHORTEST: Final = 3  # letters of a word whose endings and longer forms are looked for
_PAIR: Final = 2  # of letters: a word of a script that is written without spaces
_ENDING: Final = 5  # letters that a word may have beyond its stem and still be looked at as a whole
# A word, and its first part where it is a compound: `get` of `getUserById`, `HTTP` of `HTTPServer`, `user` of `user42`.
_WORD: Final = re.compile(rf"(?=([A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+(?![^\W_]))?)[^\W_]{{1,{MAX_WORD}}}")
_JOINT: Final = "\n"
_ESCAPES: Final = ("\\n", "\\r", "\\t")  # in JSON as it is written, a word may follow such a letter


class Term(NamedTuple):
    """A word of a query: itself, as it is compared, and the letters that every form of it begins with."""

    word: str
    stem: str
    needle: str


class Weighed(NamedTuple):
    """How relevant each part is, and the words of the query that none of them has."""

    scores: list[float]
    absent: list[str]


def scores(query: str, parts: Sequence[str]) -> list[float]:
    """How relevant each part is."""
    return weigh(query, parts).scores


def weigh(query: str, parts: Sequence[str]) -> Weighed:
    """BM25 over the parts; words are split, folded and stemmed as in the search for tools.

    Only the places where a word of the query may begin are looked at, so that 10 MB take a quarter of a second.
    """
    found = Weighed([0.0] * len(parts), [])
    terms = read_terms(query)
    if not terms or not parts:
        return found
    text = _Parted(parts)
    for term in terms:
        counts = _occurrences(term, text)
        if not counts:
            found.absent.append(term.word)
        worth = math.log(1 + (len(parts) - len(counts) + 0.5) / (len(counts) + 0.5))
        for part, count in counts.items():
            found.scores[part] += (
                worth * count * (_SATURATION + 1) / (count + _SATURATION * text.stretch(part))
            )
    return found


def read_terms(query: str) -> list[Term]:
    """The distinct words of a query; stop words only where there is nothing else."""
    from toolbooth.search.analysis import flat, stem, stop_words  # brings numpy: not before it is needed

    words = flat(query[:MAX_QUERY])
    telling = [word for word in words if word not in stop_words()] or words
    stems: dict[str, str] = {}
    for word in telling:
        stems.setdefault(stem(word), word)
    return [Term(word, own, _needle(word, own)) for own, word in list(stems.items())[:MAX_QUERY_WORDS]]


def _needle(word: str, own: str) -> str:
    """A stem may end otherwise than its words do (`polici` of `policy`), so its last letter is left open."""
    if not word.isascii():
        return word
    beginning = own if len(own) < _SHORTEST else own[:-1]
    return beginning if word.startswith(beginning) else word[0]


class _Parted:
    """All parts as one text, its shadow, and where each part begins."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.text = _JOINT.join(parts)
        self.shadow = shadow(self.text)
        self.starts = list(accumulate((len(part) + len(_JOINT) for part in parts), initial=0))
        self._mean = len(self.text) / len(parts) + len(_JOINT)

    def stretch(self, part: int) -> float:
        """How a part's length weighs; 1.0 for the usual length."""
        return 1 - _LENGTH + _LENGTH * (self.starts[part + 1] - self.starts[part]) / self._mean

    def places(self, needle: str, holds: Callable[[int], bool]) -> dict[int, float]:
        """Part → at how many of the places where it has the needle the condition holds, up to a few."""
        counts: dict[int, float] = {}
        find, starts = self.shadow.find, self.starts
        at, end, part, count = find(needle), 0, 0, 0
        while at >= 0:
            if at >= end:
                part, count = bisect_right(starts, at) - 1, 0
                end = starts[part + 1]
            if holds(at):
                count += 1
                counts[part] = count
            at = find(needle, end if count >= _COUNTED else at + 1)
        return counts

    def begins(self, at: int) -> bool:
        """Whether a word begins here, or a part of a compound such as the `User` of `getUserById`."""
        if at == 0 or not self.shadow[at - 1].isalnum():
            return True
        if self.text[at - 2 : at] in _ESCAPES:
            return True
        if not self.text[at].isupper():
            return False
        return not self.text[at - 1].isupper() or self.text[at + 1 : at + 2].islower()


def _occurrences(term: Term, text: _Parted) -> dict[int, float]:
    """Part → how often the term stands there; where no part has it, words that begin with it count a little."""
    word, own, needle = term
    if not word.isascii():
        return text.places(needle, text.begins if len(word) > _PAIR else lambda _: True)
    exact = text.places(needle, _Judge(own, text).is_the_term)
    if exact or len(word) < _SHORTEST:
        return exact
    return {part: count * _BEGINNING for part, count in text.places(word, text.begins).items()}


class _Judge:
    """Knows of a place whether the word that begins there is a form of one stem."""

    def __init__(self, own: str, text: _Parted) -> None:
        self._own, self._text = own, text
        self._known: dict[str, bool] = {}  # few, whatever the text: identifiers share their first words

    def is_the_term(self, at: int) -> bool:
        if not self._text.begins(at) or not (found := _WORD.match(self._text.text, at)):
            return False
        whole, first = found[0], found[1]
        if first and self._is_form(first):
            return True
        return whole != first and len(whole) <= len(self._own) + _ENDING and self._is_form(whole)

    def _is_form(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            from toolbooth.search.analysis import fold, stem

            known = self._known[word] = stem(fold(word)) == self._own
        return known
