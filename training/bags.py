"""Texts as weighted rows of the table, stored flat, so that a batch of texts is one sum of rows."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from toolbooth.catalog import Tool
from toolbooth.search.fields import field_texts
from toolbooth.search.literals import take_apart
from toolbooth.search.static_table import FIELD_WEIGHTS, LITERALS
from toolbooth.search.vocabulary import WordPieces
from training.vocabulary import words_of

_LONGEST: Final = 80  # rows of a field: those after them add little


class Batch(NamedTuple):
    """Rows, weights and the start of each text, as `embedding_bag` takes them."""

    rows: torch.Tensor
    weights: torch.Tensor
    starts: torch.Tensor


class Bags:
    """Many texts; `take` selects some of them as a batch."""

    def __init__(self, texts: Iterable[tuple[Sequence[int], Sequence[float]]]) -> None:
        found = list(texts)
        self._sizes = np.array([len(rows) for rows, _ in found], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)])
        self._rows = np.concatenate([np.zeros(0, np.int64), *[np.array(r, np.int64) for r, _ in found]])
        self._weights = np.concatenate(
            [np.zeros(0, np.float32), *[np.array(w, np.float32) for _, w in found]]
        )

    def __len__(self) -> int:
        return len(self._sizes)

    def take(self, which: NDArray[np.int64]) -> Batch:
        """The texts with these numbers, in this order."""
        sizes = self._sizes[which]
        starts = np.cumsum(sizes) - sizes
        at = np.repeat(self._starts[which] - starts, sizes) + np.arange(sizes.sum())
        return Batch(
            torch.from_numpy(self._rows[at]), torch.from_numpy(self._weights[at]), torch.from_numpy(starts)
        )


def plain_bag(text: str, pieces: WordPieces) -> tuple[list[int], list[float]]:
    """A text, read as a field of a tool."""
    rows = pieces.of_text(words_of(text, pieces))[:_LONGEST]
    return rows, [1.0] * len(rows)


def query_bag(text: str, pieces: WordPieces) -> tuple[list[int], list[float]]:
    """A text, read as a request: literal values in it count less."""
    plain, literal = take_apart(text)
    asked, values = (pieces.of_text(words_of(part, pieces))[:_LONGEST] for part in (plain, literal))
    return asked + values, [1.0] * len(asked) + [LITERALS] * len(values)


class ToolBags:
    """The fields of tools, each a bag, with their weights at run time."""

    def __init__(self, tools: Sequence[Tool], abouts: Sequence[str], pieces: WordPieces) -> None:
        texts = [field_texts(tool) for tool in tools]
        fields = [[each[at] for each in texts] for at in range(4)] + [list(abouts)]
        self.fields = [_unique(field, pieces) for field in fields]
        self.weights = FIELD_WEIGHTS

    def take(self, which: NDArray[np.int64]) -> list[Batch]:
        """A batch for each field of these tools."""
        return [bags.take(numbers[which]) for bags, numbers in self.fields]


def _unique(texts: Sequence[str], pieces: WordPieces) -> tuple[Bags, NDArray[np.int64]]:
    """Each text once (all tools of a server share its description), and the index of each tool's text."""
    numbers = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return Bags(plain_bag(text, pieces) for text in numbers), np.array([numbers[text] for text in texts])
