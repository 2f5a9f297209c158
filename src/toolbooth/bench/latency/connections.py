"""Live connections to all servers at once, and requests over them, timed by the client."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.connect import Peer, RawResult, connected, settle


class TimedAnswer(NamedTuple):
    """A result, and the milliseconds from the first byte written to the last byte read."""

    result: Mapping[str, Any]
    ms: float


class Connections(NamedTuple):
    """The servers that started, by name, and why the others did not."""

    peers: Mapping[str, Peer]
    faults: Mapping[str, str]


@asynccontextmanager
async def all_connected(
    specs: Sequence[catalog.ServerSpec], environ: Mapping[str, str] | None = None
) -> AsyncIterator[Connections]:
    """Start every server at once, as a client does; all stop on exit."""
    peers: dict[str, Peer] = {}
    faults: dict[str, str] = {}
    leaving = asyncio.Event()

    async def hold(spec: catalog.ServerSpec, settled: asyncio.Event) -> None:
        try:
            # Today's clients send `initialize`; a server that ignores anything else must not cost two seconds.
            async with connected(spec, environ=environ, old_first=True) as peer:
                peers[spec.name] = peer
                settled.set()
                await leaving.wait()
        except errors.BackendFault as fault:
            faults.setdefault(spec.name, catalog.redact_secrets(fault.message, spec))
        finally:
            settled.set()

    async with anyio.create_task_group() as tasks:
        try:
            waiting = [asyncio.Event() for _ in specs]
            for spec, settled in zip(specs, waiting, strict=True):
                tasks.start_soon(hold, spec, settled)
            for settled in waiting:
                await settled.wait()
            yield Connections({spec.name: peers[spec.name] for spec in specs if spec.name in peers}, faults)
        finally:
            leaving.set()


async def ask(peer: Peer, method: str, params: Mapping[str, Any] | None = None) -> TimedAnswer:
    """One request; its time does not include parsing the answer."""
    future: asyncio.Future[dict[str, Any] | RawResult] = asyncio.get_running_loop().create_future()
    ended = 0.0

    def done(outcome: "dict[str, Any] | RawResult | errors.BackendFault") -> None:
        nonlocal ended
        ended = time.perf_counter()
        settle(future, outcome)

    began = time.perf_counter()
    peer.send(method, params, limits.CALL_TIMEOUT, done)
    result = await future
    return TimedAnswer(result.value if isinstance(result, RawResult) else result, (ended - began) * 1000)


async def call(peer: Peer, tool: str, arguments: Mapping[str, Any]) -> float:
    """Milliseconds of one call. An error result is a fault here, because errors are fast."""
    answer = await ask(peer, "tools/call", {"name": tool, "arguments": arguments})
    if answer.result.get("isError"):
        said = safetext.for_terminal(" ".join(catalog.texts_in(answer.result)), 200)
        raise errors.BackendProtocolError(
            f"{safetext.for_terminal(tool, 80)} answered with an error: {said or 'no text'}"
        )
    return answer.ms


async def list_pages(peer: Peer) -> list[Any]:
    """Every entry of `tools/list`, as it came."""
    entries: list[Any] = []
    params: dict[str, Any] | None = None
    for _ in range(limits.MAX_PAGES):
        result = (await ask(peer, "tools/list", params)).result
        entries += result.get("tools") or []
        if not result.get("nextCursor"):
            break
        params = {"cursor": result["nextCursor"]}
    return entries


async def list_all(peers: Sequence[Peer]) -> tuple[list[list[Any]], float]:
    """The tools of all peers, asked at once, and the milliseconds until the last answer."""
    found: list[list[Any]] = [[] for _ in peers]

    async def one(at: int, peer: Peer) -> None:
        found[at] = await list_pages(peer)

    began = time.perf_counter()
    if len(peers) == 1:  # a task group takes time that no client spends on one request
        await one(0, peers[0])
    else:
        await asyncio.gather(*(one(at, peer) for at, peer in enumerate(peers)))
    return found, (time.perf_counter() - began) * 1000
