"""The translation of requests in other languages into English words, by the word lists in `words/languages/`."""

import re
import tomllib
import unicodedata
from collections import Counter
from functools import cache
from typing import Final, NamedTuple

import Stemmer  # type: ignore[import-not-found]

from toolbooth import limits
from toolbooth.search.analysis import WORDS, fold, stop_words
from toolbooth.search.vocabulary import known_words

FOLDER: Final = WORDS / "languages"
_SPACED: Final = {
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
}
_UNSPACED: Final = ("zh", "ja", "ko")
_TOKEN: Final = re.compile(r"[^\W\d_]+")
_UNSPACED_RUN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LONGEST: Final = 10  # characters of a word in a script without blanks
_COMPOUNDING: Final = ("de", "nl")
_SHORTEST_PART: Final = 3
_SHORTEST_STEM: Final = 4  # a shorter stem says nothing about the language


class Dictionary(NamedTuple):
    """Folded forms and stems with their English words; `stemmer` and `compounds` depend on the language."""

    forms: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    stemmer: "Stemmer.Stemmer | None"
    compounds: bool

    def look_up(self, word: str) -> tuple[str, ...]:
        """The English words of a form: by the form itself, else by its stem, else by the parts of a compound."""
        return self._plain(word) or (self._parts(word) if self.compounds else ())

    def _plain(self, word: str) -> tuple[str, ...]:
        found = self.forms.get(word)
        if found is None and self.stemmer is not None:
            stem = self.stemmer.stemWord(word)
            found = self.stems.get(stem) if len(stem) >= _SHORTEST_STEM else None
        return found or ()

    def _parts(self, word: str) -> tuple[str, ...]:
        """The parts of a compound: `Teamkalender` gives calendar.

        The longest known ending counts, and what precedes it where that is known too.
        """
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_STEM + 1):
            end = self._plain(word[cut:])
            if end:
                return (*self._plain(word[:cut].removesuffix("s")), *end)
        return ()


def in_english(text: str) -> str:
    """The English words of a request in another language.

    Empty for an English request, and where no word is known.
    """
    text = unicodedata.normalize("NFC", text)
    if text.isascii() and not _worth_a_look(text):
        return ""
    found = [word for run in _UNSPACED_RUN.findall(text) for word in _within(run)]
    # The parts of a compound are tried at each cut
    tokens = [fold(token[: limits.MAX_WORD]) for token in _TOKEN.findall(text)]
    language = _language([token for token in tokens if len(token) > 1])
    if language:
        found += [word for token in tokens for word in _dictionary(language).look_up(token)]
    return " ".join(dict.fromkeys(found))


def _worth_a_look(text: str) -> bool:
    """Whether the text has a word that English lacks; checked before any dictionary is read."""
    return any(map(_unknown, map(fold, _TOKEN.findall(text))))


def _unknown(word: str) -> bool:
    return len(word) > 1 and word not in known_words() and word not in stop_words()


def _language(words: list[str]) -> str:
    """The language with the most small words and entries in the text, unless English has as many."""
    english = sum(word in stop_words() for word in words)
    scores: Counter[str] = Counter()
    for language in _SPACED:
        small, dictionary = _function_words()[language], _dictionary(language)
        scores[language] = sum(
            word in small or word in dictionary.forms or (_unknown(word) and bool(dictionary.look_up(word)))
            for word in words
        )
    best, score = max(scores.items(), key=lambda item: item[1], default=("", 0))
    foreign = any(map(_unknown, words))
    return best if score > english and score >= min(2, len(words)) and foreign else ""


def _within(run: str) -> list[str]:
    """Words of a script without blanks: the longest entry at each position."""
    found: list[str] = []
    at = 0
    folded = fold(run)
    while at < len(folded):
        for length in range(min(_LONGEST, len(folded) - at), 1, -1):
            entry = _unspaced().get(folded[at : at + length])
            if entry:
                found += entry
                at += length
                break
        else:
            at += 1
    return found


@cache
def _function_words() -> dict[str, frozenset[str]]:
    lists = tomllib.loads((FOLDER / "function_words.toml").read_text("utf-8"))
    return {language: frozenset(map(fold, words.split())) for language, words in lists.items()}


@cache
def _dictionary(language: str) -> Dictionary:
    forms: dict[str, tuple[str, ...]] = {}
    stems: dict[str, tuple[str, ...]] = {}
    stemmer = _stemmer(language)
    for line in (FOLDER / f"{language}.tsv").read_text("utf-8").splitlines():
        english, _, others = line.partition("\t")
        for form in map(_longest_part, map(fold, others.split())):
            forms[form] = (*forms.get(form, ()), english)
            if stemmer is not None:
                stems.setdefault(stemmer.stemWord(form), (english,))
    return Dictionary(forms, stems, stemmer, language in _COMPOUNDING)


def _longest_part(form: str) -> str:
    """The longest part of a hyphenated word: `rendez-vous` is tokenized as two words."""
    return max(form.split("-"), key=len)


@cache
def _unspaced() -> dict[str, tuple[str, ...]]:
    """The entries of the scripts without blanks; what both Chinese and Japanese write is taken as Chinese."""
    found: dict[str, tuple[str, ...]] = {}
    for language in _UNSPACED:
        for form, english in _dictionary(language).forms.items():
            found.setdefault(form, english)
    return found


@cache
def _stemmer(language: str) -> "Stemmer.Stemmer | None":
    return Stemmer.Stemmer(_SPACED[language]) if language in _SPACED else None
