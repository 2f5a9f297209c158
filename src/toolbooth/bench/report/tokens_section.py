"""The tokens section of a report: the menu, a session of one call, and the break-even of each mode."""

from typing import Literal

from msgspec import Struct

Provenance = Literal["measured", "computed", "estimated"]


class ModeCost(Struct, frozen=True):
    """One mode of offering the tools.

    `savings_vs_baseline` is null where it is withheld, and may be negative.
    """

    mode: str
    surface: str  # the gateway's surface; empty for the baseline
    context_tools: int
    tokens: int  # tokens of the menu, by the one counting rule
    instructions_tokens: int  # read together with the menu on every model call
    savings_vs_baseline: float | None
    label: Provenance = "measured"
    savings_with_instructions: float | None = None  # savings with the instructions of both sides


class SchemaCount(Struct, frozen=True):
    """How many tools of a side have a schema.

    `missing` counts stubs, too; `counted` says whether savings are shown.
    """

    real: int
    without_parameters: int
    missing: int
    counted: bool


class SessionCost(Struct, frozen=True):
    """Means over the questions: `paid` = menu × turns + search response + definition + call envelope.

    `menu` includes the instructions. `paid_with_history` also counts what is sent again with every later turn.
    `correct` counts the questions for which a right tool was shown, `correct_first` those for which it came first.
    """

    mode: str
    questions: int
    turns: float
    menu: int
    search_response: float
    definition: float
    call_envelope: float
    paid: float
    paid_with_history: float
    correct: int
    correct_first: int
    paid_per_correct: float | None
    history_per_correct: float | None
    label: Provenance = "computed"


class BreakEven(Struct, frozen=True):
    """Where a mode costs less than the baseline.

    It does from `first_call` to `last_call` of a session (null: no end), and from `catalog_tools` on; all are null
    where it never does.
    """

    mode: str
    first_call: int | None
    last_call: int | None
    catalog_tools: int | None
    label: Provenance = "computed"


class CurvePoint(Struct, frozen=True):
    """Paid tokens of a session of one call at one size of catalog, by mode; the menu includes the instructions."""

    tools: int
    paid: dict[str, float]
    menu: dict[str, float]
    paid_with_history: dict[str, float] = {}  # break-even is computed from this one
    label: Provenance = "computed"


class HeavyTool(Struct, frozen=True):
    """A tool with the tokens of its parts."""

    id: str
    tokens: int
    name: int
    description: int
    schema: int


class TokensSection(Struct, frozen=True):
    """The section; `notes` say what was withheld or assumed, and why."""

    encoding: str
    corpus_version: str
    corpus_tools: int
    baseline_tokens: int
    modes: tuple[ModeCost, ...]
    baseline_schemas: SchemaCount
    gateway_schemas: SchemaCount
    authoritative_headline: bool
    heaviest: tuple[HeavyTool, ...]
    sessions: tuple[SessionCost, ...] = ()
    break_even: tuple[BreakEven, ...] = ()
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()
