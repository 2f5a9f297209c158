"""How large a tool's answers may be: the input that limits them, the bounds of the config, and the risk tier."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from toolbooth import catalog
from toolbooth.economics import output_fields
from toolbooth.economics.profile import StaticProfile, static_profile
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.schema import resolve_local

_WORDS: Final = (
    "limit maxresults maxitems pagesize perpage pagelimit pagelen pagelength itemsperpage resultsperpage "
    "numresults numitems numrows maxrecords maxrows maxcount maxentries maxhits maxmatches resultlimit "
    "rowlimit topk topn"
)
_VAGUE_WORDS: Final = "take count first top rows size n k"
# Written without `_`, `-` and capitals. Earlier names are more certain; the first with a maximum counts.
CLEAR: Final = tuple(_WORDS.split())
# These may mean anything, so they count only if no clear name takes a number.
VAGUE: Final = tuple(_VAGUE_WORDS.split())
LIMIT_INPUTS: Final = CLEAR + VAGUE
# A larger maximum, such as the largest integer of a language (2^31, 2^53), bounds nothing.
MOST_ITEMS: Final = 1_000_000
MAX_DEPTH: Final = 8
_IN_PLACE: Final = ("anyOf", "oneOf", "allOf")


class LimitInput(NamedTuple):
    """The name of an input, and the largest value that its schema accepts."""

    name: str
    maximum: int


def limit_input(schema: Mapping[str, Any] | None) -> LimitInput | None:
    """The most certain pagination input that has a maximum; None if there is none."""
    for name, most in _pagination_inputs(schema):
        if most is not None and 0 <= most <= MOST_ITEMS:
            return LimitInput(name, most)
    return None


def open_limit_input(schema: Mapping[str, Any] | None) -> str | None:
    """The most certain pagination input if none has a maximum: it accepts any number, so it bounds nothing."""
    found = [name for name, _ in _pagination_inputs(schema)]
    return found[0] if found and limit_input(schema) is None else None


def _pagination_inputs(schema: Mapping[str, Any] | None) -> Iterator[tuple[str, int | None]]:
    """Pagination inputs with their maximum, the most certain first."""
    properties = schema.get("properties") if schema else None
    if not schema or not isinstance(properties, Mapping):
        return
    by_word = {_plain(name): name for name in reversed(list(properties)) if isinstance(name, str)}
    clear = False
    for word in LIMIT_INPUTS:
        if word in by_word and not (clear and word in VAGUE):
            bounds = list(_bounds(properties[by_word[word]], schema, 0))
            clear = clear or (bool(bounds) and word in CLEAR)
            yield by_word[word], _largest(bounds)


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _largest(bounds: Sequence[int | None]) -> int | None:
    """The largest number that passes; None if any branch of a union accepts every number."""
    return None if not bounds or None in bounds else max(bound for bound in bounds if bound is not None)


def _bounds(schema: Any, root: Mapping[str, Any], depth: int) -> Iterator[int | None]:
    """One bound for each branch that accepts numbers; None for a branch without a bound."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        yield None
        return
    own = _own_bound(schema)
    if own is not None:
        yield own
        return
    inner = [part for key in _IN_PLACE for part in _list(schema.get(key))]
    if "$ref" in schema:
        inner.append(resolve_local(root, schema["$ref"]))
    if inner:
        for part in inner:
            yield from _bounds(part, root, depth + 1)
    elif _accepts_numbers(schema):
        yield None


def _own_bound(schema: Mapping[str, Any]) -> int | None:
    found: list[int] = []
    most, below = _number(schema.get("maximum")), _number(schema.get("exclusiveMaximum"))
    if most is not None:
        found.append(math.ceil(most) - 1 if schema.get("exclusiveMaximum") is True else math.floor(most))
    if below is not None:
        found.append(math.ceil(below) - 1)
    values = [value for value in _list(schema.get("enum")) or [schema.get("const")] if value is not None]
    numbers = [number for number in map(_number, values) if number is not None]
    if numbers and len(numbers) == len(values):
        found.append(math.floor(max(numbers)))
    return min(found, default=None)


def _accepts_numbers(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else _list(kinds)
    return not named or bool({"integer", "number"} & {kind for kind in named if isinstance(kind, str)})


def _number(value: Any) -> float | None:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**63
    return value if usable else None


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


Caps = tuple[int | None, int | None]
"""The most bytes and the most items of a tool's answer, as the config sets them."""


def no_caps(_tool_id: str) -> Caps:
    """The caps of a config that bounds nothing."""
    return None, None


FieldsFrom = Literal["output schema", "seen answers"]


@dataclass(frozen=True)
class AnswerRisk:
    """What is known about the size of a tool's answers. `risk` is None if it is unknown; it is never guessed."""

    tool_id: str
    risk: Risk | None
    bounded: bool
    bounded_by: str | None
    profile: StaticProfile | None
    reason: str
    fields_from: FieldsFrom | None = None


def answer_risk(
    tool: catalog.Tool,
    max_bytes: int | None = None,
    limit: int | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    seen: Sequence[str] | None = None,
) -> AnswerRisk:
    """Profile the answers of a tool. `max_bytes` and `limit` are the caps of Toolbooth's config.

    `seen` are the fields of rows in real answers. They count only if no output schema names any.
    """
    declared = output_fields.row_fields(tool.output_schema)
    named: FieldsFrom | None = "output schema" if declared else "seen answers" if seen else None
    return _judged(tool, declared or seen or (), named, max_bytes, limit, thresholds)


def bounded_anew(
    answers: AnswerRisk,
    tool: catalog.Tool,
    max_bytes: int | None,
    limit: int | None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> AnswerRisk:
    """This tool's answer size under other caps. Its fields are kept, not read again."""
    fields = answers.profile.fields if answers.profile else ()
    return _judged(tool, [field.name for field in fields], answers.fields_from, max_bytes, limit, thresholds)


def _judged(
    tool: catalog.Tool,
    fields: Sequence[str],
    fields_from: FieldsFrom | None,
    max_bytes: int | None,
    limit: int | None,
    thresholds: Thresholds,
) -> AnswerRisk:
    declared = limit_input(tool.input_schema)
    most = _smaller(limit, declared.maximum if declared else None)
    profile = None
    if fields or max_bytes is not None:  # a cap bounds the answer whatever its fields are
        profile = static_profile(tool.id, fields, most, max_bytes, thresholds)
    bounded_by = _bounded_by(max_bytes, limit, declared)
    return AnswerRisk(
        tool_id=tool.id,
        risk=profile.risk if profile else None,
        bounded=bounded_by is not None,
        bounded_by=bounded_by,
        profile=profile,
        reason=_reason(profile, bounded_by),
        fields_from=fields_from,
    )


def _smaller(one: int | None, other: int | None) -> int | None:
    return min((value for value in (one, other) if value is not None), default=None)


def _bounded_by(max_bytes: int | None, limit: int | None, declared: LimitInput | None) -> str | None:
    if max_bytes is not None:
        return f"cap of {max_bytes} bytes"
    if limit is not None and (declared is None or limit <= declared.maximum):
        return f"config limit {limit}"
    return f"limit input `{declared.name}` ≤ {declared.maximum}" if declared else None


def _reason(profile: StaticProfile | None, bounded_by: str | None) -> str:
    bound = f"bounded by {bounded_by}" if bounded_by else "nothing bounds it"
    if profile is None:
        return f"neither an output schema nor a recorded answer has a list of objects, so the size is unknown; {bound}"
    return f"up to about {profile.max_tokens} tokens; {bound}"
