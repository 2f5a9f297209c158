"""The pieces, whole words and phrases of the table, from training texts and the teacher's tokens."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from toolbooth.search.analysis import split, stop_words
from toolbooth.search.vocabulary import WordPieces

_PIECE: Final = re.compile(r"(?:##)?[a-z0-9]+")
_WORD: Final = re.compile(r"[a-z]{3,24}")
_MIN_WORD: Final = 3  # servers, or written requests, that must contain a word before it gets its own row
_MIN_PHRASE: Final = 6
_RARE: Final = 20
_BOUND: Final = 2.5  # nats by which the words of a phrase occur together more often than by chance


class Vocabulary(NamedTuple):
    """The pieces in the order of their rows, and how often each occurs in the training texts."""

    pieces: WordPieces
    counts: list[int]

    def rare(self) -> list[str]:
        """Whole words that occur in few of the texts, or in none."""
        counted = zip(self.pieces.rows, self.counts, strict=True)
        return [piece for piece, often in counted if often < _RARE and piece in self.pieces.known]


def words_of(text: str, pieces: WordPieces) -> list[str]:
    """The words of a text, as the table reads it."""
    return [part for word in split(text, pieces.known) for part in word.parts or (word.whole,)]


def make_vocabulary(
    texts: Sequence[str], groups: Iterable[Sequence[str]], teacher: Iterable[str], size: int, phrases: int
) -> Vocabulary:
    """The teacher's Latin pieces, whole words that it would split, and pairs of words that belong together.

    `groups` are natural texts, one per server or request: a word that only one server uses often is not general.
    """
    base = [piece for piece in teacher if _PIECE.fullmatch(piece)]
    start = WordPieces({piece: row for row, piece in enumerate(base)})
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for group in groups:
        found = [words_of(text, start) for text in group]
        words.update({word for text in found for word in text})
        pairs.update({each for text in found for each in pairwise(text)})
    whole = [word for word, often in words.most_common() if _missing(word, often, start)]
    bound = _bound(pairs, words)[:phrases]
    full = WordPieces({piece: row for row, piece in enumerate([*base, *whole, *bound])})
    used = Counter(row for text in texts for row in full.of_text(words_of(text, full)))
    kept = _kept(list(full.rows), used, full, size)
    pieces = WordPieces({piece: row for row, piece in enumerate(kept)})
    return Vocabulary(pieces, [used[full.rows[piece]] for piece in kept])


def _missing(word: str, often: int, start: WordPieces) -> bool:
    return often >= _MIN_WORD and bool(_WORD.fullmatch(word)) and word not in start.rows


def _bound(pairs: Counter[tuple[str, str]], words: Counter[str]) -> list[str]:
    """Pairs of distinctive words, the most frequent first."""
    total = sum(words.values())
    worth = []
    for (one, other), often in pairs.items():
        if often < _MIN_PHRASE or not (_tells(one) and _tells(other)) or one == other:
            continue
        tied = math.log(often * total / (words[one] * words[other]))
        if tied >= _BOUND:
            worth.append((-often * tied, f"{one} {other}"))
    return [phrase for _, phrase in sorted(worth)]


def _tells(word: str) -> bool:
    return bool(_WORD.fullmatch(word)) and word not in stop_words()


def _kept(pieces: list[str], used: Counter[int], full: WordPieces, size: int) -> list[str]:
    """All pieces that the texts use; then the teacher's own words in its order, which is by frequency."""
    often = [piece for piece in pieces if used[full.rows[piece]] > 0 or len(piece.removeprefix("##")) == 1]
    rest = [piece for piece in pieces if used[full.rows[piece]] == 0 and _WORD.fullmatch(piece)]
    chosen = set((often + rest)[:size]) if len(often) <= size else set(_commonest(often, used, full, size))
    return [piece for piece in pieces if piece in chosen]


def _commonest(pieces: list[str], used: Counter[int], full: WordPieces, size: int) -> list[str]:
    single = [piece for piece in pieces if len(piece.removeprefix("##")) == 1]
    others = [piece for piece in pieces if len(piece.removeprefix("##")) > 1]
    return single + sorted(others, key=lambda piece: -used[full.rows[piece]])[: size - len(single)]
