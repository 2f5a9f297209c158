"""Contracts before and after, as a list of changes with the worst first.

Servers and tools are matched by name; a tool with the same definition under another name counts as renamed. Prompts,
resources, instructions and token budgets are compared here, the tools themselves in `tools`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from toolbooth import catalog, economics, schema
from toolbooth.contracts import contract
from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.change import Change, Diff
from toolbooth.contracts.diff import rules, schema_notes
from toolbooth.contracts.diff.tools import tool_changes
from toolbooth.contracts.digest import digest_of
from toolbooth.tokens import weigh

_OF_THE_NAME = ("name", "title", "icons", "_meta")


def renamed(gone: Iterable[contract.ToolContract], come: Iterable[contract.ToolContract]) -> dict[str, str]:
    """New names by old ones, only where a definition occurs once on each side; anything else would be a guess."""
    old, new = _by_definition(gone), _by_definition(come)
    return {
        old[digest][0]: new[digest][0]
        for digest in old
        if len(old[digest]) == 1 and len(new.get(digest, ())) == 1
    }


def _by_definition(tools: Iterable[contract.ToolContract]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for tool in tools:
        found[digest_of(_without_name(tool.raw))].append(tool.name)
    return dict(found)


def _without_name(raw: catalog.Json) -> catalog.Json:
    kept = {word: value for word, value in raw.items() if word not in _OF_THE_NAME}
    annotations = schema.mapping(raw.get("annotations"))
    return {**kept, "annotations": {word: value for word, value in annotations.items() if word != "title"}}


class _ListKind(NamedTuple):
    """A list of a server, and the key by which its entries are known."""

    field: str
    key: str
    rule: str


_LIST_KINDS: Final = (
    _ListKind("prompts", "name", "prompt"),
    _ListKind("resources", "uri", "resource"),
    _ListKind("templates", "uriTemplate", "template"),
)
_FOR_PEOPLE: Final = ("title", "icons", "_meta")


def server_changes(before: contract.ServerContract, after: contract.ServerContract) -> Iterator[Change]:
    """Two servers of one name."""
    server = after.server
    if before.instructions != after.instructions:
        same = schema_notes.reflowed(before.instructions) == schema_notes.reflowed(after.instructions)
        rule = "description-reflowed" if same else "instructions-changed"
        values = before.instructions, after.instructions
        yield rules.change(rule, server, "", "/instructions", *values, what="the server")
    for word in ("title", "version"):
        values = getattr(before, word), getattr(after, word)
        if values[0] != values[1]:
            yield rules.change(f"server-{word}-changed", server, "", f"/{word}", *values)
    for kind in _LIST_KINDS:
        yield from _list_changes(server, kind, getattr(before, kind.field), getattr(after, kind.field))


def _list_changes(
    server: str, kind: _ListKind, before: Sequence[catalog.Json], after: Sequence[catalog.Json]
) -> Iterator[Change]:
    old, new = ({str(entry.get(kind.key)): entry for entry in side} for side in (before, after))
    for name in sorted({*old, *new}):
        where = schema.pointer((kind.field, name))
        one, other = old.get(name), new.get(name)
        if one is None or other is None:
            rule = f"{kind.rule}-added" if one is None else f"{kind.rule}-removed"
            yield rules.change(rule, server, "", where, _described_entry(one), other, what=rules.named(name))
        elif catalog.canonical(one) != catalog.canonical(other):
            yield from _entry_changes(server, kind, where, name, one, other)


def _described_entry(entry: catalog.Json | None) -> str | None:
    """What tells a person what came or went."""
    return None if entry is None else str(entry.get("description") or entry.get("name") or "")


def _read(entry: catalog.Json) -> str:
    """What of it a model or a program reads."""
    return catalog.canonical({word: value for word, value in entry.items() if word not in _FOR_PEOPLE})


def _entry_changes(
    server: str, kind: _ListKind, pointer: str, name: str, one: catalog.Json, other: catalog.Json
) -> Iterator[Change]:
    """A further input that is asked for says nothing about what else is described otherwise."""
    asked = sorted(_required(other) - _required(one)) if kind.rule == "prompt" else []
    if asked:
        values = sorted(_required(one)), asked
        yield rules.change(
            "prompt-argument-required", server, "", f"{pointer}/arguments", *values, what=rules.named(name)
        )
    if _read(_unasked(one)) != _read(_unasked(other)) or (not asked and _read(one) != _read(other)):
        yield rules.change(f"{kind.rule}-changed", server, "", pointer, one, other, what=rules.named(name))
    elif not asked:
        yield rules.change(
            "offer-title-changed", server, "", pointer, one, other, what=f"{kind.rule} {rules.named(name)}"
        )


def _unasked(entry: catalog.Json) -> catalog.Json:
    """Without which arguments are required."""
    arguments = entry.get("arguments")
    if not isinstance(arguments, list):
        return entry
    return {**entry, "arguments": [{**schema.mapping(each), "required": None} for each in arguments]}


def _required(prompt: catalog.Json) -> set[str]:
    arguments: Any = prompt.get("arguments")
    listed = arguments if isinstance(arguments, list) else []
    return {
        str(schema.mapping(each).get("name"))
        for each in listed
        if schema.mapping(each).get("required") is True
    }


def budget_changes(
    before: contract.Contracts, after: contract.Contracts, budgets: Budgets
) -> Iterator[Change]:
    """A budget that was passed before is still passed: it is said until somebody mends or raises it."""
    tools = after.tools()
    total = sum(tool.tokens for tool in tools.values())
    if budgets.total is not None and total > budgets.total:
        yield rules.change("total-over-budget", "", "", "", budgets.total, total)
    for name, server in sorted(after.servers.items()):
        allowed, tokens = budgets.of_server(name), sum(tool.tokens for tool in server.tools.values())
        if allowed is not None and tokens > allowed:
            yield rules.change("server-over-budget", name, "", "", allowed, tokens)
    known = before.tools()
    tokens_before = tokens_of(before, after.encoding) if _limits_growth(budgets) else {}
    for tool_id, tool in tools.items():
        yield from _over_budget(tool, budgets)
        if tool_id in known and tool_id in tokens_before:
            yield from _grown(tool, tokens_before[tool_id], budgets)


def tokens_of(contracts: contract.Contracts, encoding: str) -> dict[str, int]:
    """Definition tokens of each tool in that encoding, by id."""
    tools = contracts.tools()
    if contracts.encoding == encoding:
        return {tool_id: tool.tokens for tool_id, tool in tools.items()}
    weights = weigh([tool.tool for tool in tools.values()], encoding)
    return {tool_id: weight.tokens for tool_id, weight in zip(tools, weights, strict=True)}


def _limits_growth(budgets: Budgets) -> bool:
    return budgets.growth_tokens is not None or budgets.growth_percent is not None


def _over_budget(tool: contract.ToolContract, budgets: Budgets) -> Iterator[Change]:
    allowed = budgets.of_tool(tool.id)
    if allowed is not None and tool.tokens > allowed:
        yield rules.change("tool-over-budget", tool.server, tool.name, "", allowed, tool.tokens)
    allowed = budgets.of_answer(tool.id)
    profile = economics.answer_risk(tool.tool).profile if allowed is not None else None
    if profile is not None and allowed is not None and profile.max_tokens > allowed:
        yield rules.change("answer-over-budget", tool.server, tool.name, "", allowed, profile.max_tokens)


def _grown(tool: contract.ToolContract, before: int, budgets: Budgets) -> Iterator[Change]:
    grown = tool.tokens - before
    by_tokens = budgets.growth_tokens is not None and grown > budgets.growth_tokens
    by_share = budgets.growth_percent is not None and 100 * grown > budgets.growth_percent * before
    if grown > 0 and (by_tokens or by_share):
        yield rules.change("tool-grew", tool.server, tool.name, "", before, tool.tokens)


def diff_contracts(
    before: contract.Contracts, after: contract.Contracts, budgets: Budgets | None = None
) -> Diff:
    """What changed from `before` to `after`; budgets are held against `after`, growth against both."""
    found = list(_changes(before, after))
    if budgets:
        found += budget_changes(before, after, budgets)
    return Diff(tuple(sorted(found, key=_order)))


def _order(found: Change) -> tuple[int, str, str, str, str]:
    return -found.severity, found.server, found.tool, found.path, found.rule


def _changes(before: contract.Contracts, after: contract.Contracts) -> Iterator[Change]:
    for name in sorted({*before.servers, *after.servers}):
        old, new = before.servers.get(name), after.servers.get(name)
        if old is not None and new is not None:
            yield from server_changes(old, new)
            yield from _tools(old, new)
        elif new is not None:
            yield rules.change("server-added", name, "", "/", None, _whole(new), detail=_tool_count(new))
        elif old is not None:
            yield rules.change(
                "server-removed", name, "", "/", sorted(old.tools), None, detail=_tool_count(old)
            )


def _tool_count(server: contract.ServerContract) -> str:
    return f"{len(server.tools):,} tool{'' if len(server.tools) == 1 else 's'}"


def _whole(server: contract.ServerContract) -> dict[str, object]:
    """All that a model reads of a server."""
    said = {
        "title": server.title,
        "instructions": server.instructions,
        "prompts": list(server.prompts),
        "resources": list(server.resources),
        "templates": list(server.templates),
        "tools": [tool.raw for tool in server.tools.values()],
    }
    return {key: value for key, value in said.items() if value}


def _described_tool(old: contract.ToolContract) -> tuple[str, str, None]:
    """The place and the values that tell a person what went."""
    return "/description", str(old.raw.get("description") or old.name), None


def _tools(before: contract.ServerContract, after: contract.ServerContract) -> Iterator[Change]:
    old, new = before.tools, after.tools
    gone, come = old.keys() - new.keys(), new.keys() - old.keys()
    names = renamed((old[name] for name in gone), (new[name] for name in come))
    server = after.server
    for name in sorted(gone):
        if name in names:
            yield rules.change("tool-renamed", server, names[name], "/name", name, names[name])
        elif name in after.unusable:
            why = rules.short(after.unusable[name])
            yield rules.change("tool-unusable", server, name, *_described_tool(old[name]), detail=why)
        else:
            yield rules.change("tool-removed", server, name, *_described_tool(old[name]))
    for name in sorted(come - set(names.values())):
        yield rules.change("tool-added", server, name, "/", None, new[name].raw)
    for name in sorted(old.keys() & new.keys()):
        yield from tool_changes(old[name], new[name])
