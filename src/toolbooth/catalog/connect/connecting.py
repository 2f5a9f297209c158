"""Connecting to a server: its transport, its protocol version, and the fallbacks between them.

Some servers understand only one transport or one generation of the protocol, and do not say which. A connection is
therefore a short list of attempts; the first one that succeeds is used.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

import anyio

from toolbooth import errors
from toolbooth.catalog.connect import http, protocol, sse, stdio
from toolbooth.catalog.connect.negotiate import QuitAtHandshake, negotiate
from toolbooth.catalog.connect.peer import Peer
from toolbooth.catalog.connect.transport import SdkTransport, Transport
from toolbooth.catalog.server_spec import ServerSpec


@asynccontextmanager
async def open_peer(
    spec: ServerSpec,
    client_identity: protocol.ClientIdentity = protocol.MEASURING_IDENTITY,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[Peer]:
    """Open the transport and run the peer over it; the caller negotiates the protocol.

    Any failure, in the SDK's task groups or in ours, is raised as one BackendFault with the server's name.
    """
    peer: Peer | None = None
    try:
        async with _open_transport(spec, environ) as transport, anyio.create_task_group() as tasks:
            peer = Peer(transport, client_identity)
            await tasks.start(peer.run)
            try:
                yield peer
            finally:
                tasks.cancel_scope.cancel()
    except Exception as error:
        fault = single_fault(error, spec)
        if peer is not None and isinstance(fault, errors.BackendFault):
            peer.end(fault)
        raise fault from None
    finally:
        if peer is not None:
            peer.end(errors.BackendCrashed("the connection was closed"))


@asynccontextmanager
async def _open_transport(spec: ServerSpec, environ: Mapping[str, str] | None) -> AsyncIterator[Transport]:
    if spec.transport == "stdio":
        async with stdio.open_stdio(spec, environ) as transport:
            yield transport
    elif spec.transport == "sse":
        async with sse.open_sse(spec) as events:
            yield events
    else:
        async with http.open_http(spec) as channel:
            yield SdkTransport(channel)


def single_fault(error: BaseException, spec: ServerSpec) -> Exception:
    """The first real cause in a group, as a fault. An exception that is a bug of ours stays as it is."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    fault = _typed(error)
    if isinstance(fault, errors.BackendFault):
        fault.server = fault.server or spec.name
    return fault


def _typed(error: BaseException) -> Exception:
    return http.http_fault(error) or (error if isinstance(error, Exception) else RuntimeError(repr(error)))


class _Attempt(NamedTuple):
    spec: ServerSpec
    old_only: bool = False
    after: tuple[
        type[errors.BackendFault], ...
    ] = ()  # faults of earlier attempts that make this one worth a try


def _nothing(_peer: Peer) -> None:
    return None


@asynccontextmanager
async def connected(
    spec: ServerSpec,
    client_identity: protocol.ClientIdentity = protocol.MEASURING_IDENTITY,
    environ: Mapping[str, str] | None = None,
    prepare: Callable[[Peer], None] = _nothing,
    *,
    old_first: bool = False,
) -> AsyncIterator[Peer]:
    """Connect, negotiate, and fall back to other transports or versions; `prepare` sees each peer before that.

    `old_first` prefers a version with a handshake if the server supports both kinds: only there can a server send
    requests to its client during a call.
    """
    async with AsyncExitStack() as stack:
        fault: errors.BackendFault | None = None
        for attempt in _attempts(spec, old_first):
            if fault is not None and (
                not isinstance(fault, attempt.after) or isinstance(fault, errors.SignInNeeded)
            ):
                continue
            try:
                peer = await _try(stack, attempt, client_identity, environ, prepare)
            except errors.BackendFault as failed:
                # A later refusal often only means a wrong transport; the first one says more.
                fault = fault if fault is not None and type(failed) is errors.BackendRefused else failed
            else:
                yield peer
                return
        raise fault or errors.BackendNotFound("has neither a command nor a URL in its config", spec.name)


def _attempts(spec: ServerSpec, old_first: bool) -> Iterator[_Attempt]:
    if old_first:
        yield _Attempt(spec, old_only=True)
    yield _Attempt(
        spec,
        after=(errors.BackendRefused, errors.BackendTimeout, errors.BackendProtocolError)
        if old_first
        else (),
    )
    if spec.transport == "stdio":
        # Servers on the Rust SDK exit if the first request is not `initialize`: start again and send only that.
        yield _Attempt(spec, old_only=True, after=(QuitAtHandshake,))
    elif spec.transport == "auto":
        yield _Attempt(replace(spec, transport="sse"), after=(errors.BackendRefused, errors.BackendNotFound))


async def _try(
    stack: AsyncExitStack,
    attempt: _Attempt,
    client_identity: protocol.ClientIdentity,
    environ: Mapping[str, str] | None,
    prepare: Callable[[Peer], None],
) -> Peer:
    async with AsyncExitStack() as opened:
        peer = await opened.enter_async_context(open_peer(attempt.spec, client_identity, environ))
        prepare(peer)
        await negotiate(peer, attempt.spec.timeout, old_only=attempt.old_only)
        await stack.enter_async_context(opened.pop_all())
        return peer
