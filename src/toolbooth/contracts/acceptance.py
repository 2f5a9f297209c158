"""Accepting changes: the differences between a lock and live contracts, the scan's findings in them, and the next lock.

A text that did not change is not judged again. A high finding in a changed text must be accepted by name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolbooth import errors, suggest
from toolbooth.contracts import contract
from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.lock import Acceptance, Lock, server_text_digest

_REMOVED = ""


def changed_things(before: contract.Contracts, after: contract.Contracts) -> dict[str, str]:
    """Map each changed `server.tool`, and each server whose own texts changed, to its digest now: empty if removed."""
    names = sorted({*before.servers, *after.servers})
    return {
        what: digest
        for name in names
        for what, digest in _of_server(name, before.servers.get(name), after.servers.get(name))
    }


def _of_server(
    name: str, before: contract.ServerContract | None, after: contract.ServerContract | None
) -> Iterator[tuple[str, str]]:
    own = server_text_digest(after) if after else _REMOVED
    if not before or not after or server_text_digest(before) != own:
        yield name, own
    old, new = (each.tools if each else {} for each in (before, after))
    for tool in sorted({*old, *new}):
        digest = new[tool].digest if tool in new else _REMOVED
        if tool not in old or old[tool].digest != digest:
            yield f"{name}.{tool}", digest


def accept(
    lock: Lock, live: contract.Contracts, names: Sequence[str], reason: str, by: str = "", at: str = ""
) -> Lock:
    """Take the named changes, or all of them, into the lock. The old signature is dropped, since it no longer fits.

    A name is `server.tool`, a server with everything it has, or the name of a tool that only one server has.
    """
    things = changed_things(lock.contracts, live)
    chosen = _chosen(names, things, lock.contracts, live) if names else set(things)
    contracts = replace(lock.contracts, servers=dict(_servers(lock.contracts, live, chosen)))
    taken = (Acceptance(what, things[what], reason, at, by) for what in sorted(chosen))
    return replace(lock, contracts=contracts, signature=None).with_accepted(taken)


def _servers(
    before: contract.Contracts, live: contract.Contracts, chosen: set[str]
) -> Iterator[tuple[str, contract.ServerContract]]:
    for name in sorted({*before.servers, *live.servers}):
        old, new = before.servers.get(name), live.servers.get(name)
        tools = dict(_tools(name, old, new, chosen))
        own = new if name in chosen else old
        if own is not None or tools:
            yield name, replace(own or contract.ServerContract(name), tools=tools)


def _tools(
    server: str, old: contract.ServerContract | None, new: contract.ServerContract | None, chosen: set[str]
) -> Iterator[tuple[str, contract.ToolContract]]:
    before, after = (each.tools if each else {} for each in (old, new))
    for name in sorted({*before, *after}):
        source = after if f"{server}.{name}" in chosen else before
        if name in source:
            yield name, source[name]


def _chosen(names: Iterable[str], things: dict[str, str], *known: contract.Contracts) -> set[str]:
    everything = {what for each in known for what in (*each.servers, *each.tools())}
    return {what for name in names for what in _meant(name, things, everything)}


def _meant(name: str, things: dict[str, str], everything: set[str]) -> list[str]:
    if "." not in name and name in everything:
        found = [what for what in things if what == name or what.startswith(f"{name}.")]
    elif name in things:
        found = [name]
    else:
        found = [what for what in things if what.partition(".")[2] == name]
    if len(found) > 1 and name not in everything:
        raise errors.UserMistake(f"{name} may be {' or '.join(found[:4])}; write it as server.tool")
    if found:
        return found
    if name in everything:
        raise errors.UserMistake(f"{name} did not change, so there is nothing to accept")
    hint = suggest.did_you_mean(name, everything, "name a changed tool as server.tool, or a server")
    raise errors.UserMistake(f"{name} is neither in the lock nor on a server; {hint}")


LEAST: Final = Level.MEDIUM  # lower findings are about style, and would bury what matters
_ABSENT: Final = object()


def changed_findings(before: contract.Contracts, after: contract.Contracts) -> tuple[Finding, ...]:
    """Return the findings in changed texts, worst first. Unchanged texts were accepted before, so they are left out."""
    from toolbooth.contracts.scan import scan
    from toolbooth.contracts.scan.rule import CATALOG_RULES

    things = changed_things(before, after)
    if not things:
        return ()
    old = {_key(finding) for finding in scan(_only(before, things))}
    # Names are compared with those of every other server
    beside = scan(after, {entry.rule.id for entry in CATALOG_RULES})
    found = {_key(each): each for each in (*scan(_only(after, things)), *beside) if each.where in things}
    return tuple(
        finding
        for finding in sorted(found.values(), key=_order)
        if finding.level >= LEAST and (_key(finding) not in old or _differs(finding, before, after))
    )


def _key(finding: Finding) -> tuple[str, str, str, str, int]:
    return finding.rule, finding.server, finding.tool, finding.path, finding.level


def _order(finding: Finding) -> tuple[int, str, str, str, str]:
    return -finding.level, finding.server, finding.tool, finding.path, finding.rule


def _only(contracts: contract.Contracts, things: Mapping[str, str]) -> contract.Contracts:
    """Keep only the tools, and the servers' own texts, that differ between the two sides."""
    kept = {name: _part(server, things) for name, server in contracts.servers.items()}
    return replace(contracts, servers=kept)


def _part(server: contract.ServerContract, things: Mapping[str, str]) -> contract.ServerContract:
    tools = {name: tool for name, tool in server.tools.items() if tool.id in things}
    if server.server in things:
        return replace(server, tools=tools)
    return contract.ServerContract(server.server, tools)


def _differs(finding: Finding, before: contract.Contracts, after: contract.Contracts) -> bool:
    old, new = (_at(finding, side.servers.get(finding.server)) for side in (before, after))
    return old is _ABSENT or bool(old != new)


def _at(finding: Finding, server: contract.ServerContract | None) -> Any:
    """Return the value at the finding's path. A path that leads nowhere counts as changed."""
    if server is None or (finding.tool and finding.tool not in server.tools):
        return _ABSENT
    value: Any = server.tools[finding.tool].raw if finding.tool else vars(server)
    for step in finding.path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return _ABSENT
    return value


def unaccepted(findings: Iterable[Finding], named: Sequence[str]) -> list[Finding]:
    """Return the high findings that no name accepts; raises UserMistake for a name that fits no high finding.

    A name is a rule, or `RULE:SERVER.TOOL`, as for `scan --ignore`.
    """
    high = [finding for finding in findings if finding.level is Level.HIGH]
    for name in named:
        if not any(is_named(finding, name) for finding in high):
            known = sorted({name_of(finding) for finding in high} | {finding.rule for finding in high})
            hint = suggest.did_you_mean(name, known, "leave it out", alike=30)
            raise errors.UserMistake(
                f"--accept-findings {name}: the changed texts have no high finding of that name; {hint}"
            )
    return [finding for finding in high if not any(is_named(finding, name) for name in named)]


def is_named(finding: Finding, name: str) -> bool:
    """Whether a value of `--accept-findings` means this finding."""
    rule, _, where = name.partition(":")
    return rule == finding.rule and where in ("", finding.server, finding.where)


def name_of(finding: Finding) -> str:
    """The name that means this finding of this tool alone."""
    return f"{finding.rule}:{finding.where}"
