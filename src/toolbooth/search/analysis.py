"""The analysis of text into comparable words.

It splits identifiers, folds case and accents, marks stop words, finds stems and cuts Chinese, Japanese and Korean text
into pairs of characters.
"""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import Stemmer  # type: ignore[import-not-found]

from toolbooth import limits
from toolbooth.search.vocabulary import known_words

__all__ = ["flat", "fold", "split", "stem", "stop_words"]

WORDS = files("toolbooth.search") / "words"
# Vowel signs of Hebrew, Arabic and the Indic scripts are not matched by `\w`, yet belong to their word.
_MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f"
    r"\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0e00-\u0eff\u1000-\u109f"
)
_TOKEN = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS_THEN_DIGITS = re.compile(r"([a-z]{3,})\d+")
# Scripts written without spaces: a pair of characters counts as a word.
_CJK = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(rf"([{_CJK}]+)|[^{_CJK}]+")
_stemmer = Stemmer.Stemmer("english")


class Word(NamedTuple):
    """One run of letters and digits: the whole, and its parts where it is a compound identifier."""

    whole: str
    parts: tuple[str, ...] = ()


def fold(text: str) -> str:
    """Lower case without accents; compatibility forms (full width, ligatures) become plain ones."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return unicodedata.normalize("NFKC", kept).lower()


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing about a tool."""
    return frozenset((WORDS / "stop_words.txt").read_text("utf-8").split())


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The English Snowball stem; words of other scripts stay as they are."""
    return str(_stemmer.stemWord(word)) if word.isascii() else word


def split(text: str, known: frozenset[str] | None = None) -> list[Word]:
    """The words of a text in order; a compound that is a `known` word (by default one of the table) stays whole."""
    kept = known_words() if known is None else known
    found: list[Word] = []
    for token in _TOKEN.findall(text):
        whole, words = _split_token(token[: limits.MAX_WORD])
        if whole.whole in kept:
            found.append(whole)
        else:
            found += words
    return found


def flat(text: str) -> list[str]:
    """Every word of a text as an index holds it: the compounds and their parts."""
    found: list[str] = []
    for whole, parts in split(text):
        found += parts
        found.append(whole)
    return found


def squeeze(text: str) -> str:
    """Letters and digits only, folded: equal for `read_file`, `readFile` and `Read file`."""
    return fold("".join(_TOKEN.findall(text)))


@lru_cache(maxsize=1 << 16)
def _split_token(token: str) -> tuple[Word, tuple[Word, ...]]:
    """A token as one word, cut into its parts unless the whole is a known word."""
    whole = fold(token)
    if not whole.isascii() and any(run[1] for run in _RUN.finditer(whole)):
        return Word(whole), tuple(Word(piece) for run in _RUN.finditer(whole) for piece in _pieces(run))
    parts = [fold(part) for part in _CAMEL.split(token)]
    parts = [piece for part in parts for piece in _without_digits(part)]
    return Word(whole), (Word(whole, tuple(parts) if parts != [whole] else ()),)


def _pieces(run: re.Match[str]) -> list[str]:
    unspaced = run[1]
    return [unspaced[at : at + 2] for at in range(max(1, len(unspaced) - 1))] if unspaced else [run[0]]


def _without_digits(part: str) -> list[str]:
    """`server2` is also found as `server`."""
    match = _LETTERS_THEN_DIGITS.fullmatch(part)
    return [match[1]] if match else [part]
