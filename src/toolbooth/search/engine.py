"""The search engine: it holds the tools of all servers and ranks them for a query, with reasons."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from toolbooth import limits
from toolbooth.catalog import Catalog, Tool
from toolbooth.search import fusion, ranking, relevance, result, static_table, stored_block, suggest
from toolbooth.search.block import Block, Floats, Numbers, make_block
from toolbooth.search.embedder import Embedder
from toolbooth.search.fusion import Lexical, score_words
from toolbooth.search.index import Index
from toolbooth.search.query import Query, QueryReader
from toolbooth.search.steps import steps_of

_DEFAULT: Final = static_table.StaticTable()  # reads nothing before the first tool or query
_CONSIDERED: Final = 10  # best hits that are evidence that the catalog can serve a query at all


class _State(NamedTuple):
    joined: Index
    reader: QueryReader


class _Scores(NamedTuple):
    lexical: Lexical
    semantic: Floats | None
    fused: Floats


class SearchEngine:
    """Holds one block per server; a search sees all of them as one index.

    With `embedder=None` it searches by words alone.
    """

    def __init__(self, embedder: Embedder | None = _DEFAULT) -> None:
        self.embedder = embedder
        self._blocks: dict[str, Block] = {}
        self._joined: _State | None = None

    @classmethod
    def of(cls, catalog: Catalog, embedder: Embedder | None = _DEFAULT) -> Self:
        """An engine that holds a whole catalog."""
        engine = cls(embedder)
        for each in catalog.servers:
            about = " ".join(part for part in (each.title, each.description, each.instructions) if part)
            engine.replace_server(each.server, each.tools, about)
        return engine

    def replace_server(
        self, server: str, tools: Iterable[Tool], about: str = "", stored: bytes | memoryview | None = None
    ) -> bool:
        """Replace all tools of a server; the blocks of the other servers are reused.

        `about` is what the server says about itself. `stored` is what `stored` returned for the same tools and the same
        `about`. Returns whether nothing had to be made anew: what cannot be used of it is as if it were not there.
        """
        once = tuple({tool.name: tool for tool in reversed(tuple(tools))}.values())[::-1]
        words, vectors = self._restored(server, once, stored)
        used = words is not None and (vectors is not None or self.embedder is None or not once)
        if vectors is None and self.embedder is not None:
            vectors = self.embedder.embed_tools(once, about)
        made = words or make_block(server, once, about, None)
        self._blocks[server] = replace(made, vectors=vectors)
        self._joined = None
        return used

    def _restored(
        self, server: str, tools: tuple[Tool, ...], stored: bytes | memoryview | None
    ) -> stored_block.Restored:
        nothing = stored_block.Restored(None, None)
        if stored is None:
            return nothing
        try:
            words, vectors = stored_block.from_bytes(stored, server, tools, self._embedder_name)
        except stored_block.UnusableBlock:
            return nothing
        if self.embedder is None or (vectors is not None and vectors.shape[1] != self.embedder.dimensions):
            vectors = None
        return stored_block.Restored(words, vectors)

    @property
    def _embedder_name(self) -> str:
        return "" if self.embedder is None else self.embedder.name

    @property
    def joined(self) -> bool:
        """Whether a search reads an index that is there, because no server has changed since the last one."""
        return self._joined is not None

    def remove_server(self, server: str) -> None:
        """Forget a server; an unknown name is ignored."""
        if self._blocks.pop(server, None) is not None:
            self._joined = None

    def stored(self, server: str) -> bytes | None:
        """What was made of a server's tools, as bytes to be kept and passed back later."""
        block = self._blocks.get(server)
        return None if block is None else stored_block.as_bytes(block, self._embedder_name)

    def vectors(self, server: str) -> Floats | None:
        """The vectors of a server's tools."""
        block = self._blocks.get(server)
        return None if block is None else block.vectors

    def search(
        self,
        query: str,
        limit: int = 8,
        *,
        server: str | None = None,
        read_only: bool = False,
        not_destructive: bool = False,
        usage: Mapping[str, int] | None = None,
    ) -> result.SearchResult:
        """The best tools for a query, or none and the nearest terms where nothing fits."""
        state = self._state()
        index = state.joined
        allowed = _filter(index, server, read_only, not_destructive)
        if limit < 1 or not len(index) or (allowed is not None and not allowed.any()):
            return result.SearchResult()
        asked = state.reader.read(query)
        scores = self._score(asked, steps_of(query[: limits.MAX_QUERY]), state)
        named = ranking.names_in(query, allowed, index)
        candidates = ranking.best_of(scores.fused, max(limit, _CONSIDERED), allowed)
        best = candidates[np.argsort(-scores.fused[candidates], kind="stable")][:_CONSIDERED]
        evidence = relevance.weigh_evidence(asked, scores.lexical, scores.semantic, best)
        corrected = MappingProxyType(asked.corrected)
        ranked = ranking.rank(scores.fused, candidates, limit, named, index, usage or {})
        behind = scores.fused[best[0]] - scores.fused[ranked.numbers] - ranked.boosts
        relevances = evidence.scores(behind)
        speaks = _speak_for_themselves(scores, ranked.numbers)
        shown = ranked.named | (relevances >= relevance.LEAST_SHOWN) & evidence.relevant & speaks
        if not shown.any():
            return result.SearchResult(
                corrected=corrected, nearest=suggest.nearest(asked, best.tolist(), index, self.embedder)
            )
        hits = _hits(index, scores, ranked, np.where(ranked.named, np.float32(1), relevances), shown)
        return result.SearchResult(
            hits, corrected, suggest.try_also(asked, ranked.numbers[shown].tolist(), index)
        )

    def strength(self, query: str) -> float | None:
        """The evidence of the best hits before it is mapped to relevance; training fits the curve to it."""
        state = self._state()
        asked = state.reader.read(query)
        scores = self._score(asked, steps_of(query[: limits.MAX_QUERY]), state)
        best = np.argsort(-scores.fused, kind="stable")[:_CONSIDERED]
        return relevance.strength(asked, scores.lexical, scores.semantic, best)

    def _state(self) -> _State:
        """The joined index, rebuilt at the first search after a change."""
        state = self._joined
        if state is None:
            index = Index(self._blocks[server] for server in sorted(self._blocks))
            self._blocks = {block.server: block for block in index.blocks}
            state = self._joined = _State(index, QueryReader(index))
        return state

    def _score(self, query: Query, steps: Sequence[str], state: _State) -> _Scores:
        index = state.joined
        lexical, semantic = self._compare(query, index)
        parts = [self._compare(state.reader.read(step), index) for step in steps]
        own = fusion.with_steps(
            fusion.own_score(lexical.scores, semantic),
            [fusion.own_score(each.scores, by) for each, by in parts],
        )
        fused = fusion.fuse(own, index)
        fused[ranking.opposed(query, index)] -= fusion.OPPOSITE
        return _Scores(lexical, semantic, fused)

    def _compare(self, query: Query, index: Index) -> tuple[Lexical, Floats | None]:
        """Scores by words, and by meaning where there is an embedder and the query is understood."""
        lexical = score_words(query, index)
        if self.embedder is None or index.vectors is None or query.only_stop_words or not query.understood:
            return lexical, None
        asked = self.embedder.embed_queries([_as_searched(query)])[0]
        # One thread: BLAS splits this over cores and waits 6 ms for a busy one; vecdot takes .1 ms.
        return lexical, np.vecdot(index.vectors, asked)


def _speak_for_themselves(scores: _Scores, numbers: Numbers) -> NDArray[np.bool_]:
    """Tools that a word or the meaning found, as opposed to those that only have fitting siblings."""
    by_word: NDArray[np.bool_] = scores.lexical.marks[numbers] > 0
    return by_word if scores.semantic is None else by_word | (scores.semantic[numbers] >= result.TELLING)


def _as_searched(query: Query) -> str:
    """The query with corrected words in the place of misspelled ones."""
    text = query.text
    for typed, meant in query.corrected.items():
        text = re.sub(rf"(?i)\b{re.escape(typed)}\b", meant, text)
    return text


def _filter(
    index: Index, server: str | None, read_only: bool, not_destructive: bool
) -> NDArray[np.bool_] | None:
    if server is None and not read_only and not not_destructive:
        return None
    allowed = np.ones(len(index), np.bool_)
    if server is not None:
        allowed &= np.array([block.server == server for block in index.blocks], np.bool_)[index.server_of]
    if read_only:
        allowed &= index.read_only
    if not_destructive:
        allowed &= index.not_destructive
    return allowed


def _hits(
    index: Index, scores: _Scores, ranked: ranking.Ranked, relevances: Floats, shown: NDArray[np.bool_]
) -> tuple[result.Hit, ...]:
    numbers = ranked.numbers[shown]
    rows = zip(
        numbers.tolist(),
        relevances[shown].tolist(),
        scores.lexical.marks[numbers].tolist(),
        scores.lexical.scores[numbers].tolist(),
        np.zeros(len(numbers)).tolist() if scores.semantic is None else scores.semantic[numbers].tolist(),
        ranked.boosts[shown].tolist(),
        ranked.named[shown].tolist(),
        strict=True,
    )
    return tuple(
        result.Hit(index.tools[at], round(score, 4), result.explain(*reasons)) for at, score, *reasons in rows
    )
