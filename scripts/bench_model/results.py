"""The results of the benchmark: `--json` writes them, and every table is made from them alone."""

from typing import Final, Literal

from msgspec import Struct

from toolbooth.bench.report import PairedVerdict

Way = Literal["fused", "alone"]
SHOWN: Final = {"ndcg_at_10": "nDCG@10", "recall_at_5": "R@5"}
LOAD_LIMIT_MS: Final = 30.0  # until the table of the package has answered its first query


class Scored(Struct, frozen=True):
    """A contender on a set; `ours_minus_theirs` and `outcomes` by measure, empty for ours."""

    set: str
    way: Way
    contender: str
    may_have_seen: bool
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    ours_minus_theirs: dict[str, PairedVerdict] = {}
    outcomes: dict[str, str] = {}


class SetFacts(Struct, frozen=True):
    """A set, and by contender the median of embedding one of its queries."""

    name: str
    tools: int
    servers: int
    questions: int
    query_ms: dict[str, float]


class Mean(Struct, frozen=True):
    """The mean over the sets; each set counts the same."""

    over: str
    sets: int
    way: Way
    contender: str
    metrics: dict[str, float]


class Model(Struct, frozen=True):
    """`load_ms` begins when the package is imported, `start_ms` when numpy is; both end with a first vector."""

    contender: str
    bytes: int
    load_ms: float
    start_ms: float
    query_ms: float | None


class Scale(Struct, frozen=True):
    """All tools of a large catalog, embedded by our table."""

    tools: int
    servers: int
    seconds: float


class Results(Struct, frozen=True):
    """All results."""

    machine: str
    sets: tuple[SetFacts, ...] = ()
    scored: tuple[Scored, ...] = ()
    means: tuple[Mean, ...] = ()
    models: tuple[Model, ...] = ()
    scale: Scale | None = None
    notes: tuple[str, ...] = ()
