"""The reader of queries: it finds what each word can mean in this catalog.

A word can match itself, its synonyms, words that contain it, or a corrected spelling.
"""

import re
from dataclasses import dataclass, field
from enum import IntFlag
from functools import cached_property
from typing import Final, NamedTuple

from toolbooth import limits
from toolbooth.search import analysis, languages, literals, unknown_words, vocabulary
from toolbooth.search.index import Index
from toolbooth.search.synonyms import synonyms

# A capital inside a sentence, or a word in capitals, marks a name rather than a misspelling.
_PROPER = re.compile(r"(?<=[^.!?\s]\s)[A-Z]\w+|\b[A-Z]{2,}\b")
_LITERAL: Final = 0.6
_SYNONYM: Final = 0.5
_SUBSTRING: Final = 0.6


class Tier(IntFlag):
    """How a word found a tool; the bits above those of the fields."""

    WORD = 1 << 8
    SYNONYM = 1 << 9
    SUBSTRING = 1 << 10
    REPAIRED = 1 << 11


class Sense(NamedTuple):
    """A term of the catalog that a query word may mean, and with what confidence."""

    term: int
    weight: float
    tier: Tier


class Concept(NamedTuple):
    """A word of the query with its weight, its rarity and its senses (none where the catalog lacks it)."""

    word: str
    weight: float
    idf: float
    senses: tuple[Sense, ...]


@dataclass(frozen=True)
class Query:
    """A query as the catalog understands it."""

    text: str
    concepts: tuple[Concept, ...] = ()
    corrected: dict[str, str] = field(default_factory=dict)
    only_stop_words: bool = False

    @cached_property
    def ideal(self) -> float:
        """The lexical score of a tool that would hold every word."""
        return sum(concept.weight * concept.idf for concept in self.concepts)

    @cached_property
    def understood(self) -> bool:
        """Whether any word is in the catalog or the language.

        Fragments of gibberish have vectors too, so that vectors do not decide this.
        """
        return any(
            each.senses or not each.word.isascii() or unknown_words.is_known(each.word)
            for each in self.concepts
        )


class QueryReader:
    """Reads queries for one index; the helpers for unknown words are built when they are first needed."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def read(self, text: str) -> Query:
        """Every distinct word once, with everything that it may mean."""
        english = languages.in_english(text[: limits.MAX_QUERY])
        text = f"{text[: limits.MAX_QUERY]} {english}".rstrip()
        words, only_stop_words = self._words(text)
        proper = frozenset(analysis.fold(name) for name in _PROPER.findall(text))
        concepts: list[Concept] = []
        corrected: dict[str, str] = {}
        for word, weight in words.items():
            senses, repaired = self._senses(word, literal=weight < 1 or bool(english), proper=word in proper)
            if repaired:
                corrected[word] = repaired
            idf = self._index.idf(self._index.terms.get(analysis.stem(word)))
            if senses or not english:  # small words of another language say nothing
                concepts.append(Concept(word, weight, idf, senses))
        if english:  # the pieces of words that English lacks have vectors too, which mean nothing
            text = " ".join(dict.fromkeys([*english.split(), *(concept.word for concept in concepts)]))
        return Query(text, tuple(concepts), corrected, only_stop_words)

    def _words(self, text: str) -> tuple[dict[str, float], bool]:
        """Words and weights; stop words count only where there are no others."""
        parts = literals.take_apart(text)
        weighted = [(each, 1.0) for each in self._resolve(parts.plain)]
        weighted += [(each, _LITERAL) for each in self._resolve(parts.literal)]
        telling = [each for each in weighted if each[0] not in analysis.stop_words()]
        stems: dict[str, str] = {}
        found: dict[str, float] = {}
        for word, weight in telling or weighted:
            first = stems.setdefault(analysis.stem(word), word)
            found[first] = max(found.get(first, 0.0), weight)
        return dict(list(found.items())[: limits.MAX_QUERY_WORDS]), bool(weighted) and not telling

    def _resolve(self, text: str) -> list[str]:
        """Compounds count as their parts, and also as a whole where the catalog has it."""
        found: list[str] = []
        for whole, parts in analysis.split(text):
            if not parts or analysis.stem(whole) in self._index.terms:
                found.append(whole)
            found += parts
        return found

    def _senses(self, word: str, literal: bool, proper: bool) -> tuple[tuple[Sense, ...], str]:
        """The word itself and its synonyms; failing that, words that contain it; failing that, a correction."""
        found = self._direct(word)
        if found or literal:
            return tuple(found), ""
        found = self._within(word)
        if found and word in vocabulary.known_words():
            return tuple(found), ""
        repair = self._repairer.repair(word, proper)
        if repair is None or (found and repair.distance > 1):
            return tuple(found), ""
        sure = 1 - repair.distance / len(word)
        direct = self._direct(repair.word)
        return tuple(Sense(term, weight * sure, Tier.REPAIRED) for term, weight, _ in direct), repair.word

    def _direct(self, word: str) -> list[Sense]:
        terms, own = self._index.terms, analysis.stem(word)
        found = [Sense(terms[own], 1.0, Tier.WORD)] if own in terms else []
        others = (terms[other] for other in synonyms().get(own, ()) if other in terms)
        return found + [Sense(term, _SYNONYM, Tier.SYNONYM) for term in others]

    def _within(self, word: str) -> list[Sense]:
        words = self._index.words
        composed = self._substrings.composing(word)
        if composed and word not in vocabulary.known_words():
            return [Sense(words[part], _SUBSTRING, Tier.SUBSTRING) for part in composed]
        near = self._substrings.containing(word, prefix_only=word in vocabulary.known_words())
        best: dict[int, float] = {}
        for other, cover in near:
            best.setdefault(words[other], _SUBSTRING * cover)
        return [Sense(term, weight, Tier.SUBSTRING) for term, weight in best.items()]

    @cached_property
    def _substrings(self) -> unknown_words.Substrings:
        return unknown_words.Substrings(self._index.words)

    @cached_property
    def _repairer(self) -> unknown_words.Repairer:
        return unknown_words.Repairer(
            {word: self._index.held(term) for word, term in self._index.words.items()}
        )
