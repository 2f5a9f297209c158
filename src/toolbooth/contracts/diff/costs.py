"""Contracts and budgets → what takes more tokens than it may."""

from collections.abc import Iterator

from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.change import Change
from toolbooth.contracts.contract import Contracts, ToolContract
from toolbooth.contracts.diff.made import change
from toolbooth.economics import answer_risk
from toolbooth.tokens import weigh


def budget_changes(before: Contracts, after: Contracts, budgets: Budgets) -> Iterator[Change]:
    """A budget that was passed before is still passed: it is said until somebody mends or raises it."""
    tools = after.tools()
    total = sum(tool.tokens for tool in tools.values())
    if budgets.total is not None and total > budgets.total:
        yield change("total-over-budget", "", "", "", budgets.total, total)
    for name, server in sorted(after.servers.items()):
        allowed, tokens = budgets.of_server(name), sum(tool.tokens for tool in server.tools.values())
        if allowed is not None and tokens > allowed:
            yield change("server-over-budget", name, "", "", allowed, tokens)
    known = before.tools()
    tokens_before = tokens_of(before, after.encoding) if _limits_growth(budgets) else {}
    for tool_id, tool in tools.items():
        yield from _over_budget(tool, budgets)
        if tool_id in known and tool_id in tokens_before:
            yield from _grown(tool, tokens_before[tool_id], budgets)


def tokens_of(contracts: Contracts, encoding: str) -> dict[str, int]:
    """Definition tokens of each tool in that encoding, by id."""
    tools = contracts.tools()
    if contracts.encoding == encoding:
        return {tool_id: tool.tokens for tool_id, tool in tools.items()}
    weights = weigh([tool.tool for tool in tools.values()], encoding)
    return {tool_id: weight.tokens for tool_id, weight in zip(tools, weights, strict=True)}


def _limits_growth(budgets: Budgets) -> bool:
    return budgets.growth_tokens is not None or budgets.growth_percent is not None


def _over_budget(tool: ToolContract, budgets: Budgets) -> Iterator[Change]:
    allowed = budgets.of_tool(tool.id)
    if allowed is not None and tool.tokens > allowed:
        yield change("tool-over-budget", tool.server, tool.name, "", allowed, tool.tokens)
    allowed = budgets.of_answer(tool.id)
    profile = answer_risk(tool.tool).profile if allowed is not None else None
    if profile is not None and allowed is not None and profile.max_tokens > allowed:
        yield change("answer-over-budget", tool.server, tool.name, "", allowed, profile.max_tokens)


def _grown(tool: ToolContract, before: int, budgets: Budgets) -> Iterator[Change]:
    grown = tool.tokens - before
    by_tokens = budgets.growth_tokens is not None and grown > budgets.growth_tokens
    by_share = budgets.growth_percent is not None and 100 * grown > budgets.growth_percent * before
    if grown > 0 and (by_tokens or by_share):
        yield change("tool-grew", tool.server, tool.name, "", before, tool.tokens)
