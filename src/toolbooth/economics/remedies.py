"""Profiles → what to do, the most pressing first: a line of toolbooth.yaml, and what the profile says after it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from toolbooth.economics.advice import MANY
from toolbooth.economics.answer_risk import AnswerRisk, answer_risk
from toolbooth.economics.cap_line import cap_line, cap_of, flood_cap, tool_pattern
from toolbooth.economics.diagnosis import Caps
from toolbooth.economics.limit_input import open_limit_input
from toolbooth.economics.profile import Recommendation
from toolbooth.economics.risk import Risk, Thresholds
from toolbooth.economics.tool_profile import CatalogProfile, ToolProfile
from toolbooth.economics.tool_words import split_name

ROWS: Final = 50  # a page that a model can read; the rules of the profile say the same


@dataclass(frozen=True)
class SchemaChange:
    """What the maker of a server would change in a tool's input, and what the profile says of it then."""

    message: str
    after: AnswerRisk


@dataclass(frozen=True)
class Remedy:
    """One line of toolbooth.yaml. `after` is the profile of the first of its tools, made again with that line."""

    pattern: str
    caps: Caps
    tools: tuple[ToolProfile, ...]
    after: AnswerRisk
    schema: SchemaChange | None = None

    @property
    def line(self) -> str:
        """As it stands below `tools:`."""
        return cap_line(self.pattern, *self.caps)

    @property
    def first(self) -> ToolProfile:
        """The tool that `after` is of."""
        return self.tools[0]


def remedies(profile: CatalogProfile) -> tuple[Remedy, ...]:
    """One for each tool that a line helps; tools of unknown size share one line a server."""
    known = [tool for tool in profile.ranked if tool.risk is not None]
    found = [remedy for tool in known if (remedy := remedy_of(tool, profile.thresholds))]
    low = [each for each in found if each.first.risk is Risk.LOW]
    pressing = [each for each in found if each.first.risk is not Risk.LOW]
    return (*pressing, *_of_unknown(profile), *low)


def remedy_of(tool: ToolProfile, thresholds: Thresholds) -> Remedy | None:
    """The line that leaves the least to recommend; None where no line would lower the risk or set a bound."""
    tried = [(caps, _again(tool, caps, thresholds)) for caps in _lines(tool, thresholds)]
    helping = [(caps, after) for caps, after in tried if _helps(tool, after)]
    if not helping:
        return None
    caps, after = min(helping, key=lambda each: _left_to_do(each[1]))
    return Remedy(tool_pattern(tool.id), caps, (tool,), after, schema_change(tool, thresholds))


def after_recommendation(
    tool: ToolProfile, recommendation: Recommendation, thresholds: Thresholds
) -> tuple[Caps, AnswerRisk] | None:
    """What one rule's line would set, and the profile with it; None for a rule that no line can follow."""
    caps = _BY_RULE.get(recommendation.rule)
    if caps is None:
        return None
    wanted = (flood_cap(thresholds) if caps[0] else None, caps[1])
    return wanted, _again(tool, wanted, thresholds)


_BY_RULE: Final[dict[str, tuple[bool, int | None]]] = {
    "bound-collection": (False, ROWS),
    "cap-payload": (True, None),
    "collection-without-limit": (False, ROWS),
}


def schema_change(tool: ToolProfile, thresholds: Thresholds) -> SchemaChange | None:
    """For an answer of many things that nothing bounds; None where a limit would make no sense, or there is one."""
    asked = open_limit_input(tool.tool.input_schema)
    if tool.answers.bounded or not (asked or _is_list(tool)):
        return None
    message = (
        f"give its input `{asked}` a `maximum`" if asked else "give it an input `limit` with a `maximum`"
    )
    return SchemaChange(message, answer_risk(tool.tool, None, ROWS, thresholds, tool.seen.fields))


def _of_unknown(profile: CatalogProfile) -> Iterator[Remedy]:
    """Servers with the most such tools first."""
    cap: Caps = (flood_cap(profile.thresholds), None)
    open_ones = [tool for tool in profile.tools if tool.risk is None and not tool.answers.bounded]
    grouped = [tuple(group) for _, group in groupby(open_ones, lambda tool: tool.tool.server)]
    for tools in sorted(grouped, key=lambda tools: (-len(tools), tools[0].id)):
        first = min(tools, key=lambda tool: (not _is_list(tool), tool.id))
        alone = len(tools) == 1 or not first.tool.server
        pattern = tool_pattern(first.id) if alone else f"{tool_pattern(first.tool.server)}.*"
        after = _again(first, cap, profile.thresholds)
        ordered = (first, *(tool for tool in tools if tool is not first))
        yield Remedy(
            pattern, cap, ordered[: 1 if alone else None], after, schema_change(first, profile.thresholds)
        )


def _lines(tool: ToolProfile, thresholds: Thresholds) -> Sequence[Caps]:
    """A cap holds whatever the rows weigh; a limit is for lists. What is small by all signs is held there."""
    cap = cap_of(Risk.LOW, thresholds) if tool.risk is Risk.LOW else flood_cap(thresholds)
    listed = _is_list(tool) and tool.answers.profile is not None and not tool.answers.profile.agent_limit
    return ((cap, None), (None, ROWS), (cap, ROWS)) if listed else ((cap, None),)


def _again(tool: ToolProfile, caps: Caps, thresholds: Thresholds) -> AnswerRisk:
    """The profile with these caps instead of those that the config sets now."""
    kept = tuple(old if new is None else new for old, new in zip(tool.caps, caps, strict=True))
    return answer_risk(tool.tool, kept[0], kept[1], thresholds, tool.seen.fields)


def _helps(tool: ToolProfile, after: AnswerRisk) -> bool:
    if after.risk is None:
        return False
    lower = tool.risk is None or after.risk < tool.risk
    return lower or (after.bounded and not tool.answers.bounded)


def _left_to_do(after: AnswerRisk) -> tuple[int, int]:
    left = after.profile.recommendations if after.profile else ()
    return (after.risk.rank if after.risk else 9, len(left))


def _is_list(tool: ToolProfile) -> bool:
    """Whether its answers are likely to hold many things: by their fields, or by the tool's name."""
    fields: Iterable[bool] = (
        (field.collection for field in tool.answers.profile.fields) if tool.answers.profile else ()
    )
    return any(fields) or bool(MANY.intersection(split_name(tool.tool.name)))
