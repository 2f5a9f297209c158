"""Lines of toolbooth.yaml that bound answers, each with the profile that results from it."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import escape
from itertools import groupby
from typing import Final

from toolbooth.economics import advice, answer_size, risk, tool_profile, tool_words
from toolbooth.economics.profile import LIST_OVERHEAD, Recommendation

# Without a dot, YAML would read `no` as false
_PLAIN: Final = re.compile(r"[A-Za-z][\w-]*\.[\w.-]+", re.ASCII)


def flood_cap(thresholds: risk.Thresholds = risk.DEFAULT_THRESHOLDS) -> int:
    """The largest answer in bytes, at 3.5 for each token, that still has medium risk."""
    return thresholds.medium * 7 // 2


def tool_pattern(tool_id: str) -> str:
    """The pattern that matches only this tool."""
    return escape(tool_id)


def cap_line(pattern: str, max_bytes: int | None = None, limit: int | None = None) -> str:
    """One entry below `tools:`. A name that YAML would misread is quoted, and invisible characters are escaped."""
    name = pattern if _PLAIN.fullmatch(pattern) else _quoted(pattern)
    caps = {"max_bytes": max_bytes, "limit": limit}
    return f"{name}: {{{', '.join(f'{key}: {value}' for key, value in caps.items() if value is not None)}}}"


def _quoted(text: str) -> str:
    """As JSON in ASCII, except that YAML needs one escape, not two, for a character beyond U+FFFF."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08X}" if code > 0xFFFF else json.dumps(character)[1:-1]


ROWS: Final = 50  # a page that a model can read; the recommendations of a profile use the same number


@dataclass(frozen=True)
class SchemaChange:
    """An input, new or existing, that the maker of a server could give a `maximum`.

    `after` is the profile with it. It is None if no fields are known, or if real answers contradict the estimate.
    """

    input: str
    is_new: bool
    maximum: int
    after: answer_size.AnswerRisk | None

    @property
    def message(self) -> str:
        """The change as one sentence."""
        which = f"it an input `{self.input}` with" if self.is_new else f"its input `{self.input}`"
        return f"give {which} a `maximum` of {self.maximum}"


@dataclass(frozen=True)
class Remedy:
    """One line of toolbooth.yaml. `after` is the profile of its first tool, recomputed with that line."""

    pattern: str
    caps: answer_size.Caps
    tools: tuple[tool_profile.ToolProfile, ...]
    after: answer_size.AnswerRisk
    schema: SchemaChange | None = None

    @property
    def line(self) -> str:
        """The line for this tool below `tools:`."""
        return cap_line(self.pattern, *self.caps)

    @property
    def first(self) -> tool_profile.ToolProfile:
        """The tool that `after` describes."""
        return self.tools[0]


def remedies(profile: tool_profile.CatalogProfile) -> tuple[Remedy, ...]:
    """One for each risky tool that a line helps. Other unbounded tools share one line for each server."""
    risky = [tool for tool in profile.ranked if not _is_mild(tool)]
    found = [remedy for tool in risky if (remedy := remedy_of(tool, profile.thresholds))]
    return (*found, *_of_servers(profile))


def remedy_of(tool: tool_profile.ToolProfile, thresholds: risk.Thresholds) -> Remedy | None:
    """The line that leaves the least to recommend; None if no line would lower the risk or set a bound."""
    tried = [(caps, _again(tool, caps, thresholds)) for caps in _lines(tool, thresholds)]
    helping = [(caps, after) for caps, after in tried if _helps(tool, after)]
    if not helping:
        return None
    caps, after = min(helping, key=lambda each: _left_to_do(each[1]))
    return Remedy(tool_pattern(tool.id), caps, (tool,), after, schema_change(tool, thresholds))


def after_recommendation(
    tool: tool_profile.ToolProfile, recommendation: Recommendation, thresholds: risk.Thresholds
) -> tuple[answer_size.Caps, answer_size.AnswerRisk] | None:
    """The caps that follow one recommendation, and the profile with them; None if no line can follow it."""
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


def schema_change(tool: tool_profile.ToolProfile, thresholds: risk.Thresholds) -> SchemaChange | None:
    """The change for a tool that answers with many items; None if a limit makes no sense or a good one exists."""
    rows, declared = _rows(tool, thresholds), answer_size.limit_input(tool.tool.input_schema)
    asked = declared.name if declared else answer_size.open_limit_input(tool.tool.input_schema)
    too_many = declared is not None and not _is_mild(tool) and declared.maximum > rows
    if not too_many and (tool.answers.bounded or not (asked or _is_list(tool))):
        return None
    after = answer_size.bounded_anew(tool.answers, tool.tool, None, rows, thresholds)
    tells = after.profile is not None and not _is_refuted(tool)
    return SchemaChange(asked or "limit", asked is None, rows, after if tells else None)


def _rows(tool: tool_profile.ToolProfile, thresholds: risk.Thresholds) -> int:
    """The number of rows with at most medium risk, up to a page that a model can read."""
    base = sum(field.tokens for field in tool.answers.profile.fields) if tool.answers.profile else 0
    return max(1, min(ROWS, (thresholds.medium - LIST_OVERHEAD) // base)) if base else ROWS


def _is_mild(tool: tool_profile.ToolProfile) -> bool:
    return tool.risk is None or tool.risk is risk.Risk.LOW


def _is_refuted(tool: tool_profile.ToolProfile) -> bool:
    """Whether real answers were larger than the estimate, so that a number of items does not bound their size."""
    return tool.estimate_error is not None and tool.estimate_error < 1


def _of_servers(profile: tool_profile.CatalogProfile) -> Iterator[Remedy]:
    """One line for each server, those with the most tools of unknown size first."""
    cap: answer_size.Caps = (flood_cap(profile.thresholds), None)
    left = [tool for tool in profile.tools if _is_mild(tool) and not tool.answers.bounded]
    grouped = [tuple(group) for _, group in groupby(left, lambda tool: tool.tool.server)]
    for tools in sorted(grouped, key=lambda tools: (-_unknown(tools), -len(tools), tools[0].id)):
        first, *others = sorted(tools, key=lambda tool: (tool.risk is not None, not _is_list(tool)))
        alone = not others or not first.tool.server
        pattern = tool_pattern(first.id) if alone else f"{tool_pattern(first.tool.server)}.*"
        after = _again(first, cap, profile.thresholds)
        members = (first,) if alone else (first, *others)
        yield Remedy(pattern, cap, members, after, schema_change(first, profile.thresholds))


def _unknown(tools: Sequence[tool_profile.ToolProfile]) -> int:
    return sum(tool.risk is None for tool in tools)


def _lines(tool: tool_profile.ToolProfile, thresholds: risk.Thresholds) -> Sequence[answer_size.Caps]:
    """The caps to try. A byte cap always holds; a limit is for lists, and only as good as the estimate."""
    cap, rows, profile = flood_cap(thresholds), _rows(tool, thresholds), tool.answers.profile
    listed = _is_list(tool) and profile is not None and profile.agent_limit is None
    return ((cap, None), (None, rows), (cap, rows)) if listed and not _is_refuted(tool) else ((cap, None),)


def _again(
    tool: tool_profile.ToolProfile, caps: answer_size.Caps, thresholds: risk.Thresholds
) -> answer_size.AnswerRisk:
    """The profile with these caps in place of those in the config."""
    kept = tuple(old if new is None else new for old, new in zip(tool.caps, caps, strict=True))
    return answer_size.bounded_anew(tool.answers, tool.tool, kept[0], kept[1], thresholds)


def _helps(tool: tool_profile.ToolProfile, after: answer_size.AnswerRisk) -> bool:
    if after.risk is None:
        return False
    lower = tool.risk is None or after.risk < tool.risk
    return lower or (after.bounded and not tool.answers.bounded)


def _left_to_do(after: answer_size.AnswerRisk) -> tuple[int, int]:
    left = after.profile.recommendations if after.profile else ()
    return (after.risk.rank if after.risk else 9, len(left))


def _is_list(tool: tool_profile.ToolProfile) -> bool:
    """Whether its answers probably have many items, judged by their fields or the tool's name."""
    fields: Iterable[bool] = (
        (field.collection for field in tool.answers.profile.fields) if tool.answers.profile else ()
    )
    return any(fields) or bool(advice.MANY.intersection(tool_words.split_name(tool.tool.name)))
