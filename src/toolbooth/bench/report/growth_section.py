"""What grows with the catalog: tokens, search time, memory, start-up."""

from msgspec import Struct


class SizePoint(Struct, frozen=True):
    """One size of catalog, measured in a process of its own. `made_up` counts tools that no server has.

    Times are CPU time of one thread: what the work takes on a core that does nothing else.
    """

    tools: int
    made_up: int
    baseline_tokens: int
    menu_tokens: int
    read_ms: float  # the catalog's file into objects
    build_ms: float  # the index from nothing: words and vectors
    start_ms: float  # the gateway from its cache to its first search answer
    search_p50_ms: float
    search_p95_ms: float
    memory_mb: float


class GrowthSection(Struct, frozen=True):
    """`exponents`: of each figure the slope on a log-log scale between the last sizes; `bends` names what grows
    faster than the catalog, in words. `partial` says which size could not be measured."""

    source: str
    points: tuple[SizePoint, ...]
    exponents: dict[str, float]
    bends: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    partial: str = ""
