"""The analysed words and vectors of one server's tools, reused until that server changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from toolbooth import catalog, limits
from toolbooth.search.analysis import flat, squeeze, stem, stop_words
from toolbooth.search.fields import Field, field_texts

_OWN_FIELDS = Field.DESCRIPTION + 1
Floats = NDArray[np.float32]
Numbers = NDArray[np.intp]
Places = NDArray[np.int32]


class Occurrences(NamedTuple):
    """How often each term occurs in each field of each tool.

    A catalog has millions of entries, so that each takes only eleven bytes.
    """

    terms: Places
    tools: Places
    fields: NDArray[np.uint8]
    counts: NDArray[np.uint16]


class Lexicon(NamedTuple):
    """The words of a block and their stems, one a line: as lists they would take four times the memory.

    A term is the number of a stem. `terms` has the term of each word; `surfaces` has, for each term, the number of its
    shortest word, which is what a person would type.
    """

    stems: str
    words: str
    terms: Places
    surfaces: Places


@dataclass(frozen=True, eq=False)
class Block:
    """One server's part of the index; terms and tools are numbered within the block.

    `names` has two hashes for each tool: of its name and of its id. `occurrences` are ordered by tool.
    """

    server: str
    tools: tuple[catalog.Tool, ...]
    lexicon: Lexicon
    occurrences: Occurrences
    lengths: Floats  # by field and tool, in words
    names: NDArray[np.uint32]
    vectors: Floats | None

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each term."""
        return tuple(self.stem_lines())

    def stem_lines(self) -> list[str]:
        """The stems of each line. They are not cached: only joining all blocks needs them, once."""
        return self.lexicon.stems.split("\n") if len(self.lexicon.surfaces) else []

    def words(self) -> list[str]:
        """Every surface word."""
        return self.lexicon.words.split("\n") if len(self.lexicon.terms) else []

    @cached_property
    def terms(self) -> dict[str, int]:
        """The term of each stem."""
        return {stem: term for term, stem in enumerate(self.stems)}

    @cached_property
    def surfaces(self) -> tuple[str, ...]:
        """The shortest word of every term."""
        words = self.words()
        return tuple(words[at] for at in self.lexicon.surfaces.tolist())

    def own_stems(self, tool: int) -> set[str]:
        """The stems of a tool's name, server and description."""
        terms, starts = self._own_terms
        return {self.stems[term] for term in terms[starts[tool] : starts[tool + 1]]}

    @cached_property
    def _own_terms(self) -> tuple[list[int], list[int]]:
        """The terms of the names, servers and descriptions of all tools, and where those of each tool begin."""
        own = self.occurrences.fields < _OWN_FIELDS
        ends = np.arange(len(self.tools) + 1, dtype=np.int32)
        return self.occurrences.terms[own].tolist(), self.occurrences.tools[own].searchsorted(ends).tolist()


def make_block(server: str, tools: Sequence[catalog.Tool], about: str, vectors: Floats | None) -> Block:
    """Analyse every field of every tool; the text about the server itself is analysed only once."""
    numbering = _Numbering()
    said = numbering.numbers(about[: limits.MAX_ABOUT])
    rows = [[*map(numbering.numbers, field_texts(tool)), said] for tool in tools]
    lengths = np.array([[len(numbers) for numbers in row] for row in rows], np.float32)
    return Block(
        server=server,
        tools=tuple(tools),
        lexicon=numbering.lexicon(),
        occurrences=_count(rows, len(numbering.terms)),
        lengths=lengths.reshape(len(tools), len(Field)).T,
        names=np.array(
            [[name_hash(squeeze(tool.name)), name_hash(squeeze(tool.id))] for tool in tools], np.uint32
        ).reshape(len(tools), 2),
        vectors=vectors,
    )


def name_hash(squeezed: str) -> int:
    """The hash of a squeezed name or id."""
    return crc32(squeezed.encode("utf-8", "surrogatepass"))


class _Numbering:
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

    def lexicon(self) -> Lexicon:
        places = {word: place for place, word in enumerate(self.words)}
        return Lexicon(
            "\n".join(self.terms),
            "\n".join(self.words),
            np.array(list(self.words.values()), np.int32),
            np.array([places[word] for word in self.surfaces], np.int32),
        )


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
