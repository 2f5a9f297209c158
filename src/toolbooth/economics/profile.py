"""The static profile of a tool: what one answer may cost, estimated from its fields and bounds.

A profile carries the recommendations of a table of rules. The summary of a server adds up the profiles of its tools.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

from toolbooth import errors
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds, check_bound, estimate


class Recommendation(str):
    """The text of a recommendation, with the rule it comes from and, in a summary, the tool it is for."""

    __slots__ = ("rule", "tool")
    rule: str
    tool: str

    def __new__(cls, message: str, rule: str, tool: str = "") -> Self:
        made = super().__new__(cls, f"[{tool}] {message}" if tool else message)
        made.rule, made.tool = rule, tool
        return made

    @property
    def message(self) -> str:
        """The text of the recommendation."""
        return str(self)

    def of_tool(self, tool: str) -> "Recommendation":
        """The text with the tool's name in front, for a summary."""
        return Recommendation(str(self), self.rule, tool)


@dataclass(frozen=True)
class FieldCost:
    """One field of an answer, with its estimated tokens."""

    name: str
    tokens: int
    collection: bool


@dataclass(frozen=True)
class StaticProfile:
    """The estimated minimum and maximum of one answer, and what bounds it."""

    tool_name: str
    min_tokens: int
    max_tokens: int
    bounded: bool
    risk: Risk
    fields: tuple[FieldCost, ...]
    agent_limit: int | None = None
    egress_max_bytes: int | None = None
    recommendations: tuple[Recommendation, ...] = ()


MANY_FIELDS: Final = 15


class ProfileRule(NamedTuple):
    """If `applies`, recommend `message`, in which `{tool}` becomes the tool's name."""

    id: str
    applies: Callable[[StaticProfile], bool]
    message: str


def _unbounded(profile: StaticProfile) -> bool:
    return not profile.bounded


def _needs_cap(profile: StaticProfile) -> bool:
    by_limit_alone = profile.agent_limit is not None and profile.egress_max_bytes is None
    return profile.risk >= Risk.HIGH or (profile.risk is Risk.MEDIUM and by_limit_alone)


def _collection_without_limit(profile: StaticProfile) -> bool:
    return profile.agent_limit is None and any(field.collection for field in profile.fields)


def _too_many_fields(profile: StaticProfile) -> bool:
    return len(profile.fields) > MANY_FIELDS


RULES: Final = (
    ProfileRule(
        "bound-collection",
        _unbounded,
        'This answer has no limit: add `tools: {{"{tool}": {{limit: 50}}}}` to toolbooth.yaml.',
    ),
    ProfileRule(
        "cap-payload",
        _needs_cap,
        'Cap the answer: add `tools: {{"{tool}": {{max_bytes: 14000}}}}` to toolbooth.yaml.',
    ),
    ProfileRule(
        "collection-without-limit",
        _collection_without_limit,
        'Give the lists in this answer a limit: add `tools: {{"{tool}": {{limit: 50}}}}` to toolbooth.yaml.',
    ),
    ProfileRule(
        "too-many-fields",
        _too_many_fields,
        "Return fewer than 16 fields, or let the model choose the fields it needs.",
    ),
)


def recommend(profile: StaticProfile, rules: tuple[ProfileRule, ...] = RULES) -> tuple[Recommendation, ...]:
    """The recommendation of every rule that applies, in the order of the table."""
    return tuple(
        Recommendation(rule.message.format(tool=profile.tool_name), rule.id)
        for rule in rules
        if rule.applies(profile)
    )


CHARACTERS_PER_TOKEN: Final = 4
FIELD_OVERHEAD: Final = 6  # quotes, colon, comma and a short value
ANSWER_OVERHEAD: Final = 20
LIST_OVERHEAD: Final = 50
UNBOUNDED_ITEMS: Final = 100  # assumed for a list that nothing bounds
_ENDINGS: Final = (
    "ids keys values records results rows elements entries tags items users events files nodes edges logs "
    "names emails roles"
)
COLLECTION_ENDINGS: Final = tuple(_ENDINGS.split())
COLLECTION_PARTS: Final = ("list", "items")


def is_collection(name: str) -> bool:
    """Whether a field of that name probably contains a list."""
    lowered = name.lower()
    return lowered.endswith(COLLECTION_ENDINGS) or any(part in lowered for part in COLLECTION_PARTS)


def static_profile(
    tool: str,
    fields: Iterable[str],
    agent_limit: int | None = None,
    egress_max_bytes: int | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> StaticProfile:
    """Estimate the minimum and maximum of one answer. A byte cap overrides a limit, and 0 is a valid bound."""
    check_bound("agent_limit", agent_limit)
    check_bound("egress_max_bytes", egress_max_bytes)
    if isinstance(fields, str | bytes):
        raise errors.InvalidBound(
            "fields is a string, so each letter would count as a field; give a list of names"
        )
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


@dataclass(frozen=True)
class ServerSummary:
    """What the answers of all tools may cost. Names are in the order of the profiles."""

    tool_count: int
    total_min_tokens: int
    total_max_tokens: int
    unbounded_tool_names: tuple[str, ...]
    overall_risk: Risk
    critical_tool_names: tuple[str, ...]
    recommendations: tuple[Recommendation, ...]


def summarize(profiles: Iterable[StaticProfile]) -> ServerSummary:
    """Add up the profiles. Recommendations for critical tools come first, then high, then medium."""
    all_profiles = tuple(profiles)
    return ServerSummary(
        tool_count=len(all_profiles),
        total_min_tokens=sum(profile.min_tokens for profile in all_profiles),
        total_max_tokens=sum(profile.max_tokens for profile in all_profiles),
        unbounded_tool_names=tuple(profile.tool_name for profile in all_profiles if not profile.bounded),
        overall_risk=max((profile.risk for profile in all_profiles), default=Risk.LOW),
        critical_tool_names=tuple(
            profile.tool_name for profile in all_profiles if profile.risk is Risk.CRITICAL
        ),
        recommendations=_recommendations(all_profiles),
    )


def _recommendations(profiles: tuple[StaticProfile, ...]) -> tuple[Recommendation, ...]:
    return tuple(
        recommendation.of_tool(profile.tool_name)
        for risk in (Risk.CRITICAL, Risk.HIGH, Risk.MEDIUM)
        for profile in profiles
        if profile.risk is risk
        for recommendation in profile.recommendations
    )
