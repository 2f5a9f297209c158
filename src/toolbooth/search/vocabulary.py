"""The table's `tokenizer.json` → word pieces with their rows, and the whole words it knows."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import orjson

MODEL = files("toolbooth.search") / "model"
_CONTINUED = "##"


def read_pieces(folder: Traversable) -> dict[str, int]:
    """Every piece of a model's vocabulary and its row; a piece inside a word begins with `##`."""
    document = orjson.loads((folder / "tokenizer.json").read_bytes())
    pieces: dict[str, int] = document["model"]["vocab"]
    return pieces


@cache
def word_pieces() -> dict[str, int]:
    """The pieces of the table in the package."""
    return read_pieces(MODEL)


@cache
def known_words() -> frozenset[str]:
    """Whole words that are no typing mistake and no compound: `github` is one word, `isue` is none."""
    return frozenset(piece for piece in word_pieces() if len(piece) > 2 and piece.isalpha())


def split_word(word: str, pieces: dict[str, int]) -> list[int]:
    """Greedy WordPiece: rows of the longest pieces from left to right; what is unknown is dropped."""
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
