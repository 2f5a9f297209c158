"""Listing what servers offer: all servers at once, each within its own deadline, with every page of each list."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import anyio

from toolbooth import errors, limits
from toolbooth.catalog import server_spec, strict_json
from toolbooth.catalog.connect.connecting import connected
from toolbooth.catalog.connect.peer import Peer
from toolbooth.catalog.secrets import given_secrets, redact_raw, redact_secrets, redact_server_tools
from toolbooth.catalog.tool import ServerTools, Tool, sort_entries


class Entries(NamedTuple):
    """All entries of a list as they were sent; `cut` says why the list is incomplete, if it is."""

    entries: list[Any]
    cut: str = ""


async def list_tools(peer: Peer, server: str, timeout: float = limits.LIST_TIMEOUT) -> ServerTools:
    """Ask for all tools, page by page."""
    listed = peer.protocol.offers_tools
    entries, cut = await list_entries(peer, "tools/list", "tools", timeout) if listed else Entries([])
    info = peer.protocol.server_info
    return sort_entries(
        server,
        entries,
        cut=cut,
        instructions=_text(peer.protocol.hello.get("instructions")),
        title=_text(info.get("title") or info.get("name")) or "",
        version=_text(info.get("version")) or "",
        protocol=peer.protocol.version,
    )


async def list_entries(peer: Peer, method: str, key: str, timeout: float = limits.LIST_TIMEOUT) -> Entries:
    """Ask for a list, page by page; `key` is the name of the list in an answer."""
    entries: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _page in range(limits.MAX_PAGES):
        result = await peer.request(method, {"cursor": cursor} if cursor else None, timeout)
        page = result.get(key)
        if not isinstance(page, list):
            raise errors.BackendProtocolError(f"answered {method} without a list of {key}")
        entries += page
        cursor = _text(result.get("nextCursor"))
        if not cursor or len(entries) > limits.MAX_TOOLS:
            return Entries(entries)
        if cursor in seen:
            return Entries(entries, "its pages repeat; the list may be incomplete")
        seen.add(cursor)
    return Entries(entries, f"its list has more than {limits.MAX_PAGES} pages; the rest is not read")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Reached:
    """The outcome of one server: `tools` or a `fault`, never both."""

    spec: server_spec.ServerSpec
    tools: ServerTools | None = None
    fault: errors.BackendFault | None = None


def _silent(_reached: Reached) -> None:
    return None


async def reach_all(
    specs: Sequence[server_spec.ServerSpec], on_reached: Callable[[Reached], None] = _silent
) -> tuple[Reached, ...]:
    """Connect to all servers at once; the results are in the order of the specs."""

    async def one(spec: server_spec.ServerSpec) -> Reached:
        reached = await reach(spec)
        on_reached(reached)
        return reached

    return await each_at_once(specs, one)


async def each_at_once(
    specs: Sequence[server_spec.ServerSpec], one: Callable[[server_spec.ServerSpec], Awaitable[Answer]]
) -> tuple[Answer, ...]:
    """Do the same with every server, at most MAX_PARALLEL_CONNECTS at once; the results are in their order."""
    results: dict[int, Answer] = {}
    limiter = anyio.CapacityLimiter(limits.MAX_PARALLEL_CONNECTS)

    async def numbered(index: int, spec: server_spec.ServerSpec) -> None:
        async with limiter:
            results[index] = await one(spec)

    async with anyio.create_task_group() as tasks:
        for index, spec in enumerate(specs):
            tasks.start_soon(numbered, index, spec)
    return tuple(results[index] for index in range(len(specs)))


async def reach(spec: server_spec.ServerSpec) -> Reached:
    """Connect, list and disconnect, within the spec's deadline."""
    try:
        tools = await ask(spec, lambda peer: list_tools(peer, spec.name, list_timeout(spec)))
        return Reached(spec, tools=_shareable(tools, given_secrets(spec)))
    except errors.BackendFault as fault:
        return Reached(spec, fault=fault)


def _shareable(offered: ServerTools, secrets: Sequence[str]) -> ServerTools:
    """The tools without the secrets that the server was given; only tools that quote one are rebuilt."""
    tools = tuple(
        Tool.from_raw(tool.server, redact_raw(tool.raw, secrets)) if _quotes(tool, secrets) else tool
        for tool in offered.tools
    )
    return replace(redact_server_tools(offered, secrets), tools=tools)


def _quotes(tool: Tool, secrets: Sequence[str]) -> bool:
    text = strict_json.encode_line(tool.raw).decode("utf-8", "replace")
    return any(secret in text for secret in secrets)


async def ask(spec: server_spec.ServerSpec, question: Callable[[Peer], Awaitable[Answer]]) -> Answer:
    """Connect, ask and disconnect within the spec's deadline; any failure is one BackendFault without secrets."""
    try:
        with anyio.fail_after(spec.timeout):
            async with connected(spec) as peer:
                return await question(peer)
    except TimeoutError:
        raise _late(spec) from None
    except errors.BackendFault as fault:
        raise _with_server(fault, spec) from None
    except Exception as error:  # a library may raise anything for a strange server; the other servers go on
        raise _with_server(
            errors.BackendProtocolError(f"cannot be used ({type(error).__name__})"), spec
        ) from None


def list_timeout(spec: server_spec.ServerSpec) -> float:
    """The seconds allowed for one page of a list."""
    return max(limits.LIST_TIMEOUT, spec.timeout)


def _with_server(fault: errors.BackendFault, spec: server_spec.ServerSpec) -> errors.BackendFault:
    fault.server, fault.message = spec.name, redact_secrets(fault.message, spec)
    return fault


def _late(spec: server_spec.ServerSpec) -> errors.BackendTimeout:
    return errors.BackendTimeout(
        f"did not answer within {spec.timeout:g} s; raise it with --timeout", spec.name
    )
