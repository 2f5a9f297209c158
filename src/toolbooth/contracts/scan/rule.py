"""The table of scan rules, filled by decorators: on one text, on one tool, or on all servers at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.finding_rule import FindingRule
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.served import Served


class Hit(NamedTuple):
    """What a rule saw in one text. `behind` is a text that was hidden or encoded there: it is looked at, too."""

    level: Level
    message: str
    evidence: str
    behind: str = ""


class ToolHit(NamedTuple):
    """What a rule saw of a tool, and where in its wire object."""

    path: str
    hit: Hit


TextFunction = Callable[[Passage], Iterable[Hit]]
ToolFunction = Callable[[Tool], Iterable[ToolHit]]
WholeFunction = Callable[[Sequence[Served]], Iterable[Finding]]


class TextRule(NamedTuple):
    """Judges one text by itself."""

    rule: FindingRule
    judge: TextFunction


class ToolRule(NamedTuple):
    """Judges one tool: what it says of itself must fit together."""

    rule: FindingRule
    judge: ToolFunction


class WholeRule(NamedTuple):
    """Judges servers by one another."""

    rule: FindingRule
    judge: WholeFunction


TEXT_RULES: Final[list[TextRule]] = []
TOOL_RULES: Final[list[ToolRule]] = []
WHOLE_RULES: Final[list[WholeRule]] = []


def text_rule(rule_id: str, level: Level, sentence: str) -> Callable[[TextFunction], TextFunction]:
    """Enter a function that judges a text."""

    def enter(function: TextFunction) -> TextFunction:
        TEXT_RULES.append(TextRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def tool_rule(rule_id: str, level: Level, sentence: str) -> Callable[[ToolFunction], ToolFunction]:
    """Enter a function that judges a tool."""

    def enter(function: ToolFunction) -> ToolFunction:
        TOOL_RULES.append(ToolRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def whole_rule(rule_id: str, level: Level, sentence: str) -> Callable[[WholeFunction], WholeFunction]:
    """Enter a function that judges all servers."""

    def enter(function: WholeFunction) -> WholeFunction:
        WHOLE_RULES.append(WholeRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter
