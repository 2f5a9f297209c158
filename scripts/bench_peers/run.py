"""The measured sections of the contenders on one set; a contender that does not start is named and left out."""

import contextlib
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio

from toolbooth.bench.latency.connections import ask
from toolbooth.bench.live import Endpoint, endpoint_section, exam_of, find_adapter, measure_endpoints
from toolbooth.bench.live.answers import text_of
from toolbooth.bench.report import EndpointSection
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import Peer as ServerPeer, connected
from toolbooth.errors import BackendFault, UserMistake
from toolbooth.gateway.process import run

from ..bench_gateway.launcher import Launcher, PreparedContender, processes_of
from .contenders import Peer
from .sets import PeerSet

START = 180.0  # seconds: 308 servers of a slow starter still fit
NOT_UP = "not up, so not searched"  # how Toolbooth says that a server has not listed its tools yet
LOOK_AGAIN = 1.0
SETTLE = 12.0  # seconds: lazy-mcp gives each server ten


class Found(NamedTuple):
    """The sections of those that answered, and why others did not."""

    sections: list[EndpointSection]
    failed: list[str]


def measure(launcher: Launcher, given: PeerSet, peers: Sequence[Peer]) -> Found:
    """All at once in front of a few servers; one after the other in front of many."""
    found = Found([], [])
    for group in [list(peers)] if given.at_once else [[peer] for peer in peers]:
        prepared = [launcher.prepare(peer.contender, given.servers) for peer in group]
        began = time.perf_counter()
        try:
            _measure_group(given, group, prepared, found)
        finally:
            for each in prepared:
                _end(each.folder)
        said = f"{given.name}: {', '.join(peer.name for peer in group)}"
        print(f"  … {said} in {time.perf_counter() - began:.0f} s", flush=True)
    return found


def _measure_group(
    given: PeerSet, group: Sequence[Peer], prepared: Sequence[PreparedContender], found: Found
) -> None:
    endpoints = [_endpoint(peer, each) for peer, each in zip(group, prepared, strict=True)]
    for peer, endpoint in zip(group, endpoints, strict=True):
        if peer.rehearsed:
            run(_rehearse, endpoint)
    for measured in run(measure_endpoints, endpoints, exam_of(given.pair), lambda *_: None):
        try:
            found.sections.append(endpoint_section(measured))
        except (BackendFault, UserMistake) as fault:
            said = fault.message if isinstance(fault, BackendFault) else fault
            found.failed.append(f"{measured.endpoint.name}: {said}")


def _endpoint(peer: Peer, prepared: PreparedContender) -> Endpoint:
    first, *rest = (str(word) for word in prepared.commands[""])
    spec = ServerSpec(peer.name, "stdio", first, tuple(rest), cwd=prepared.folder, timeout=START)
    settle = partial(_settle, peer) if peer.unready else None
    return Endpoint(peer.name, spec, find_adapter(peer.adapter), prepared.env, settle=settle)


async def _settle(peer: Peer, endpoint_peer: ServerPeer) -> None:
    """Starting 308 processes at once is slow, and some seem to fail meanwhile: their gateway reports that at length."""
    first = find_adapter(peer.adapter).steps[0].request
    call = {"name": first.tool, "arguments": first.arguments}
    await anyio.sleep(SETTLE)
    with anyio.move_on_after(START / 2):
        while peer.unready in text_of((await ask(endpoint_peer, "tools/call", call)).result):  # noqa: ASYNC110 - only asking shows it
            await anyio.sleep(LOOK_AGAIN)


async def _rehearse(endpoint: Endpoint) -> None:
    """Search until every server has listed its tools, so that the cache has them at the start that counts."""
    words = list(endpoint.spec.args)
    words[words.index("--surface") + 1] = "search"
    call = {"name": "search_tools", "arguments": {"query": "is everybody there"}}
    with contextlib.suppress(BackendFault), anyio.move_on_after(START):
        async with connected(
            replace(endpoint.spec, args=tuple(words)), environ=endpoint.environ
        ) as endpoint_peer:
            while NOT_UP in text_of((await ask(endpoint_peer, "tools/call", call)).result):  # noqa: ASYNC110 - only asking shows it
                await anyio.sleep(LOOK_AGAIN)
            await anyio.sleep(LOOK_AGAIN)  # until the cache is written


def _end(folder: Path) -> None:
    for process in processes_of(folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
