"""The address of a running Toolbooth gateway → its tools and its rankings, by its HTTP API."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import httpx2

from toolbooth.bench.corpus import Corpus
from toolbooth.bench.golden import catalog_id
from toolbooth.bench.score import DEPTH
from toolbooth.catalog import NotJson, decode, read_catalog
from toolbooth.catalog.http_client import BodyTooLarge, ResponseRefused, http_client
from toolbooth.errors import (
    BackendCrashed,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
    FrameTooLarge,
    NothingToWeigh,
    UserMistake,
)
from toolbooth.limits import CALL_TIMEOUT, MAX_CATALOG_BYTES
from toolbooth.safetext import for_terminal

_TOOLS: Final = "/api/v1/tools"
_SEARCH: Final = "/api/v1/index/search"
_MCP: Final = "/mcp"


class Addresses(NamedTuple):
    """Where the API begins, and where MCP is spoken."""

    api: str
    mcp: str


class Ranking(NamedTuple):
    """Catalog ids, the best first; milliseconds as the client saw them, and as the gateway says it searched."""

    ids: tuple[str, ...]
    ms: float
    took_ms: float


def addresses(url: str) -> Addresses:
    """`http://host:port`, `…/mcp` or `…/mcp/SURFACE` → both."""
    parts = urlsplit(url)
    before, found, surface = parts.path.rstrip("/").partition(_MCP)
    mcp = f"{before}{_MCP}{surface}" if found else f"{before}{_MCP}"
    return Addresses(urlunsplit((*parts[:2], before, "", "")), urlunsplit((*parts[:2], mcp, parts.query, "")))


class GatewayApi:
    """One connection, kept open."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def corpus(self) -> Corpus:
        """Every tool of every server, with its schema as the server sent it; saved scripts are no server's."""
        document = (await self._get(_TOOLS)).document
        entries, servers = document.get("tools"), document.get("servers")
        if not isinstance(entries, list) or not isinstance(servers, Mapping):
            raise BackendProtocolError(f"answered {_TOOLS} without tools and servers")
        own = [each for each in entries if isinstance(each, Mapping) and each.get("server") in servers]
        if not own:
            raise NothingToWeigh(
                "the gateway knows no tool: its servers may be down; its /health says how they are"
            )
        catalog = read_catalog({"tools": own}, Path("gateway"))
        return Corpus(f"live-{catalog.fingerprint[:12]}", catalog)

    async def search(self, query: str) -> Ranking:
        """The ranking of the index, as deep as published ones are cut."""
        got = await self._get(_SEARCH, {"q": query, "limit": str(DEPTH)})
        results, took = got.document.get("results"), got.document.get("took_ms")
        if not isinstance(results, list) or not isinstance(took, int | float):
            raise BackendProtocolError(f"answered {_SEARCH} without results")
        names = [each.get("tool_id") for each in results if isinstance(each, Mapping)]
        return Ranking(
            tuple(catalog_id(name) for name in names if isinstance(name, str)), got.ms, float(took)
        )

    async def _get(self, path: str, query: Mapping[str, str] | None = None) -> "_Got":
        began = time.perf_counter()
        try:
            async with self._client.stream("GET", path, params=dict(query or {})) as answer:
                body = await answer.aread()
                ms = (time.perf_counter() - began) * 1000
                _check(answer.status_code, path)
        except httpx2.TimeoutException:
            raise BackendTimeout(f"did not answer {path} within {CALL_TIMEOUT:g} s") from None
        except httpx2.ConnectError as error:
            raise BackendNotFound(f"could not be reached: {for_terminal(str(error), 120)}") from None
        except BodyTooLarge as refused:
            raise FrameTooLarge(str(refused)) from None
        except ResponseRefused as refused:
            raise BackendProtocolError(str(refused)) from None
        except httpx2.HTTPError as error:
            raise BackendCrashed(f"broke off its answer to {path} ({type(error).__name__})") from None
        return _Got(_object(body, path), ms)


class _Got(NamedTuple):
    document: Mapping[str, Any]
    ms: float


@asynccontextmanager
async def gateway_api(url: str, key: str) -> AsyncIterator[GatewayApi]:
    """Redirects are not followed: the key is for this address alone."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with http_client(MAX_CATALOG_BYTES, base_url=url, headers=headers, timeout=CALL_TIMEOUT) as client:
        yield GatewayApi(client)


def _check(status: int, path: str) -> None:
    if status in (401, 403):
        raise UserMistake("the gateway takes no such key: --key KEY, or put the right one into TOOLBOOTH_KEY")
    if status == 404:
        raise UserMistake(
            f"no Toolbooth gateway answers there ({path} is unknown); --adapter NAME says what it is"
        )
    if status != 200:
        raise BackendRefused(f"answered {path} with HTTP {status}")


def _object(body: bytes, path: str) -> Mapping[str, Any]:
    try:
        document = decode(body)
    except NotJson:
        document = None
    if not isinstance(document, Mapping):
        raise UserMistake(
            f"no Toolbooth gateway answers there ({path} is no JSON); --adapter NAME says what it is"
        )
    return document
