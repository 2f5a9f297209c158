"""Contracts × contracts → all changes, the worst first."""

from collections.abc import Iterator

from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.change import Change, Diff
from toolbooth.contracts.contract import Contracts, ServerContract, ToolContract
from toolbooth.contracts.diff.costs import budget_changes
from toolbooth.contracts.diff.made import change, short
from toolbooth.contracts.diff.offers import offer_changes
from toolbooth.contracts.diff.renames import renamed
from toolbooth.contracts.diff.tools import tool_changes


def diff_contracts(before: Contracts, after: Contracts, budgets: Budgets | None = None) -> Diff:
    """What changed from `before` to `after`; budgets are held against `after`, growth against both."""
    found = list(_changes(before, after))
    if budgets:
        found += budget_changes(before, after, budgets)
    return Diff(tuple(sorted(found, key=_order)))


def _order(found: Change) -> tuple[int, str, str, str, str]:
    return -found.severity, found.server, found.tool, found.path, found.rule


def _changes(before: Contracts, after: Contracts) -> Iterator[Change]:
    for name in sorted({*before.servers, *after.servers}):
        old, new = before.servers.get(name), after.servers.get(name)
        if old is not None and new is not None:
            yield from offer_changes(old, new)
            yield from _tools(old, new)
        elif new is not None:
            yield change("server-added", name, "", "/", None, _whole(new), detail=_number(new))
        elif old is not None:
            yield change("server-removed", name, "", "/", sorted(old.tools), None, detail=_number(old))


def _number(server: ServerContract) -> str:
    return f"{len(server.tools):,} tool{'' if len(server.tools) == 1 else 's'}"


def _whole(server: ServerContract) -> dict[str, object]:
    """All that a model reads of a server."""
    said = {
        "title": server.title,
        "instructions": server.instructions,
        "prompts": list(server.prompts),
        "resources": list(server.resources),
        "templates": list(server.templates),
        "tools": [tool.wire for tool in server.tools.values()],
    }
    return {key: value for key, value in said.items() if value}


def _described(old: ToolContract) -> tuple[str, str, None]:
    """The place and the values that tell a person what went."""
    return "/description", str(old.wire.get("description") or old.name), None


def _tools(before: ServerContract, after: ServerContract) -> Iterator[Change]:
    old, new = before.tools, after.tools
    gone, come = old.keys() - new.keys(), new.keys() - old.keys()
    names = renamed((old[name] for name in gone), (new[name] for name in come))
    server = after.server
    for name in sorted(gone):
        if name in names:
            yield change("tool-renamed", server, names[name], "/name", name, names[name])
        elif name in after.unusable:
            why = short(after.unusable[name])
            yield change("tool-unusable", server, name, *_described(old[name]), detail=why)
        else:
            yield change("tool-removed", server, name, *_described(old[name]))
    for name in sorted(come - set(names.values())):
        yield change("tool-added", server, name, "/", None, new[name].wire)
    for name in sorted(old.keys() & new.keys()):
        yield from tool_changes(old[name], new[name])
