"""A query × the parts of one text → how relevant each part is, 0.0 where nothing of the query stands in it."""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from typing import Final, NamedTuple

from toolbooth.gateway.results.reading.forms import Forms, beginning
from toolbooth.gateway.results.shadow import shadow
from toolbooth.limits import MAX_QUERY, MAX_QUERY_WORDS

_SATURATION: Final = 1.2
_LENGTH: Final = 0.3  # mild: a long part that tells more is better than a short one that tells less
_COUNTED: Final = 4  # of one word in one part; the score hardly grows beyond
_BEGINNING: Final = 0.4  # `auth` finds `authentication`, where the text has no `auth`
_SHORTEST: Final = 3  # letters of a word whose endings and longer forms are looked for
_PAIR: Final = 2  # of letters: a word of a script that is written without spaces
_MANY_PARTS: Final = 20_000
_SAMPLE: Final = 2_000  # of so many parts, evenly spread
_COMMON: Final = 0.9  # of them have a word that tells nothing
_JOINT: Final = "\n"
Counts = dict[int, float]


class Term(NamedTuple):
    """A word of a query: itself, as it is compared, and the letters that every form of it begins with."""

    word: str
    stem: str
    needle: str


class Weighed(NamedTuple):
    """How relevant each part is, how many words of the query it has, and the words that none of them has."""

    scores: list[float]
    held: list[int]
    absent: list[str]


def scores(query: str, parts: Sequence[str]) -> list[float]:
    """How relevant each part is."""
    return weigh(query, parts).scores


def weigh(query: str, parts: Sequence[str]) -> Weighed:
    """BM25 over the parts; words are split, folded and stemmed as in the search for tools.

    Only the places where a word of the query may begin are looked at, so that 10 MB take a quarter of a second.
    """
    found = Weighed([0.0] * len(parts), [0] * len(parts), [])
    terms = read_terms(query) if parts else []
    common = _common(terms, parts)
    text = _Parted(parts or [""])
    for term in terms:
        if term not in common and not _add(term, text, found):
            found.absent.append(term.word)
    if common and not any(found.scores):
        _add(common[0], text, found)
    return found


def _common(terms: list[Term], parts: Sequence[str]) -> list[Term]:
    """Those that stand in nearly every part of very many: they tell nothing, and take longest to count."""
    if len(parts) < _MANY_PARTS:
        return []
    sample = _Parted(parts[:: len(parts) // _SAMPLE])
    most = _COMMON * (len(sample.starts) - 1)
    return [term for term in terms if len(_occurrences(term, sample)) >= most]


def _add(term: Term, text: "_Parted", found: Weighed) -> bool:
    """Add to each part what a term says for it; False where it is nowhere."""
    scores, held, _ = found
    counts = _occurrences(term, text)
    worth = math.log(1 + (len(scores) - len(counts) + 0.5) / (len(counts) + 0.5))
    for part, count in counts.items():
        scores[part] += worth * count * (_SATURATION + 1) / (count + _SATURATION * text.stretch(part))
        held[part] += 1
    return bool(counts)


def read_terms(query: str) -> list[Term]:
    """The distinct words of a query; stop words only where there is nothing else."""
    import_module("toolbooth.search")  # the room before its part: threads that begin at both ends fail both
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

    def count(self, places: Iterator[re.Match[str]], holds: Callable[[re.Match[str]], bool]) -> Counts:
        """Part → how many of its places hold, up to a few."""
        counts: Counts = {}
        starts, end, part, count = self.starts, 0, 0, 0
        for place in places:
            at = place.start()
            if at >= end:
                part, count = bisect_right(starts, at) - 1, 0
                end = starts[part + 1]
            if count < _COUNTED and holds(place):
                count += 1
                counts[part] = count
        return counts


def _occurrences(term: Term, text: _Parted) -> Counts:
    """Part → how often the term stands there; where no part has it, words that begin with it count a little."""
    word, own, needle = term
    if not word.isascii():
        pattern = re.escape(needle) if len(word) <= _PAIR else beginning(needle)
        return text.count(re.finditer(pattern, text.shadow), _always)
    forms = Forms(own, needle, text.text, text.shadow)
    exact = text.count(forms.places(), forms.holds)
    if exact or len(word) < _SHORTEST:
        return exact
    longer = text.count(re.finditer(beginning(word), text.shadow), _always)
    return {part: count * _BEGINNING for part, count in longer.items()}


def _always(place: re.Match[str]) -> bool:  # noqa: ARG001
    return True
