"""The table of lint rules, filled by decorators: on one tool, on one server, or on all servers at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.finding_rule import FindingRule
from toolbooth.contracts.served import Served
from toolbooth.tokens import Weight, count


class Fault(NamedTuple):
    """What a rule would have mended. `tokens`: what that saves, negative if it costs."""

    level: Level
    path: str
    message: str
    evidence: str = ""
    tokens: int = 0


@dataclass(frozen=True)
class Weighed:
    """One tool with its weight, and the way its texts are counted."""

    tool: Tool
    weight: Weight
    encoding: str

    def tokens(self, text: str) -> int:
        """What a text costs."""
        return count(text, self.encoding)


@dataclass(frozen=True)
class WeighedServer:
    """One server's tools, weighed."""

    served: Served
    tools: tuple[Weighed, ...]
    encoding: str


ToolFunction = Callable[[Weighed], Iterable[Fault]]
ServerFunction = Callable[[WeighedServer], Iterable[Fault]]
WholeFunction = Callable[[Sequence[WeighedServer]], Iterable[Finding]]


class ToolRule(NamedTuple):
    """Judges one tool."""

    rule: FindingRule
    judge: ToolFunction


class ServerRule(NamedTuple):
    """Judges the tools of a server by one another."""

    rule: FindingRule
    judge: ServerFunction


class WholeRule(NamedTuple):
    """Judges servers by one another."""

    rule: FindingRule
    judge: WholeFunction


TOOL_RULES: Final[list[ToolRule]] = []
SERVER_RULES: Final[list[ServerRule]] = []
WHOLE_RULES: Final[list[WholeRule]] = []


def tool_rule(rule_id: str, level: Level, sentence: str) -> Callable[[ToolFunction], ToolFunction]:
    """Enter a function that judges a tool."""

    def enter(function: ToolFunction) -> ToolFunction:
        TOOL_RULES.append(ToolRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def server_rule(rule_id: str, level: Level, sentence: str) -> Callable[[ServerFunction], ServerFunction]:
    """Enter a function that judges a server."""

    def enter(function: ServerFunction) -> ServerFunction:
        SERVER_RULES.append(ServerRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def whole_rule(rule_id: str, level: Level, sentence: str) -> Callable[[WholeFunction], WholeFunction]:
    """Enter a function that judges all servers."""

    def enter(function: WholeFunction) -> WholeFunction:
        WHOLE_RULES.append(WholeRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter
