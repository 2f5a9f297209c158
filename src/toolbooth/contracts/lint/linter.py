"""The lint of a catalog or contracts: findings on quality and cost, each with the tokens that a fix saves."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from toolbooth import tokens
from toolbooth.contracts.contract import ServerDefinitions, Source, definitions_of
from toolbooth.contracts.finding import Finding, FindingRule, with_keys_masked, worst_first
from toolbooth.contracts.lint import rules as _filled  # importing the rules fills the tables
from toolbooth.contracts.lint.rule import (
    CATALOG_RULES,
    SERVER_RULES,
    TOOL_RULES,
    LintFault,
    WeighedServer,
    WeighedTool,
)

__all__ = ["lint", "lint_rules"]
RULE_MODULES = _filled


def lint_rules() -> tuple[FindingRule, ...]:
    """Every rule of the lint, the worst first."""
    entries = [entry.rule for table in (TOOL_RULES, SERVER_RULES, CATALOG_RULES) for entry in table]
    return tuple(sorted(entries, key=lambda rule: (-rule.level, rule.id)))


def lint(
    source: Source, only: Collection[str] | None = None, encoding: str = tokens.DEFAULT_ENCODING
) -> tuple[Finding, ...]:
    """Judge every tool by itself, the tools of each server together, and all servers together.

    `only` keeps to the rules of these ids. Tokens are exact counts of what would go. Where text has to be
    written they are negative, by the usual length, and the message says so.
    """
    asked = frozenset(rule.id for rule in lint_rules()) if only is None else frozenset(only)
    servers = [_weighed(definitions, encoding) for definitions in definitions_of(source)]
    return worst_first(chain(_of_servers(servers, asked), _of_catalog(servers, asked)))


def _weighed(definitions: ServerDefinitions, encoding: str) -> WeighedServer:
    weights = tokens.weigh(definitions.tools, encoding)
    tools = tuple(
        WeighedTool(tool, weight, encoding) for tool, weight in zip(definitions.tools, weights, strict=True)
    )
    return WeighedServer(definitions, tools, encoding)


def _of_servers(servers: Sequence[WeighedServer], asked: Collection[str]) -> Iterator[Finding]:
    for server in servers:
        name = server.definitions.server
        for each in server.tools:
            for entry in TOOL_RULES:
                for fault in entry.judge(each) if entry.rule.id in asked else ():
                    yield _finding(entry.rule.id, name, each.tool.name, fault)
        for server_entry in SERVER_RULES:
            for fault in server_entry.judge(server) if server_entry.rule.id in asked else ():
                yield _finding(server_entry.rule.id, name, "", fault)


def _of_catalog(servers: Sequence[WeighedServer], asked: Collection[str]) -> Iterator[Finding]:
    for entry in CATALOG_RULES:
        if entry.rule.id in asked:
            yield from entry.judge(servers)


def _finding(rule: str, server: str, tool: str, fault: LintFault) -> Finding:
    quote = with_keys_masked(fault.evidence)
    return Finding(rule, fault.level, server, tool, fault.path, fault.message, quote, fault.tokens)
