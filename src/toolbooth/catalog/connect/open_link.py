"""A server spec → a running link over the transport that the spec names."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio

from toolbooth.catalog.connect.face import OWN_FACE, Face
from toolbooth.catalog.connect.http import http_fault, open_http
from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.connect.sse import open_sse
from toolbooth.catalog.connect.stdio import open_stdio
from toolbooth.catalog.connect.stream_wire import StreamWire
from toolbooth.catalog.connect.wire import Wire
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import BackendCrashed, BackendFault


@asynccontextmanager
async def open_link(
    spec: ServerSpec, face: Face = OWN_FACE, environ: Mapping[str, str] | None = None
) -> AsyncIterator[Link]:
    """Open the transport and run the connection; the caller negotiates.

    Whatever fails, in the SDK's task groups or in ours, comes out as one BackendFault with the server's name.
    """
    link: Link | None = None
    try:
        async with _open_wire(spec, environ) as wire, anyio.create_task_group() as tasks:
            link = Link(wire, face)
            await tasks.start(link.run)
            try:
                yield link
            finally:
                tasks.cancel_scope.cancel()
    except Exception as error:
        fault = single_fault(error, spec)
        if link is not None and isinstance(fault, BackendFault):
            link.end(fault)
        raise fault from None
    finally:
        if link is not None:
            link.end(BackendCrashed("the connection was closed"))


@asynccontextmanager
async def _open_wire(spec: ServerSpec, environ: Mapping[str, str] | None) -> AsyncIterator[Wire]:
    if spec.transport == "stdio":
        async with open_stdio(spec, environ) as wire:
            yield wire
    elif spec.transport == "sse":
        async with open_sse(spec) as events:
            yield events
    else:
        async with open_http(spec) as channel:
            yield StreamWire(channel)


def single_fault(error: BaseException, spec: ServerSpec) -> Exception:
    """The first real cause in a group, typed. A bug of ours stays what it is."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    fault = _typed(error)
    if isinstance(fault, BackendFault):
        fault.server = fault.server or spec.name
    return fault


def _typed(error: BaseException) -> Exception:
    return http_fault(error) or (error if isinstance(error, Exception) else RuntimeError(repr(error)))
