"""The vocabulary of a word-vector table, read from `tokenizer.json`: its pieces, their rows and its known words."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise

import orjson

MODEL = files("toolbooth.search") / "model"
_CONTINUED = "##"


class WordPieces:
    """Word pieces and their rows.

    A piece inside a word begins with `##`; one with a blank is a phrase of two words.
    """

    def __init__(self, rows: dict[str, int]) -> None:
        self.rows = rows

    @cached_property
    def known(self) -> frozenset[str]:
        """Whole words that are neither misspellings nor compounds: `github` is one, `isue` is not."""
        return frozenset(piece for piece in self.rows if len(piece) > 2 and piece.isalpha())

    def of_word(self, word: str) -> list[int]:
        """Greedy WordPiece: the rows of the longest pieces from left to right; unknown parts are dropped."""
        return split_word(word, self.rows)

    def phrases(self, words: Sequence[str]) -> list[int]:
        """The rows of neighbouring words that mean more together than apart: `pull request`."""
        if not self._has_phrases:
            return []
        found = (self.rows.get(f"{one} {other}") for one, other in pairwise(words))
        return [row for row in found if row is not None]

    def of_text(self, words: Iterable[str]) -> list[int]:
        """The rows of all words and phrases of a text."""
        each = list(words)
        return [row for word in each for row in self.of_word(word)] + self.phrases(each)

    @cached_property
    def _has_phrases(self) -> bool:
        return any(" " in piece for piece in self.rows)


def read_pieces(folder: Traversable) -> WordPieces:
    """Read the vocabulary of a model's folder."""
    document = orjson.loads((folder / "tokenizer.json").read_bytes())
    return WordPieces(document["model"]["vocab"])


@cache
def word_pieces() -> WordPieces:
    """The pieces of the table in the package."""
    return read_pieces(MODEL)


def known_words() -> frozenset[str]:
    """The whole words of the table in the package."""
    return word_pieces().known


def split_word(word: str, pieces: dict[str, int]) -> list[int]:
    """Greedy WordPiece over a plain mapping."""
    rows: list[int] = []
    start = 0
    while start < len(word):
        prefix = _CONTINUED if start else ""
        for end in range(len(word), start, -1):
            row = pieces.get(prefix + word[start:end])
            if row is not None:
                rows.append(row)
                start = end
                break
        else:
            start += 1
    return rows
