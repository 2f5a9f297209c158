"""The result of a search: hits with their reasons, corrected words and terms to try."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from toolbooth import catalog
from toolbooth.search.fields import Field
from toolbooth.search.query import Tier

TELLING: Final = 0.2  # a cosine below this is chance


@dataclass(frozen=True)
class Why:
    """Why a tool was found.

    `tiers` is a subset of: name (the query is its name), word, synonym, substring, repaired, semantic. `lexical` is
    BM25F in units of one perfectly distinctive word; `semantic` is the cosine.
    """

    fields: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    lexical: float = 0.0
    semantic: float = 0.0
    usage_boost: float = 0.0


@dataclass(frozen=True)
class Hit:
    """One tool with its relevance, 0 to 1, and the reasons."""

    tool: catalog.Tool
    score: float
    why: Why


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True)
class SearchResult:
    """Hits from best to worst.

    `corrected` maps typed words to the words searched for. `try_also` has up to three distinctive terms from the
    neighbourhood of the hits. `nearest` has the nearest terms of the catalog where nothing is relevant.
    """

    hits: tuple[Hit, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=_nothing)
    try_also: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


def explain(marks: int, lexical: float, semantic: float, boost: float, named: bool) -> Why:
    """Turn bits and scores into reasons."""
    fields, found_by = _reasons(marks)
    by_name = ("name",) if named else ()
    by_meaning = ("semantic",) if semantic >= TELLING else ()
    return Why(
        fields=fields,
        tiers=(*by_name, *found_by, *by_meaning),
        lexical=round(lexical, 4),
        semantic=round(semantic, 4),
        usage_boost=round(boost, 4),
    )


@lru_cache(maxsize=1024)
def _reasons(marks: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the fields and of the tiers whose bits are set."""
    fields = tuple(each.name.lower() for each in Field if marks >> each & 1)
    return fields, tuple(str(tier.name).lower() for tier in Tier if marks & tier)
