"""A running Toolbooth gateway, measured over MCP and over its HTTP API.

MCP gives what a model reads; the HTTP API gives the tools and the rankings.
"""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import httpx2

from toolbooth import errors, limits, safetext, tokens
from toolbooth.bench import golden, scores
from toolbooth.bench.corpus import Corpus
from toolbooth.bench.latency import spread
from toolbooth.bench.live import adapter_yaml, measure, section
from toolbooth.bench.live.exam import Exam
from toolbooth.bench.report import EndpointSection, StepCost
from toolbooth.catalog import (
    BodyTooLarge,
    NotJson,
    ResponseRefused,
    ServerSpec,
    decode,
    http_client,
    read_catalog,
)
from toolbooth.catalog.connect import reach

_TOOLS: Final = "/api/v1/tools"
_SEARCH: Final = "/api/v1/index/search"
_MCP: Final = "/mcp"


class Addresses(NamedTuple):
    """The base address of the API, and the address of the MCP endpoint."""

    api: str
    mcp: str


class Ranking(NamedTuple):
    """Catalog ids, the best first; the milliseconds that the client measured, and those that the gateway reported."""

    ids: tuple[str, ...]
    ms: float
    took_ms: float


def addresses(url: str) -> Addresses:
    """The two addresses for `http://host:port`, `…/mcp` or `…/mcp/SURFACE`."""
    parts = urlsplit(url)
    before, found, surface = parts.path.rstrip("/").partition(_MCP)
    mcp = f"{before}{_MCP}{surface}" if found else f"{before}{_MCP}"
    return Addresses(urlunsplit((*parts[:2], before, "", "")), urlunsplit((*parts[:2], mcp, parts.query, "")))


class GatewayApi:
    """The HTTP API over one connection."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def corpus(self) -> Corpus:
        """Every tool of every server, with its schema as the server sent it; without the saved scripts."""
        document = (await self._get(_TOOLS)).document
        entries, servers = document.get("tools"), document.get("servers")
        if not isinstance(entries, list) or not isinstance(servers, Mapping):
            raise errors.BackendProtocolError(f"answered {_TOOLS} without tools and servers")
        own = [each for each in entries if isinstance(each, Mapping) and each.get("server") in servers]
        if not own:
            raise errors.NothingToWeigh(
                "the gateway has no tools; its servers may be down, so check its /health"
            )
        catalog = read_catalog({"tools": own}, Path("gateway"))
        return Corpus(f"live-{catalog.fingerprint[:12]}", catalog)

    async def search(self, query: str) -> Ranking:
        """The ranking of the index, cut at the same depth as published ones."""
        got = await self._get(_SEARCH, {"q": query, "limit": str(scores.DEPTH)})
        results, took = got.document.get("results"), got.document.get("took_ms")
        if not isinstance(results, list) or not isinstance(took, int | float):
            raise errors.BackendProtocolError(f"answered {_SEARCH} without results")
        names = [each.get("tool_id") for each in results if isinstance(each, Mapping)]
        return Ranking(
            tuple(golden.catalog_id(name) for name in names if isinstance(name, str)), got.ms, float(took)
        )

    async def _get(self, path: str, query: Mapping[str, str] | None = None) -> "_Got":
        began = time.perf_counter()
        try:
            async with self._client.stream("GET", path, params=dict(query or {})) as answer:
                body = await answer.aread()
                ms = (time.perf_counter() - began) * 1000
                _check(answer.status_code, path)
        except httpx2.TimeoutException:
            raise errors.BackendTimeout(f"did not answer {path} within {limits.CALL_TIMEOUT:g} s") from None
        except httpx2.ConnectError as error:
            raise errors.BackendNotFound(
                f"could not be reached: {safetext.for_terminal(str(error), 120)}"
            ) from None
        except BodyTooLarge as refused:
            raise errors.FrameTooLarge(str(refused)) from None
        except ResponseRefused as refused:
            raise errors.BackendProtocolError(str(refused)) from None
        except httpx2.HTTPError as error:
            raise errors.BackendCrashed(
                f"broke off in the middle of its answer to {path} ({type(error).__name__})"
            ) from None
        return _Got(_object(body, path), ms)


class _Got(NamedTuple):
    document: Mapping[str, Any]
    ms: float


@asynccontextmanager
async def gateway_api(url: str, key: str) -> AsyncIterator[GatewayApi]:
    """Redirects are not followed, because the key is only for this address."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with http_client(
        limits.MAX_CATALOG_BYTES, base_url=url, headers=headers, timeout=limits.CALL_TIMEOUT
    ) as client:
        yield GatewayApi(client)


def _check(status: int, path: str) -> None:
    if status in (401, 403):
        raise errors.UserMistake(
            "the gateway refused the key; use --key KEY, or set TOOLBOOTH_KEY to a valid one"
        )
    if status == 404:
        raise errors.UserMistake(
            f"is not a Toolbooth gateway ({path} is unknown); name the kind of endpoint with --adapter"
        )
    if status != 200:
        raise errors.BackendRefused(f"answered {path} with HTTP {status}")


def _object(body: bytes, path: str) -> Mapping[str, Any]:
    try:
        document = decode(body)
    except NotJson:
        document = None
    if not isinstance(document, Mapping):
        raise errors.UserMistake(
            f"is not a Toolbooth gateway ({path} is not JSON); name the kind of endpoint with --adapter"
        )
    return document


_SEARCHED: Final = "GET /api/v1/index/search"
# In this order, because full has both
_ADAPTERS: Final = {
    "call_tool": "toolbooth",
    "call_destructive_tool": "toolbooth-split",
    "call_tool_chain": "toolbooth-code",
}


@dataclass(frozen=True)
class RunningGateway:
    """The address of a gateway, and its key."""

    spec: ServerSpec
    key: str = field(default="", repr=False)

    @property
    def api(self) -> str:
        """The base address of its HTTP API."""
        return addresses(self.spec.url).api

    @property
    def mcp(self) -> ServerSpec:
        """How an MCP client connects to it."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return replace(self.spec, transport="http", url=addresses(self.spec.url).mcp, headers=headers)


async def gateway_corpus(gateway: RunningGateway) -> Corpus:
    """The tools behind it, with their schemas; raises a fault if no gateway answers there."""
    try:
        async with gateway_api(gateway.api, gateway.key) as api:
            return await api.corpus()
    except errors.BackendFault as fault:
        fault.server = fault.server or gateway.spec.name
        raise


async def measure_gateway(
    gateway: RunningGateway, exam: Exam, progress: measure.Progress, encoding: str = tokens.DEFAULT_ENCODING
) -> EndpointSection:
    """Ask every question over MCP and the API in turn.

    The rankings of the API are scored, and compared with what a model is shown.
    """
    async with gateway_api(gateway.api, gateway.key) as api:
        beside, adapter = _ApiRankings(api), adapter_yaml.find_adapter(await _surface(gateway.mcp))
        searches = adapter.finds == "search"
        endpoint = measure.Endpoint("toolbooth", gateway.mcp, adapter, beside=beside if searches else None)
        (measured,) = await measure.measure_endpoints([endpoint], exam, progress, encoding)
    return section.endpoint_section(measured, beside.ranked(), beside.times(), beside.agreement(measured))


async def _surface(spec: ServerSpec) -> str:
    """The adapter for the surface at this address, recognised by its menu."""
    reached = await reach(spec)
    if reached.tools is None:
        raise reached.fault or errors.BackendTimeout("did not answer", spec.name)
    names = {tool.name for tool in reached.tools.tools}
    return next((adapter for tool, adapter in _ADAPTERS.items() if tool in names), "passthrough")


@dataclass
class _ApiRankings:
    """Asks the API the questions that were just asked over MCP; the first one is the warm-up."""

    api: GatewayApi
    found: dict[str, Ranking] = field(default_factory=dict)
    _warm: bool = False

    async def __call__(self, question: golden.GoldenQuestion) -> None:
        ranking = await self.api.search(question.query)
        if self._warm:
            self.found[question.id] = ranking
        self._warm = True

    def ranked(self) -> section.EndpointRankings:
        return section.EndpointRankings(
            _SEARCHED, {each: ranking.ids for each, ranking in self.found.items()}
        )

    def times(self) -> list[StepCost]:
        """Its times; no model reads these answers, so they have no tokens."""
        times = [each.ms for each in self.found.values()]
        return [StepCost(_SEARCHED, len(times), 0, 0, 0, spread(times))] if times else []

    def agreement(self, measured: measure.MeasuredEndpoint) -> list[str]:
        """How often MCP and the API gave the same tools in the same order, up to the length of the shorter list."""
        asked = measured.probe.asked if measured.probe is not None else []
        both = [
            (each.shown, self.found[each.question.id].ids) for each in asked if each.question.id in self.found
        ]
        if not both:
            return []
        same = sum(_agree(shown, ids) for shown, ids in both)
        searched = spread(each.took_ms for each in self.found.values())
        return [
            f"rankings are those of the HTTP API; search_tools showed the same tools first in {same} of {len(both)}",
            f"the gateway itself reports a search time of {searched.p50_ms:.2f} ms at the median",
        ]


def _agree(shown: tuple[str, ...], ids: tuple[str, ...]) -> bool:
    depth = min(len(shown), len(ids))
    return shown[:depth] == ids[:depth] and bool(shown) == bool(ids)
