"""A static profile → recommendations, by a table: one row a rule, in the order they are given."""

from collections.abc import Callable
from typing import Final, NamedTuple

from toolbooth.economics.profile import Recommendation, StaticProfile
from toolbooth.economics.risk import Risk

MANY_FIELDS: Final = 15


class Rule(NamedTuple):
    """When `applies`, the advice is `message`; `{tool}` in it becomes the tool's name."""

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
    Rule(
        "bound-collection",
        _unbounded,
        'Nothing bounds this answer: add `tools: {{"{tool}": {{limit: 50}}}}` to toolbooth.yaml.',
    ),
    Rule(
        "cap-payload",
        _needs_cap,
        'Cap the answer: add `tools: {{"{tool}": {{max_bytes: 14000}}}}` to toolbooth.yaml.',
    ),
    Rule(
        "collection-without-limit",
        _collection_without_limit,
        'Give the lists in this answer a limit: add `tools: {{"{tool}": {{limit: 50}}}}` to toolbooth.yaml.',
    ),
    Rule(
        "too-many-fields",
        _too_many_fields,
        "Return fewer than 16 fields, or let the model pick those it needs.",
    ),
)


def recommend(profile: StaticProfile, rules: tuple[Rule, ...] = RULES) -> tuple[Recommendation, ...]:
    """The advice of every rule that applies, in the order of the table."""
    return tuple(
        Recommendation(rule.message.format(tool=profile.tool_name), rule.id)
        for rule in rules
        if rule.applies(profile)
    )
