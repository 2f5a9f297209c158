"""The analysed words and vectors of one server's tools, reused until that server changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth import catalog, limits
from toolbooth.search.analysis import flat, stem, stop_words
from toolbooth.search.fields import Field, field_texts

_OWN_FIELDS = Field.DESCRIPTION + 1
Floats = NDArray[np.float32]
Numbers = NDArray[np.intp]


class Occurrences(NamedTuple):
    """How often each term occurs in each field of each tool.

    A catalog has millions of entries, so that each takes only eleven bytes.
    """

    terms: NDArray[np.int32]
    tools: NDArray[np.int32]
    fields: NDArray[np.uint8]
    counts: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Block:
    """One server's part of the index; terms are numbered within the block."""

    server: str
    tools: tuple[catalog.Tool, ...]
    words: dict[str, int]  # the term of each surface word
    terms: dict[str, int]  # the term of each stem
    surfaces: tuple[str, ...]  # the shortest word of every term, which is what a person would type
    own_stems: tuple[tuple[str, ...], ...]  # for each tool: the stems of its name, server and description
    occurrences: Occurrences
    lengths: Floats  # by field and tool, in words
    vectors: Floats | None


def make_block(server: str, tools: Sequence[catalog.Tool], about: str, vectors: Floats | None) -> Block:
    """Analyse every field of every tool; the text about the server itself is analysed only once."""
    lexicon = _Lexicon()
    said = lexicon.numbers(about[: limits.MAX_ABOUT])
    rows = [[*map(lexicon.numbers, field_texts(tool)), said] for tool in tools]
    lengths = np.array([[len(numbers) for numbers in row] for row in rows], np.float32)
    stems = list(lexicon.terms)
    return Block(
        server=server,
        tools=tuple(tools),
        words=lexicon.words,
        terms=lexicon.terms,
        surfaces=tuple(lexicon.surfaces),
        own_stems=tuple(
            tuple({stems[term] for numbers in row[:_OWN_FIELDS] for term in numbers}) for row in rows
        ),
        occurrences=_count(rows, len(stems)),
        lengths=lengths.reshape(len(tools), len(Field)).T,
        vectors=vectors,
    )


class _Lexicon:
    """Numbers words by their stem; stop words count only where a text has no other word (a tool named `about`)."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.terms: dict[str, int] = {}
        self.surfaces: list[str] = []

    def numbers(self, text: str) -> list[int]:
        words, stop = flat(text), stop_words()
        return [self._number(word) for word in [word for word in words if word not in stop] or words]

    def _number(self, word: str) -> int:
        number = self.words.get(word)
        if number is None:
            number = self.words[word] = self.terms.setdefault(stem(word), len(self.terms))
            if number == len(self.surfaces):
                self.surfaces.append(word)
            self.surfaces[number] = min(self.surfaces[number], word, key=lambda each: (len(each), each))
        return number


def _count(rows: Sequence[Sequence[list[int]]], terms: int) -> Occurrences:
    """The term, tool, field and count of every word of every field; each combination occurs once."""
    sizes = [len(numbers) for row in rows for numbers in row]
    numbers = np.fromiter(chain.from_iterable(chain.from_iterable(rows)), np.int64, sum(sizes))
    cells = np.repeat(np.arange(len(sizes)), sizes)  # tool × field
    keys, counts = np.unique(cells * max(terms, 1) + numbers, return_counts=True)
    cells, numbers = np.divmod(keys, max(terms, 1))
    tools, fields = np.divmod(cells, len(Field))
    return Occurrences(
        numbers.astype(np.int32), tools.astype(np.int32), fields.astype(np.uint8), counts.astype(np.uint16)
    )
