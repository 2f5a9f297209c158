"""Many server specs → what each offers or why not, all at once, each with its own deadline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio

from toolbooth.catalog.connect.connected import connected
from toolbooth.catalog.connect.listing import list_tools
from toolbooth.catalog.secrets import without_secrets
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool import ServerTools
from toolbooth.errors import (
    BackendFault,
    BackendProtocolError,
    BackendTimeout,
)
from toolbooth.limits import LIST_TIMEOUT, MAX_PARALLEL_CONNECTS


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
    results: dict[int, Reached] = {}
    room = anyio.CapacityLimiter(MAX_PARALLEL_CONNECTS)

    async def one(index: int, spec: ServerSpec) -> None:
        async with room:
            results[index] = await reach(spec)
        on_reached(results[index])

    async with anyio.create_task_group() as tasks:
        for index, spec in enumerate(specs):
            tasks.start_soon(one, index, spec)
    return tuple(results[index] for index in range(len(specs)))


async def reach(spec: ServerSpec) -> Reached:
    """Connect, list and disconnect, within the spec's deadline."""
    try:
        with anyio.fail_after(spec.timeout):
            return Reached(spec, tools=await _ask(spec))
    except TimeoutError:
        return Reached(spec, fault=_late(spec))
    except BackendFault as fault:
        return Reached(spec, fault=_told(fault, spec))
    except Exception as error:  # whatever a library makes of a strange server or address: the others go on
        return Reached(
            spec, fault=_told(BackendProtocolError(f"cannot be used ({type(error).__name__})"), spec)
        )


def _told(fault: BackendFault, spec: ServerSpec) -> BackendFault:
    fault.server, fault.message = spec.name, without_secrets(fault.message, spec)
    return fault


async def _ask(spec: ServerSpec) -> ServerTools:
    async with connected(spec) as link:
        return await list_tools(link, spec.name, max(LIST_TIMEOUT, spec.timeout))


def _late(spec: ServerSpec) -> BackendTimeout:
    return BackendTimeout(f"did not answer within {spec.timeout:g} s; raise it with --timeout", spec.name)
