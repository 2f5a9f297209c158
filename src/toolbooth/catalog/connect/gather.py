"""Many server specs → what each offers or why not, all at once, each with its own deadline."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import anyio

from toolbooth.catalog.connect.connected import connected
from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.connect.listing import list_tools
from toolbooth.catalog.secrets import given_secrets, offer_without, wire_without, without_secrets
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import encode_line
from toolbooth.catalog.tool import ServerTools, Tool
from toolbooth.errors import (
    BackendFault,
    BackendProtocolError,
    BackendTimeout,
)
from toolbooth.limits import LIST_TIMEOUT, MAX_PARALLEL_CONNECTS

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Reached:
    """How one server fared: `tools` or a `fault`, never both."""

    spec: ServerSpec
    tools: ServerTools | None = None
    fault: BackendFault | None = None


def _silent(_reached: Reached) -> None:
    return None


async def reach_all(
    specs: Sequence[ServerSpec], on_reached: Callable[[Reached], None] = _silent
) -> tuple[Reached, ...]:
    """Connect to every server at once; the answers stand in the order of the specs."""

    async def one(spec: ServerSpec) -> Reached:
        reached = await reach(spec)
        on_reached(reached)
        return reached

    return await each_at_once(specs, one)


async def each_at_once(
    specs: Sequence[ServerSpec], one: Callable[[ServerSpec], Awaitable[Answer]]
) -> tuple[Answer, ...]:
    """Do the same with every server, as many at once as is good for them; the answers stand in their order."""
    results: dict[int, Answer] = {}
    room = anyio.CapacityLimiter(MAX_PARALLEL_CONNECTS)

    async def numbered(index: int, spec: ServerSpec) -> None:
        async with room:
            results[index] = await one(spec)

    async with anyio.create_task_group() as tasks:
        for index, spec in enumerate(specs):
            tasks.start_soon(numbered, index, spec)
    return tuple(results[index] for index in range(len(specs)))


async def reach(spec: ServerSpec) -> Reached:
    """Connect, list and disconnect, within the spec's deadline."""
    try:
        tools = await ask(spec, lambda link: list_tools(link, spec.name, list_timeout(spec)))
        return Reached(spec, tools=_shareable(tools, given_secrets(spec)))
    except BackendFault as fault:
        return Reached(spec, fault=fault)


def _shareable(offered: ServerTools, secrets: Sequence[str]) -> ServerTools:
    """What is weighed, saved and shown quotes nothing that the server was given; whole tools alone are rebuilt."""
    tools = tuple(
        Tool.from_wire(tool.server, wire_without(tool.wire, secrets)) if _quotes(tool, secrets) else tool
        for tool in offered.tools
    )
    return replace(offer_without(offered, secrets), tools=tools)


def _quotes(tool: Tool, secrets: Sequence[str]) -> bool:
    text = encode_line(tool.wire).decode("utf-8", "replace")
    return any(secret in text for secret in secrets)


async def ask(spec: ServerSpec, question: Callable[[Link], Awaitable[Answer]]) -> Answer:
    """Connect, ask and disconnect, within the spec's deadline; all that fails is one BackendFault, without secrets."""
    try:
        with anyio.fail_after(spec.timeout):
            async with connected(spec) as link:
                return await question(link)
    except TimeoutError:
        raise _late(spec) from None
    except BackendFault as fault:
        raise _told(fault, spec) from None
    except Exception as error:  # whatever a library makes of a strange server or address: the others go on
        raise _told(BackendProtocolError(f"cannot be used ({type(error).__name__})"), spec) from None


def list_timeout(spec: ServerSpec) -> float:
    """Seconds for one page of a list."""
    return max(LIST_TIMEOUT, spec.timeout)


def _told(fault: BackendFault, spec: ServerSpec) -> BackendFault:
    fault.server, fault.message = spec.name, without_secrets(fault.message, spec)
    return fault


def _late(spec: ServerSpec) -> BackendTimeout:
    return BackendTimeout(f"did not answer within {spec.timeout:g} s; raise it with --timeout", spec.name)
