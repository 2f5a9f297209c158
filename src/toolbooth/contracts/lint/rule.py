"""The table of lint rules, filled by decorators: on one tool, on one server, or on all servers at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from toolbooth import catalog
from toolbooth.contracts.contract import ServerDefinitions
from toolbooth.contracts.finding import Finding, FindingRule, Level
from toolbooth.tokens import Weight, count


class LintFault(NamedTuple):
    """What a rule wants fixed. `tokens` is what the fix saves, negative if it costs."""

    level: Level
    path: str
    message: str
    evidence: str = ""
    tokens: int = 0


@dataclass(frozen=True)
class WeighedTool:
    """One tool with its weight, and the encoding that its texts are counted in."""

    tool: catalog.Tool
    weight: Weight
    encoding: str

    def tokens(self, text: str) -> int:
        """What a text costs."""
        return count(text, self.encoding)


@dataclass(frozen=True)
class WeighedServer:
    """One server's tools, weighed."""

    definitions: ServerDefinitions
    tools: tuple[WeighedTool, ...]
    encoding: str


ToolFunction = Callable[[WeighedTool], Iterable[LintFault]]
ServerFunction = Callable[[WeighedServer], Iterable[LintFault]]
CatalogFunction = Callable[[Sequence[WeighedServer]], Iterable[Finding]]


class ToolLintRule(NamedTuple):
    """Judges one tool."""

    rule: FindingRule
    judge: ToolFunction


class ServerLintRule(NamedTuple):
    """Judges the tools of one server together."""

    rule: FindingRule
    judge: ServerFunction


class CatalogLintRule(NamedTuple):
    """Judges all servers together."""

    rule: FindingRule
    judge: CatalogFunction


TOOL_RULES: Final[list[ToolLintRule]] = []
SERVER_RULES: Final[list[ServerLintRule]] = []
CATALOG_RULES: Final[list[CatalogLintRule]] = []


def tool_rule(rule_id: str, level: Level, sentence: str) -> Callable[[ToolFunction], ToolFunction]:
    """Enter a function that judges a tool."""

    def enter(function: ToolFunction) -> ToolFunction:
        TOOL_RULES.append(ToolLintRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def server_rule(rule_id: str, level: Level, sentence: str) -> Callable[[ServerFunction], ServerFunction]:
    """Enter a function that judges a server."""

    def enter(function: ServerFunction) -> ServerFunction:
        SERVER_RULES.append(ServerLintRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def catalog_rule(rule_id: str, level: Level, sentence: str) -> Callable[[CatalogFunction], CatalogFunction]:
    """Enter a function that judges all servers."""

    def enter(function: CatalogFunction) -> CatalogFunction:
        CATALOG_RULES.append(CatalogLintRule(FindingRule(rule_id, level, sentence), function))
        return function

    return enter
