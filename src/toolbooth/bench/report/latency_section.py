"""How long things take, measured by the client, and as ratios to the direct way in the same run."""

from msgspec import Struct


class Spread(Struct, frozen=True):
    """Percentiles of an HDR histogram by nearest rank, in milliseconds; the warm-up is not in them."""

    samples: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class LatencyMeasure(Struct, frozen=True):
    """One thing that was timed. `ratio` is its p50 over the p50 of `against`, measured in turn with it."""

    name: str
    what: str
    spread: Spread
    against: str = ""
    against_spread: Spread | None = None
    ratio: float | None = None


class LatencySection(Struct, frozen=True):
    """All of it; `load_all_tools_ms` is the one-shot cost of listing every tool of every server.

    `partial` says what ended before its time; figures are of what was answered until then.
    """

    measures: tuple[LatencyMeasure, ...]
    load_all_tools_ms: float | None
    notes: tuple[str, ...] = ()
    partial: str = ""
