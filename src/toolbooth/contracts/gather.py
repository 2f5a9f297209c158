"""Servers, live or in a catalog → their contracts; a server that fails is a fault of its own, never an empty one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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
    redact_text,
    redact_wire,
)
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import canonical_bytes
from toolbooth.economics import answer_risk
from toolbooth.errors import BackendFault, UserMistake
from toolbooth.limits import MAX_JSON_DEPTH
from toolbooth.tokens import DEFAULT_ENCODING, weigh

__all__ = ["Gathered", "contracts_of", "gather_contracts", "left_out_of", "server_contract"]
_AROUND = 8  # levels of a lock around a definition


@dataclass(frozen=True)
class Gathered:
    """What the servers that answered offer; why the others did not; what was left out, a line each."""

    contracts: Contracts
    faults: tuple[BackendFault, ...] = ()
    notes: tuple[str, ...] = ()

    def plus(self, recorded: Contracts) -> "Gathered":
        """With servers that were read from catalogs; live ones win, names being unique before."""
        servers = {**recorded.servers, **self.contracts.servers}
        return replace(self, contracts=replace(self.contracts, servers=servers))


class _ServerAnswer(NamedTuple):
    contract: ServerContract | None
    fault: BackendFault | None = None
    notes: tuple[str, ...] = ()


def contracts_of(catalog: Catalog, encoding: str = DEFAULT_ENCODING) -> Contracts:
    """The contracts of a catalog file: tools and instructions; of prompts and resources it knows nothing."""
    _refuse_namesakes(server.server for server in catalog.servers)
    return Contracts(
        {server.server: server_contract(server, encoding=encoding) for server in catalog.servers}, encoding
    )


def left_out_of(catalog: Catalog) -> list[str]:
    """A line for each entry of a catalog that is no tool, as servers that are asked get it."""
    return [f"{entry.server}: {_left_out(entry)}" for entry in catalog.set_aside]


def _left_out(entry: SetAside) -> str:
    return f"tool {entry.name or '(no name)'} is left out: {entry.reason}"


async def gather_contracts(
    specs: Sequence[ServerSpec],
    encoding: str = DEFAULT_ENCODING,
    on_asked: Callable[[ServerSpec], None] | None = None,
) -> Gathered:
    """Ask every server at once for all that it offers."""
    if not specs:
        return Gathered(Contracts({}, encoding))  # a saved catalog needs no SDK, whose import takes a second
    from toolbooth.catalog.connect import each_at_once

    _refuse_namesakes(spec.name for spec in specs)

    async def one(spec: ServerSpec) -> _ServerAnswer:
        told = await _ask(spec, encoding)
        if on_asked is not None:
            on_asked(spec)
        return told

    told = await each_at_once(specs, one)
    return Gathered(
        Contracts({each.contract.server: each.contract for each in told if each.contract}, encoding),
        tuple(each.fault for each in told if each.fault),
        tuple(note for each in told for note in each.notes),
    )


def _refuse_namesakes(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UserMistake(f"two servers are called {name}; give one of them another name in the config")
        seen.add(name)


async def _ask(spec: ServerSpec, encoding: str) -> _ServerAnswer:
    from toolbooth.catalog.connect import ask
    from toolbooth.contracts.server_listing import list_server

    try:
        listing = await ask(spec, lambda peer: list_server(peer, spec))
    except BackendFault as fault:
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
    """In an order of ours: that in which a server lists them says nothing."""
    kept = (redact_wire(entry, secrets) for entry in entries if _fits_into_a_lock(entry))
    return tuple(sorted(kept, key=canonical_bytes))


def _lockable(server: ServerTools) -> tuple[ServerTools, list[str]]:
    notes = [_left_out(entry) for entry in server.set_aside]
    tools = tuple(tool for tool in server.tools if _fits_into_a_lock(tool.wire))
    kept = {tool.name for tool in tools}
    deep = [tool.name for tool in server.tools if tool.name not in kept]
    notes += [f"tool {name} is left out: it is nested too deeply for a lock" for name in deep]
    return replace(server, tools=tools), notes


def server_contract(
    server: ServerTools, secrets: Sequence[str] = (), encoding: str = DEFAULT_ENCODING
) -> ServerContract:
    """What one server says of itself and its tools, each weighed; `secrets` are taken out first."""
    tools = [Tool.from_wire(tool.server, redact_wire(tool.wire, secrets)) for tool in server.tools]
    weights = weigh(tools, encoding)
    return ServerContract(
        server=server.server,
        tools={
            tool.name: ToolContract(tool.server, tool.name, tool.wire, weight.tokens, economics_of(tool))
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
    """From the wire alone: what a config caps is no part of what a server promises."""
    answers = answer_risk(tool)
    profile = answers.profile
    return Economics(
        risk=answers.risk.value if answers.risk is not None else "",
        bounded=answers.bounded,
        fields=len(profile.fields) if profile else 0,
        overhead=profile.min_tokens if profile else 0,
    )


def _fits_into_a_lock(wire: Json) -> bool:
    """A lock stands around it, and our reader of JSON ends at a depth."""
    text = encode_line(wire)
    if text.count(b"{") + text.count(b"[") + _AROUND < MAX_JSON_DEPTH:
        return True
    try:
        decode(b"[" * _AROUND + text + b"]" * _AROUND)
    except NotJson:
        return False
    return True
