"""Gathering contracts from live servers or a catalog. A server that fails is reported as a fault, never as empty."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from toolbooth import economics, errors, limits, tokens
from toolbooth.catalog import (
    Catalog,
    Json,
    NotJson,
    ServerSpec,
    ServerTools,
    SetAside,
    Tool,
    decode,
    encode_line,
    given_secrets,
    redact_raw,
    redact_text,
)
from toolbooth.contracts import digest
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract

__all__ = ["Gathered", "contracts_of", "gather_contracts", "left_out_of", "server_contract"]
_AROUND = 8  # levels of nesting that a lock adds around a definition


@dataclass(frozen=True)
class Gathered:
    """The contracts of the servers that answered, the faults of the others, and a note for each thing left out."""

    contracts: Contracts
    faults: tuple[errors.BackendFault, ...] = ()
    notes: tuple[str, ...] = ()

    def plus(self, recorded: Contracts) -> "Gathered":
        """Add servers that were read from catalogs. A live server wins over a recorded one of the same name."""
        servers = {**recorded.servers, **self.contracts.servers}
        return replace(self, contracts=replace(self.contracts, servers=servers))


class _ServerAnswer(NamedTuple):
    contract: ServerContract | None
    fault: errors.BackendFault | None = None
    notes: tuple[str, ...] = ()


def contracts_of(catalog: Catalog, encoding: str = tokens.DEFAULT_ENCODING) -> Contracts:
    """The contracts of a catalog, which has tools and instructions but no prompts or resources."""
    _refuse_namesakes(server.server for server in catalog.servers)
    return Contracts(
        {server.server: server_contract(server, encoding=encoding) for server in catalog.servers}, encoding
    )


def left_out_of(catalog: Catalog) -> list[str]:
    """A note for each malformed entry of a catalog, worded as for live servers."""
    return [f"{entry.server}: {_left_out(entry)}" for entry in catalog.set_aside]


def _left_out(entry: SetAside) -> str:
    return f"tool {entry.name or '(no name)'} is left out: {entry.reason}"


async def gather_contracts(
    specs: Sequence[ServerSpec],
    encoding: str = tokens.DEFAULT_ENCODING,
    on_asked: Callable[[ServerSpec], None] | None = None,
) -> Gathered:
    """Ask all servers at once for everything they offer."""
    if not specs:
        return Gathered(Contracts({}, encoding))  # avoids the import of the SDK, which takes a second
    from toolbooth.catalog.connect import each_at_once

    _refuse_namesakes(spec.name for spec in specs)

    async def one(spec: ServerSpec) -> _ServerAnswer:
        answer = await _ask(spec, encoding)
        if on_asked is not None:
            on_asked(spec)
        return answer

    answers = await each_at_once(specs, one)
    return Gathered(
        Contracts({each.contract.server: each.contract for each in answers if each.contract}, encoding),
        tuple(each.fault for each in answers if each.fault),
        tuple(note for each in answers for note in each.notes),
    )


def _refuse_namesakes(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise errors.UserMistake(f"two servers are named {name}; rename one of them in the config")
        seen.add(name)


async def _ask(spec: ServerSpec, encoding: str) -> _ServerAnswer:
    from toolbooth.catalog.connect import ask
    from toolbooth.contracts import server_listing

    try:
        listing = await ask(spec, lambda peer: server_listing.list_server(peer, spec))
    except errors.BackendFault as fault:
        return _ServerAnswer(None, fault)
    secrets = given_secrets(spec)
    tools, notes = _lockable(listing.tools)
    contract = replace(
        server_contract(tools, secrets, encoding),
        prompts=_in_order(listing.prompts, secrets),
        resources=_in_order(listing.resources, secrets),
        templates=_in_order(listing.templates, secrets),
    )
    return _ServerAnswer(contract, notes=tuple(f"{spec.name}: {note}" for note in (*listing.notes, *notes)))


def _in_order(entries: Iterable[Json], secrets: Sequence[str]) -> tuple[Json, ...]:
    """Sorted by content, because the order in which a server lists them means nothing."""
    kept = (redact_raw(entry, secrets) for entry in entries if _fits_into_a_lock(entry))
    return tuple(sorted(kept, key=digest.canonical_bytes))


def _lockable(server: ServerTools) -> tuple[ServerTools, list[str]]:
    notes = [_left_out(entry) for entry in server.set_aside]
    tools = tuple(tool for tool in server.tools if _fits_into_a_lock(tool.raw))
    kept = {tool.name for tool in tools}
    deep = [tool.name for tool in server.tools if tool.name not in kept]
    notes += [f"tool {name} is left out: it is nested too deeply for a lock" for name in deep]
    return replace(server, tools=tools), notes


def server_contract(
    server: ServerTools, secrets: Sequence[str] = (), encoding: str = tokens.DEFAULT_ENCODING
) -> ServerContract:
    """The contract of one server, with the tokens of each tool. `secrets` are redacted first."""
    tools = [Tool.from_raw(tool.server, redact_raw(tool.raw, secrets)) for tool in server.tools]
    weights = tokens.weigh(tools, encoding)
    return ServerContract(
        server=server.server,
        tools={
            tool.name: ToolContract(tool.server, tool.name, tool.raw, weight.tokens, economics_of(tool))
            for tool, weight in zip(tools, weights, strict=True)
        },
        instructions=redact_text(server.instructions or "", secrets),
        title=redact_text(server.title, secrets),
        version=redact_text(server.version, secrets),
        unusable={
            entry.name: redact_text(entry.reason, secrets)
            for entry in server.set_aside
            if entry.name and entry.kind == "malformed"
        },
    )


def economics_of(tool: Tool) -> Economics:
    """From the definition alone: a cap in the user's config is not part of what a server offers."""
    answers = economics.answer_risk(tool)
    profile = answers.profile
    return Economics(
        risk=answers.risk.value if answers.risk is not None else "",
        bounded=answers.bounded,
        fields=len(profile.fields) if profile else 0,
        overhead=profile.min_tokens if profile else 0,
    )


def _fits_into_a_lock(raw: Json) -> bool:
    """Whether a lock around it stays within the depth that our JSON reader accepts."""
    text = encode_line(raw)
    if text.count(b"{") + text.count(b"[") + _AROUND < limits.MAX_JSON_DEPTH:
        return True
    try:
        decode(b"[" * _AROUND + text + b"]" * _AROUND)
    except NotJson:
        return False
    return True
