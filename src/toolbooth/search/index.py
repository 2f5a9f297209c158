"""The immutable index over the blocks of all servers: postings with BM25F impacts, vectors and names."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth import catalog
from toolbooth.search import analysis
from toolbooth.search.block import Block, Floats, Numbers, Occurrences, Places, name_hash
from toolbooth.search.fields import Field

# Chosen on a plateau over eight question sets: halving or doubling any one of them moves the mean by < .004.
_WEIGHTS: Final = np.array([2.0, 2.0, 1.2, 0.5, 0.4, 0.4], np.float32)
_LENGTH: Final = np.array([0.5, 0.3, 0.75, 0.6, 0.6, 0.6], np.float32)  # how much a long field is penalised
_SATURATION: Final = 1.0
_HELD: Final = np.array(0xFFFF, np.uint16)
Bits = NDArray[np.uint16]


_COMMON: Final = (
    10  # a term that every tenth tool holds is stored as a full row: adding rows beats scattering
)


class Postings(NamedTuple):
    """The tools that hold a term (all tools for a full row), how strongly (0 to 1), and in which fields.

    `fields` has one bit per field; `held` is all ones where the term is held.
    """

    tools: Numbers | slice
    impacts: Floats
    fields: Bits
    held: Bits


class Index:
    """Everything that a search reads.

    It never changes: a changed server leads to a new index that reuses the blocks of the others.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        self.vectors = self._join_vectors()
        self.tools: tuple[catalog.Tool, ...] = tuple(tool for block in self.blocks for tool in block.tools)
        sizes = [len(block.tools) for block in self.blocks]
        self.starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])
        self.server_of = np.repeat(np.arange(len(sizes)), sizes)
        self.terms: dict[str, int] = {}
        self._rows: dict[int, Postings] = {}
        self.numbers: list[NDArray[np.int32]] = []  # for each block: the index's number of each of its terms
        offsets = self._fill_postings()
        self._offsets: list[int] = offsets.tolist()
        held = np.append(np.diff(offsets), 0)
        idfs: list[float] = np.log(1 + (len(self.tools) - held + 0.5) / (held + 0.5)).tolist()
        *self._idfs, self._unheld_idf = idfs
        self.top_idf = math.log(1 + max(len(self.tools), 1))

    def __len__(self) -> int:
        return len(self.tools)

    def postings(self, term: int) -> Postings:
        """The postings of a term."""
        if self.held(term) * _COMMON > len(self.tools):
            if term not in self._rows:
                self._rows[term] = self._full_row(term)
            return self._rows[term]
        return self._sparse(term)

    def held(self, term: int) -> int:
        """How many tools hold a term."""
        return self._offsets[term + 1] - self._offsets[term]

    def idf(self, term: int | None) -> float:
        """How rare a term is; a word that no tool holds counts as the rarest."""
        return self._unheld_idf if term is None else self._idfs[term]

    @cached_property
    def words(self) -> dict[str, int]:
        """Every surface word and its term."""
        return {
            word: term
            for block, numbers in zip(self.blocks, self.numbers, strict=True)
            for word, term in zip(block.words(), numbers[block.lexicon.terms].tolist(), strict=True)
        }

    def named(self, squeezed: str) -> list[int]:
        """The tools whose squeezed name or id is this one."""
        wanted = np.uint32(name_hash(squeezed))
        hashes, tools = self._names
        part = slice(hashes.searchsorted(wanted), hashes.searchsorted(wanted, "right"))
        alike = sorted(set(tools[part].tolist())) if squeezed else []
        return [
            at
            for at in alike
            if squeezed in (analysis.squeeze(self.tools[at].name), analysis.squeeze(self.tools[at].id))
        ]

    @cached_property
    def _names(self) -> tuple[NDArray[np.uint32], Numbers]:
        """The hashes of all names in their order, each with its tool: a dictionary takes .4 s at 100,000 tools."""
        hashes = _concat([block.names.ravel() for block in self.blocks], np.uint32)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], order // 2

    @cached_property
    def read_only(self) -> NDArray[np.bool_]:
        """Tools that say they change nothing."""
        return np.array([_hint(tool, "readOnlyHint") is True for tool in self.tools], np.bool_)

    @cached_property
    def not_destructive(self) -> NDArray[np.bool_]:
        """Tools that say they destroy nothing; by the protocol, a tool without the hint is destructive."""
        said = np.array([_hint(tool, "destructiveHint") is False for tool in self.tools], np.bool_)
        return self.read_only | said

    @cached_property
    def ids_in_order(self) -> NDArray[np.intp]:
        """The position of every tool in the order of ids, which decides ties."""
        order = sorted(range(len(self.tools)), key=lambda number: self.tools[number].id)
        places = np.empty(len(order), np.intp)
        places[order] = np.arange(len(order))
        return places

    def _join_vectors(self) -> Floats | None:
        """One row per tool, or nothing without an embedder; afterwards the blocks are views of the one matrix."""
        rows = [block.vectors for block in self.blocks if block.vectors is not None]
        if not rows or len(rows) < len(self.blocks):
            return None
        joined = np.concatenate(rows)
        parts = np.split(joined, np.cumsum([len(each) for each in rows])[:-1])
        self.blocks = tuple(
            replace(block, vectors=part) for block, part in zip(self.blocks, parts, strict=True)
        )
        return joined

    def _sparse(self, term: int) -> Postings:
        part = slice(self._offsets[term], self._offsets[term + 1])
        return Postings(self._tools[part], self._impacts[part], self._fields[part], _HELD)

    def _full_row(self, term: int) -> Postings:
        tools, impacts, fields, _ = self._sparse(term)
        size = len(self)
        row = Postings(
            slice(None), np.zeros(size, np.float32), np.zeros(size, np.uint16), np.zeros(size, np.uint16)
        )
        row.impacts[tools], row.fields[tools], row.held[tools] = impacts, fields, _HELD
        return row

    def _fill_postings(self) -> Numbers:
        """Sum the occurrences to one posting per term and tool; returns where each term's postings begin."""
        terms, tools, fields, counts = self._joined()
        lengths = np.concatenate(
            [np.zeros((len(Field), 0), np.float32), *[b.lengths for b in self.blocks]], axis=1
        )
        mean = np.maximum(lengths.mean(axis=1), 1e-6) if len(self.tools) else np.ones(len(Field), np.float32)
        penalties = 1 - _LENGTH[:, None] + _LENGTH[:, None] * (lengths / mean[:, None])
        parts = _WEIGHTS[fields] * counts / penalties[fields, tools]
        first = np.flatnonzero(_changes(terms) | _changes(tools))
        strength = np.add.reduceat(parts, first) if len(first) else np.zeros(0)
        self._impacts: Floats = (strength / (_SATURATION + strength)).astype(np.float32)
        bits = np.left_shift(np.uint16(1), fields, dtype=np.uint16)
        self._fields = np.bitwise_or.reduceat(bits, first) if len(first) else bits
        self._tools = tools[first].astype(np.intp)
        return np.searchsorted(terms[first], np.arange(len(self.terms) + 1, dtype=np.int32))

    def _joined(self) -> Occurrences:
        """The occurrences of every block, with terms and tools numbered across all of them, by term, tool and field."""
        for block in self.blocks:
            numbers = [self.terms.setdefault(term, len(self.terms)) for term in block.stem_lines()]
            self.numbers.append(np.array(numbers, np.int32))
        found = [block.occurrences for block in self.blocks]
        starts = [np.int32(start) for start in self.starts[:-1]]
        terms = _concat([own[each.terms] for own, each in zip(self.numbers, found, strict=True)], np.int32)
        order = _order_of(terms)
        return Occurrences(
            terms[order],
            _concat([each.tools + start for each, start in zip(found, starts, strict=True)], np.int32)[order],
            _concat([each.fields for each in found], np.uint8)[order],
            _concat([each.counts for each in found], np.uint16)[order],
        )


def _order_of(terms: Places) -> Numbers:
    """A stable order by term. numpy sorts 16 bits by radix, which takes a fifth of the time of one sort of int64."""
    low = np.argsort(terms.astype(np.uint16), kind="stable")
    high = (terms >> 16).astype(np.uint16)
    return low[np.argsort(high[low], kind="stable")] if high.any() else low


def _changes(numbers: Places) -> NDArray[np.bool_]:
    """Where a number differs from the one before it."""
    changes: NDArray[np.bool_] = np.diff(numbers, prepend=np.int32(-1)) != 0
    return changes


def _concat(parts: list[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts])


def _hint(tool: catalog.Tool, name: str) -> Any:
    return tool.annotations.get(name) if isinstance(tool.annotations, Mapping) else None
