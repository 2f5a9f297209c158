"""A tool on the wire and the bounds of the config → how risky its answers are, and what bounds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolbooth.catalog import Tool
from toolbooth.economics.limit_input import LimitInput, limit_input
from toolbooth.economics.output_fields import row_fields
from toolbooth.economics.profile import StaticProfile
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.economics.static import static_profile

FieldsFrom = Literal["output schema", "seen answers"]


@dataclass(frozen=True)
class AnswerRisk:
    """What is known of a tool's answers. `risk` is None where it is unknown; it is never guessed."""

    tool_id: str
    risk: Risk | None
    bounded: bool
    bounded_by: str | None
    profile: StaticProfile | None
    reason: str
    fields_from: FieldsFrom | None = None


def answer_risk(
    tool: Tool,
    max_bytes: int | None = None,
    limit: int | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    seen: Sequence[str] | None = None,
) -> AnswerRisk:
    """Profile the answers of a tool; `max_bytes` and `limit` are what Toolbooth's config sets for it.

    `seen` are fields of the rows of real answers: they count where no output schema names any.
    """
    declared = row_fields(tool.output_schema)
    named: FieldsFrom | None = "output schema" if declared else "seen answers" if seen else None
    return _judged(tool, declared or seen or (), named, max_bytes, limit, thresholds)


def bounded_anew(
    answers: AnswerRisk,
    tool: Tool,
    max_bytes: int | None,
    limit: int | None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> AnswerRisk:
    """The same tool under other bounds of the config; its fields are not looked for again."""
    fields = answers.profile.fields if answers.profile else ()
    return _judged(tool, [field.name for field in fields], answers.fields_from, max_bytes, limit, thresholds)


def _judged(
    tool: Tool,
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
