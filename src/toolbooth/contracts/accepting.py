"""A lock × what servers offer now × what a person accepts of it, and why → the next lock."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from toolbooth.contracts.contract import Contracts, ServerContract, ToolContract
from toolbooth.contracts.lock import Acceptance, Lock, own_digest
from toolbooth.errors import UserMistake

_GONE = ""


def changed_things(before: Contracts, after: Contracts) -> dict[str, str]:
    """`server.tool`, or a server for what it says beside its tools → its digest now, empty if it is gone."""
    names = sorted({*before.servers, *after.servers})
    return {
        what: digest
        for name in names
        for what, digest in _of_server(name, before.servers.get(name), after.servers.get(name))
    }


def _of_server(
    name: str, before: ServerContract | None, after: ServerContract | None
) -> Iterator[tuple[str, str]]:
    own = own_digest(after) if after else _GONE
    if not before or not after or own_digest(before) != own:
        yield name, own
    old, new = (each.tools if each else {} for each in (before, after))
    for tool in sorted({*old, *new}):
        digest = new[tool].digest if tool in new else _GONE
        if tool not in old or old[tool].digest != digest:
            yield f"{name}.{tool}", digest


def accept(
    lock: Lock, live: Contracts, names: Sequence[str], reason: str, by: str = "", at: str = ""
) -> Lock:
    """Take the named changes, or all of them, into the lock; a signature over what was before is gone.

    A name is `server.tool`, a server with all that is its own, or a tool's name where only one has it.
    """
    things = changed_things(lock.contracts, live)
    chosen = _chosen(names, things, lock.contracts, live) if names else set(things)
    contracts = replace(lock.contracts, servers=dict(_servers(lock.contracts, live, chosen)))
    taken = (Acceptance(what, things[what], reason, at, by) for what in sorted(chosen))
    return replace(lock, contracts=contracts, signature=None).with_accepted(taken)


def _servers(before: Contracts, live: Contracts, chosen: set[str]) -> Iterator[tuple[str, ServerContract]]:
    for name in sorted({*before.servers, *live.servers}):
        old, new = before.servers.get(name), live.servers.get(name)
        tools = dict(_tools(name, old, new, chosen))
        own = new if name in chosen else old
        if own is not None or tools:
            yield name, replace(own or ServerContract(name), tools=tools)


def _tools(
    server: str, old: ServerContract | None, new: ServerContract | None, chosen: set[str]
) -> Iterator[tuple[str, ToolContract]]:
    before, after = (each.tools if each else {} for each in (old, new))
    for name in sorted({*before, *after}):
        source = after if f"{server}.{name}" in chosen else before
        if name in source:
            yield name, source[name]


def _chosen(names: Iterable[str], things: dict[str, str], *known: Contracts) -> set[str]:
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
        raise UserMistake(f"{name} may be {' or '.join(found[:4])}; name it with its server")
    if found:
        return found
    if name in everything:
        raise UserMistake(f"{name} did not change: there is nothing to accept of it")
    near = get_close_matches(name, everything, n=1)
    hint = f"did you mean {near[0]}?" if near else "name a changed tool as server.tool, or a server"
    raise UserMistake(f"there is no {name}, neither in the lock nor on a server; {hint}")
