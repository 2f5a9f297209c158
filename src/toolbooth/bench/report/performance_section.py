"""The latency and growth sections of a report: how long actions take, and what grows with the catalog.

Latency is measured by the client, and as a ratio to a direct request in the same run.
"""

from msgspec import Struct


class Spread(Struct, frozen=True):
    """Percentiles of an HDR histogram by nearest rank, in milliseconds; the warm-up is not in them."""

    samples: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class LatencyMeasure(Struct, frozen=True):
    """One timed action.

    `ratio` is its p50 over the p50 of `against`, measured in turn with it.
    """

    name: str
    what: str
    spread: Spread
    against: str = ""
    against_spread: Spread | None = None
    ratio: float | None = None


class LatencySection(Struct, frozen=True):
    """`load_all_tools_ms` is the one-shot cost of listing every tool of every server.

    `partial` says what ended early; the figures cover what was answered until then.
    """

    measures: tuple[LatencyMeasure, ...]
    load_all_tools_ms: float | None
    notes: tuple[str, ...] = ()
    partial: str = ""


class SizePoint(Struct, frozen=True):
    """One size of catalog, measured in its own process; `made_up` counts tools that no server has.

    Times are CPU time of one thread: what the work takes on an idle core.
    """

    tools: int
    made_up: int
    baseline_tokens: int
    menu_tokens: int
    read_ms: float  # parsing the catalog file
    build_ms: float  # building the index from scratch: words and vectors
    start_ms: float  # starting the gateway from its cache, up to its first search answer
    search_p50_ms: float
    search_p95_ms: float
    memory_mb: float


class GrowthSection(Struct, frozen=True):
    """`exponents` are the slopes of the figures on a log-log scale between the last sizes.

    `bends` are sentences about figures that grow faster than the catalog. `partial` says which size could not be
    measured.
    """

    source: str
    points: tuple[SizePoint, ...]
    exponents: dict[str, float]
    bends: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    partial: str = ""
