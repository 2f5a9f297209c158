"""How relevant each part of a text is to a query: 0.0 if it has no word of the query.

Words are found in a case-folded copy of the text: lower case, no accents, the same length, so that its
offsets are the text's own. Forms of a word are found in identifiers too.
"""

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from toolbooth import limits, search

_WIDENING: Final = "\u0130"  # the one letter whose lower case is longer than itself
_MANY: Final = (
    48  # different letters to replace, above which one pass over all letters is faster than one for each
)


def case_folded(text: str) -> str:
    """Letters that fold to one other letter are replaced; the few that fold to several stay as they are."""
    if text.isascii():
        return text.lower()
    lowered = text.replace(_WIDENING, "i").lower()
    plain = {letter: base for letter in set(lowered) if (base := _base(letter)) != letter}
    if len(plain) > _MANY:
        return lowered.translate({ord(letter): base for letter, base in plain.items()})
    for letter, base in plain.items():
        lowered = lowered.replace(letter, base)
    return lowered


@lru_cache(maxsize=1 << 14)
def _base(letter: str) -> str:
    if letter.isascii():
        return letter
    decomposed = unicodedata.normalize("NFKD", letter)
    kept = "".join(each for each in decomposed if not unicodedata.combining(each))
    base = unicodedata.normalize("NFKC", kept).lower()
    return base if len(base) == 1 else letter


_ENDING: Final = 5  # letters that a form may have beyond its stem if it contains digits
_SHORTEST_NAME: Final = 3  # letters before a number, as in `server42`
_SHORTEST_PART: Final = 3  # letters of a word that is searched for inside compounds
_ESCAPES: Final = ("\\n", "\\r", "\\t")  # in JSON as it is written, a word may follow such a letter
# The first part of a compound: `get` of `getUserById`, `HTTP` of `HTTPServer`.
_FIRST: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def beginning(needle: str) -> str:
    """The pattern of a needle at the beginning of a word; the look-behind comes second, or it would be slow."""
    literal = re.escape(needle)
    return rf"{literal}(?<![^\W_]{literal})"


def form_pattern(needle: str) -> str:
    """The pattern of a form; it looks ahead only as far as a word goes, or a long run is scanned at each place."""
    begun = needle if len(needle) >= _SHORTEST_PART else beginning(needle)
    return rf"{begun}(?=([a-z]{{0,{limits.MAX_WORD}}})([^\W_]{{0,{limits.MAX_WORD}}}))"


class Forms:
    """The forms of one stem in one text; every form begins with the needle, in ASCII and lower case."""

    def __init__(self, stem_of_word: str, needle: str, text: str, folded: str) -> None:
        self._stem_of_word, self._needle, self._text, self._folded = stem_of_word, needle, text, folded
        self._known: dict[str, bool] = {}

    def places(self) -> Iterator[re.Match[str]]:
        """Where a form may be; the groups are its other letters, and what follows in the same run."""
        return re.finditer(form_pattern(self._needle), self._folded)

    def holds(self, place: re.Match[str]) -> bool:
        """Whether it is one: the word, its letters before a number, or the first word of a compound."""
        at = place.start()
        if at and self._folded[at - 1].isalnum() and not self._begins_inside(at):
            return False
        letters, rest = place.groups()
        word = self._needle + letters
        if self._is_form(word) and (not rest or (word.isalpha() and len(word) >= _SHORTEST_NAME)):
            return True
        if rest and len(word) + len(rest) <= len(self._stem_of_word) + _ENDING and self._is_form(word + rest):
            return True
        written = self._text[at : at + len(word)]
        if written[1:].islower() or not (first := _FIRST.match(written)):
            return False
        return len(first[0]) < len(written) and self._is_form(first[0].lower())

    def _begins_inside(self, at: int) -> bool:
        """A part of a compound such as the `User` of `getUserById`, or a word behind an escaped line break."""
        if self._text[at].isupper():
            return not self._text[at - 1].isupper() or self._text[at + 1 : at + 2].islower()
        return self._text[at - 2 : at] in _ESCAPES

    def _is_form(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = search.stem(word) == self._stem_of_word
        return known


_SATURATION: Final = 1.2
_LENGTH: Final = 0.3  # mild: a long part that says more is better than a short one that says less
_COUNTED: Final = 4  # of one word in one part; the score hardly grows beyond
_BEGINNING: Final = 0.4  # `auth` finds `authentication` if the text has no `auth`
_SHORTEST: Final = 3  # letters of a word whose endings and longer forms are searched for
_PAIR: Final = 2  # of letters: a word of a script that is written without spaces
_MANY_PARTS: Final = 20_000
_SAMPLE: Final = 2_000  # of so many parts, evenly spread
_COMMON: Final = 0.9  # of them have a word that says nothing
_JOINT: Final = "\n"
Counts = dict[int, float]


class Term(NamedTuple):
    """A word of a query: itself, as it is compared, and the letters that every form of it begins with."""

    word: str
    stem: str
    needle: str


class PartRelevance(NamedTuple):
    """How relevant each part is, how many words of the query it has, and the words that none of them has."""

    scores: list[float]
    held: list[int]
    absent: list[str]


def scores(query: str, parts: Sequence[str]) -> list[float]:
    """How relevant each part is."""
    return weigh(query, parts).scores


def weigh(query: str, parts: Sequence[str]) -> PartRelevance:
    """BM25 over the parts; words are split, folded and stemmed as in the search for tools.

    Only the places where a word of the query may begin are examined, so that 10 MB take a quarter of a
    second.
    """
    found = PartRelevance([0.0] * len(parts), [0] * len(parts), [])
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
    """Terms that occur in nearly all of very many parts: they say nothing, and take longest to count."""
    if len(parts) < _MANY_PARTS:
        return []
    sample = _Parted(parts[:: len(parts) // _SAMPLE])
    most = _COMMON * (len(sample.starts) - 1)
    return [term for term in terms if len(_occurrences(term, sample)) >= most]


def _add(term: Term, text: "_Parted", found: PartRelevance) -> bool:
    """Add a term's score to each part; False if it occurs nowhere."""
    scores, held, _ = found
    counts = _occurrences(term, text)
    worth = math.log(1 + (len(scores) - len(counts) + 0.5) / (len(counts) + 0.5))
    for part, count in counts.items():
        scores[part] += worth * count * (_SATURATION + 1) / (count + _SATURATION * text.stretch(part))
        held[part] += 1
    return bool(counts)


def read_terms(query: str) -> list[Term]:
    """The distinct words of a query; stop words only if there is nothing else."""
    words = search.flat(query[: limits.MAX_QUERY])
    telling = [word for word in words if word not in search.stop_words()] or words
    stems: dict[str, str] = {}
    for word in telling:
        stems.setdefault(search.stem(word), word)
    return [
        Term(word, stem_of_word, _needle(word, stem_of_word))
        for stem_of_word, word in list(stems.items())[: limits.MAX_QUERY_WORDS]
    ]


def _needle(word: str, stem_of_word: str) -> str:
    """A stem may end differently from its words (`polici` of `policy`), so its last letter is left open."""
    if not word.isascii():
        return word
    beginning = stem_of_word if len(stem_of_word) < _SHORTEST else stem_of_word[:-1]
    return beginning if word.startswith(beginning) else word[0]


class _Parted:
    """All parts as one text, its case-folded copy, and where each part begins."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.text = _JOINT.join(parts)
        self.folded = case_folded(self.text)
        self.starts = list(accumulate((len(part) + len(_JOINT) for part in parts), initial=0))
        self._mean = len(self.text) / len(parts) + len(_JOINT)

    def stretch(self, part: int) -> float:
        """The factor for a part's length; 1.0 for the usual length."""
        return 1 - _LENGTH + _LENGTH * (self.starts[part + 1] - self.starts[part]) / self._mean

    def count(self, places: Iterator[re.Match[str]], holds: Callable[[re.Match[str]], bool]) -> Counts:
        """How many of its places hold, up to a few, by part."""
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
    """How often the term occurs, by part; if no part has it, words that begin with it count a little."""
    word, stem_of_word, needle = term
    if not word.isascii():
        pattern = re.escape(needle) if len(word) <= _PAIR else beginning(needle)
        return text.count(re.finditer(pattern, text.folded), _always)
    forms = Forms(stem_of_word, needle, text.text, text.folded)
    exact = text.count(forms.places(), forms.holds)
    if exact or len(word) < _SHORTEST:
        return exact
    longer = text.count(re.finditer(beginning(word), text.folded), _always)
    return {part: count * _BEGINNING for part, count in longer.items()}


def _always(place: re.Match[str]) -> bool:  # noqa: ARG001
    return True
