"""A server spec → a link with an agreed protocol, by whichever way that server understands."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

from toolbooth.catalog.connect.face import OWN_FACE, Face
from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.connect.negotiate import QuitAtHandshake, negotiate
from toolbooth.catalog.connect.open_link import open_link
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import (
    BackendFault,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
    SignInNeeded,
)


class _Way(NamedTuple):
    spec: ServerSpec
    old_only: bool = False
    after: tuple[type[BackendFault], ...] = ()  # faults of the way before that make this one worth a try


def _nothing(_link: Link) -> None:
    return None


@asynccontextmanager
async def connected(
    spec: ServerSpec,
    face: Face = OWN_FACE,
    environ: Mapping[str, str] | None = None,
    prepare: Callable[[Link], None] = _nothing,
    *,
    old_first: bool = False,
) -> AsyncIterator[Link]:
    """Open, negotiate, and fall back where the server is of another kind; `prepare` sees the link first.

    `old_first` prefers the handshake era of a server that speaks both: only there can it ask its client something
    in the course of a call.
    """
    async with AsyncExitStack() as stack:
        fault: BackendFault | None = None
        for way in _ways(spec, old_first):
            if fault is not None and (not isinstance(fault, way.after) or isinstance(fault, SignInNeeded)):
                continue
            try:
                link = await _try(stack, way, face, environ, prepare)
            except BackendFault as failed:
                # A later refusal is often that of the wrong transport; the first one says more.
                fault = fault if fault is not None and type(failed) is BackendRefused else failed
            else:
                yield link
                return
        raise fault or BackendNotFound("names no way to reach it", spec.name)


def _ways(spec: ServerSpec, old_first: bool) -> Iterator[_Way]:
    if old_first:
        yield _Way(spec, old_only=True)
    yield _Way(spec, after=(BackendRefused, BackendTimeout, BackendProtocolError) if old_first else ())
    if spec.transport == "stdio":
        # Servers on the Rust SDK end when the first request is not `initialize`: start again and ask only that.
        yield _Way(spec, old_only=True, after=(QuitAtHandshake,))
    elif spec.transport == "auto":
        yield _Way(replace(spec, transport="sse"), after=(BackendRefused, BackendNotFound))


async def _try(
    stack: AsyncExitStack,
    way: _Way,
    face: Face,
    environ: Mapping[str, str] | None,
    prepare: Callable[[Link], None],
) -> Link:
    async with AsyncExitStack() as attempt:
        link = await attempt.enter_async_context(open_link(way.spec, face, environ))
        prepare(link)
        await negotiate(link, way.spec.timeout, old_only=way.old_only)
        await stack.enter_async_context(attempt.pop_all())
        return link
