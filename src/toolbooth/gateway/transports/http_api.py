"""Tools, search and calls of a gateway as plain JSON over HTTP, for a benchmark, a script or an agent without MCP."""

import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from toolbooth import limits
from toolbooth.catalog import Catalog, NotJson, ServerTools, Tool, decode, encode_line
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, QuestionRefused, RawResult
from toolbooth.gateway import session
from toolbooth.gateway.builtin_tools import CALL_TOOL
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.menu_call import run_call
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.offload import offload
from toolbooth.gateway.surfaces.view import View

TOOLS: Final = "/api/v1/tools"
SEARCH: Final = "/api/v1/index/search"
CALL: Final = "/api/v1/call"
DEFAULT_LIMIT: Final = 10  # the depth at which published rankings are cut
_DIGITS: Final = 6


def api_routes(gateway: Gateway) -> list[Route]:
    """All paths. All requests count as one client for as long as the gateway lives."""
    asking = _Asking(gateway)
    view = View(gateway, "search")

    async def tools(_http: HttpRequest) -> Response:
        return _json(_tools(await asking.catalog(), gateway))

    async def search(http: HttpRequest) -> Response:
        try:
            query, limit = _query(http), _limit(http)
        except ValueError as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=400)
        return _json(await _search(asking, gateway, query, limit))

    async def call(http: HttpRequest) -> Response:
        try:
            given = await _body(http)
        except ValueError as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=400)
        try:
            return await _call(view, asking.session, given)
        except session.Refusal as refusal:
            return JSONResponse({"error": refusal.message}, status_code=502)

    return [
        Route(TOOLS, tools, methods=["GET"]),
        Route(SEARCH, search, methods=["GET"]),
        Route(CALL, call, methods=["POST"]),
    ]


class _Asking:
    """Servers that have not listed their tools yet get the same moment as for a client's search."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self.session = session.Session(secrets.token_hex(16), "", False, TOOLBOOTH_IDENTITY, fixed_menu=True)

    async def catalog(self) -> Catalog:
        """What is known after that moment."""
        await self._gateway.ready(self.session)
        return self._gateway.registry.catalog


class _NoChannel:
    """A program that sends one request: nothing but the answer reaches it."""

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Dropped."""

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        raise QuestionRefused(session.METHOD_NOT_FOUND, f"nobody can be asked over {CALL}")

    def let_go(self) -> None:
        """There is no stream."""


async def _body(http: HttpRequest) -> dict[str, Any]:
    parts, size = [], 0
    async for part in http.stream():
        parts.append(part)
        size += len(part)
        if size > limits.MAX_HTTP_BODY:
            raise ValueError(f"a body may have {limits.MAX_HTTP_BODY // limits.MIB} MiB at most")
    try:
        given = await offload(size, decode, b"".join(parts))
    except NotJson as error:
        raise ValueError(f"this is not JSON: {error}") from None
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise ValueError('the body must be {"name": "server.tool", "arguments": {…}}')
    return given


async def _call(view: View, client: session.Session, given: dict[str, Any]) -> Response:
    """The same as `call_tool` of a client: its checks, its cuts and its row."""
    caller = session.Caller(client, client.client_identity, _NoChannel())
    params = {"name": CALL_TOOL.name, "arguments": given}
    sent = (await run_call(CallContext.of_request(view, caller, params))).sent
    data = bytes(sent.data) if isinstance(sent, RawResult) else encode_line(sent)
    return Response(data, media_type="application/json")


async def _search(asking: _Asking, gateway: Gateway, query: str, limit: int) -> dict[str, Any]:
    await asking.catalog()
    await gateway.registry.warm()
    start = time.perf_counter()
    found = await offload(len(query), gateway.registry.search, query, limit, quick=limits.QUICK_QUERY)
    hits = found.hits
    took = (time.perf_counter() - start) * 1000
    results = [{**_named(hit.tool), "score": round(hit.score, 6)} for hit in hits]
    return {"query": query, "results": results, "took_ms": round(took, 3)}


def _tools(catalog: Catalog, gateway: Gateway) -> dict[str, Any]:
    return {
        "tools": [_tool(tool, server) for server in catalog.servers for tool in server.tools],
        "servers": {name: upstream.state for name, upstream in gateway.upstreams.items()},
    }


def _tool(tool: Tool, server: ServerTools) -> dict[str, Any]:
    """The tool as a corpus file has it; the schema as the server sent it."""
    about = {"server_description": server.description} if server.description else {}
    return {**_named(tool), "description": tool.description, "schema": tool.input_schema, **about}


def _named(tool: Tool) -> dict[str, str]:
    return {"tool_id": f"{tool.server}:{tool.name}", "server": tool.server, "tool": tool.name}


def _query(http: HttpRequest) -> str:
    given = http.query_params.getlist("q")
    if len(given) != 1 or not given[0].strip():
        raise ValueError(f"q is missing: {SEARCH}?q=WORDS&limit={DEFAULT_LIMIT}")
    return given[0]


def _limit(http: HttpRequest) -> int:
    given = http.query_params.getlist("limit") or [str(DEFAULT_LIMIT)]
    text = given[0]
    plain = len(given) == 1 and text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not plain or not 1 <= int(text) <= limits.MAX_HITS:
        raise ValueError(f"limit must be a whole number from 1 to {limits.MAX_HITS}")
    return int(text)


def _json(document: dict[str, Any]) -> Response:
    """By our own encoder: a schema may contain integers that others refuse."""
    return Response(encode_line(document), media_type="application/json")
