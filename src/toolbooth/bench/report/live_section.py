"""A running endpoint, ours or anyone's, measured from outside by an adapter."""

from msgspec import Struct

from toolbooth.bench.report.latency_section import Spread
from toolbooth.bench.report.retrieval_section import RetrievalSection
from toolbooth.bench.report.tokens_section import Mode, SessionCost


class StepCost(Struct, frozen=True):
    """One request of the way to a tool (a search, a listing, a definition): mean and most tokens of its answers.

    `copy_tokens` are of a structured copy of the text, which some clients hand to the model as well.
    """

    step: str
    answers: int
    tokens_mean: float
    tokens_most: int
    copy_tokens_mean: float
    spread: Spread | None


class EndpointSection(Struct, frozen=True):
    """`finds`: `search` (ranked, so retrieval is scored) or `oracle` (it has no search: the right way is assumed).

    `partial` says why it ended before its time; figures are of what was answered until then. `beside` was asked of
    the same endpoint by another way, which no model takes: it is no step, and in no count of tokens.
    """

    name: str
    adapter: str
    finds: str
    baseline_tokens: int | None
    mode: Mode
    steps: tuple[StepCost, ...]
    session: SessionCost | None
    retrieval: RetrievalSection | None
    list_ms: float | None
    partial: str = ""
    notes: tuple[str, ...] = ()
    beside: tuple[StepCost, ...] = ()
