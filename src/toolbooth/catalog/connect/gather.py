"""Many server specs → what each offers or why not, all at once, each with its own deadline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import anyio

from toolbooth.catalog.connect.link import open_link
from toolbooth.catalog.connect.listing import list_tools
from toolbooth.catalog.connect.negotiate import negotiate
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool import ServerTools
from toolbooth.errors import BackendFault, BackendNotFound, BackendRefused, BackendTimeout
from toolbooth.limits import MAX_PARALLEL_CONNECTS


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
        fault.server = spec.name
        return Reached(spec, fault=fault)


async def _ask(spec: ServerSpec) -> ServerTools:
    try:
        return await _ask_once(spec)
    except (BackendRefused, BackendNotFound):
        if spec.transport != "auto":
            raise
        return await _ask_once(replace(spec, transport="sse"))


async def _ask_once(spec: ServerSpec) -> ServerTools:
    async with open_link(spec) as link:
        await negotiate(link, spec.timeout)
        return await list_tools(link, spec.name)


def _late(spec: ServerSpec) -> BackendTimeout:
    return BackendTimeout(f"did not answer within {spec.timeout:g} s; raise it with --timeout", spec.name)
