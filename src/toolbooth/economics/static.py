"""The fields of an answer and its bounds → a static profile: worst case, risk and recommendations."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from toolbooth.economics.profile import FieldCost, StaticProfile
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Thresholds, check_bound, estimate
from toolbooth.economics.rules import recommend
from toolbooth.errors import InvalidBound

CHARACTERS_PER_TOKEN: Final = 4
FIELD_OVERHEAD: Final = 6  # quotes, colon, comma and a short value
ANSWER_OVERHEAD: Final = 20
LIST_OVERHEAD: Final = 50
UNBOUNDED_ITEMS: Final = 100  # what is assumed where nothing bounds a list
_ENDINGS: Final = (
    "ids keys values records results rows elements entries tags items users events files nodes edges logs "
    "names emails roles"
)
COLLECTION_ENDINGS: Final = tuple(_ENDINGS.split())
COLLECTION_PARTS: Final = ("list", "items")


def is_collection(name: str) -> bool:
    """Whether a field of that name most likely holds a list."""
    lowered = name.lower()
    return lowered.endswith(COLLECTION_ENDINGS) or any(part in lowered for part in COLLECTION_PARTS)


def static_profile(
    tool: str,
    fields: Iterable[str],
    agent_limit: int | None = None,
    egress_max_bytes: int | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> StaticProfile:
    """Estimate the least and the most that one answer costs; a cap goes before a limit, and 0 is a bound."""
    check_bound("agent_limit", agent_limit)
    check_bound("egress_max_bytes", egress_max_bytes)
    if isinstance(fields, str | bytes):
        raise InvalidBound("fields is one text; give a list of names, or each letter would count as a field")
    costs = tuple(_field_cost(name) for name in fields)
    base = sum(cost.tokens for cost in costs)
    most, bounded = _worst_case(base, agent_limit, egress_max_bytes)
    profile = StaticProfile(
        tool_name=tool,
        min_tokens=base + ANSWER_OVERHEAD,
        max_tokens=most,
        bounded=bounded,
        risk=thresholds.risk(most),
        fields=costs,
        agent_limit=agent_limit,
        egress_max_bytes=egress_max_bytes,
    )
    return replace(profile, recommendations=recommend(profile))


def _field_cost(name: str) -> FieldCost:
    tokens = max(1, len(name) // CHARACTERS_PER_TOKEN) + FIELD_OVERHEAD
    return FieldCost(name, tokens, is_collection(name))


def _worst_case(base: int, limit: int | None, cap: int | None) -> tuple[int, bool]:
    if cap is not None:
        return estimate(cap), True
    if limit is not None:
        return base * limit + LIST_OVERHEAD, True
    return base * UNBOUNDED_ITEMS, False
