"""Server specs → live connections to all of them at once; a connection → one request, timed by its client."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio

from toolbooth.catalog import ServerSpec, without_secrets
from toolbooth.catalog.connect import Link, RawResult, connected, settle
from toolbooth.errors import BackendFault, BackendProtocolError
from toolbooth.limits import CALL_TIMEOUT, MAX_PAGES
from toolbooth.safetext import for_terminal


class Answer(NamedTuple):
    """A result, and the milliseconds from the first byte written to the last byte read."""

    result: Mapping[str, Any]
    ms: float


class Connections(NamedTuple):
    """Those that came up, by name, and why the others did not."""

    links: Mapping[str, Link]
    faults: Mapping[str, str]


@asynccontextmanager
async def all_connected(
    specs: Sequence[ServerSpec], environ: Mapping[str, str] | None = None
) -> AsyncIterator[Connections]:
    """Start every server at once, as a client does; all of them end with this."""
    links: dict[str, Link] = {}
    faults: dict[str, str] = {}
    leaving = asyncio.Event()

    async def hold(spec: ServerSpec, settled: asyncio.Event) -> None:
        try:
            # Today's clients say `initialize`; a server that is silent on anything else must not lose two seconds.
            async with connected(spec, environ=environ, old_first=True) as link:
                links[spec.name] = link
                settled.set()
                await leaving.wait()
        except BackendFault as fault:
            faults.setdefault(spec.name, without_secrets(fault.message, spec))
        finally:
            settled.set()

    async with anyio.create_task_group() as tasks:
        try:
            waiting = [asyncio.Event() for _ in specs]
            for spec, settled in zip(specs, waiting, strict=True):
                tasks.start_soon(hold, spec, settled)
            for settled in waiting:
                await settled.wait()
            yield Connections({spec.name: links[spec.name] for spec in specs if spec.name in links}, faults)
        finally:
            leaving.set()


async def ask(link: Link, method: str, params: Mapping[str, Any] | None = None) -> Answer:
    """One request; the reading of its answer is not in its time."""
    future: asyncio.Future[dict[str, Any] | RawResult] = asyncio.get_running_loop().create_future()
    ended = 0.0

    def done(outcome: "dict[str, Any] | RawResult | BackendFault") -> None:
        nonlocal ended
        ended = time.perf_counter()
        settle(future, outcome)

    began = time.perf_counter()
    link.send(method, params, CALL_TIMEOUT, done)
    result = await future
    return Answer(result.value if isinstance(result, RawResult) else result, (ended - began) * 1000)


async def call(link: Link, tool: str, arguments: Mapping[str, Any]) -> float:
    """Milliseconds of one call; an answer that says it is an error is a fault here, for errors are quick."""
    answer = await ask(link, "tools/call", {"name": tool, "arguments": arguments})
    if answer.result.get("isError"):
        raise BackendProtocolError(f"{for_terminal(tool, 80)} answered with an error: {_said(answer.result)}")
    return answer.ms


async def list_pages(link: Link) -> list[Any]:
    """Every entry of `tools/list`, as it came."""
    entries: list[Any] = []
    params: dict[str, Any] | None = None
    for _ in range(MAX_PAGES):
        result = (await ask(link, "tools/list", params)).result
        entries += result.get("tools") or []
        if not result.get("nextCursor"):
            break
        params = {"cursor": result["nextCursor"]}
    return entries


async def list_all(links: Sequence[Link]) -> tuple[list[list[Any]], float]:
    """The tools of all of these, asked at once, and the milliseconds until the last one has answered."""
    found: list[list[Any]] = [[] for _ in links]

    async def one(at: int, link: Link) -> None:
        found[at] = await list_pages(link)

    began = time.perf_counter()
    if len(links) == 1:  # a group of tasks is time that no client takes for one request
        await one(0, links[0])
    else:
        await asyncio.gather(*(one(at, link) for at, link in enumerate(links)))
    return found, (time.perf_counter() - began) * 1000


def _said(result: Mapping[str, Any]) -> str:
    parts = result.get("content")
    texts = [str(part.get("text", "")) for part in parts if isinstance(part, Mapping)] if parts else []
    return for_terminal(" ".join(texts), 200) or "it does not say which"
