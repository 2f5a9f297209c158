"""Tools, search and calls of a gateway as plain JSON over HTTP, for a benchmark, a script or an agent without MCP."""

import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from toolbooth import access, catalog, limits
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, QuestionRefused, RawResult
from toolbooth.gateway import session
from toolbooth.gateway.builtin_tools import READ_RESULT, call_name
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.menu_call import run_call
from toolbooth.gateway.offload import offload
from toolbooth.gateway.surfaces.view import View

TOOLS: Final = "/api/v1/tools"
SEARCH: Final = "/api/v1/index/search"
CALL: Final = "/api/v1/call"
DEFAULT_LIMIT: Final = 10  # the depth at which published rankings are cut
_DIGITS: Final = 6


def api_routes(view: View) -> list[Route]:
    """All paths. All requests of a principal count as one client for as long as the gateway lives."""
    asking = _Asking(view)

    async def tools(http: HttpRequest) -> Response:
        return _json(_tools(await asking.view(http.state.principal)))

    async def search(http: HttpRequest) -> Response:
        try:
            query, limit = _query(http), _limit(http)
        except ValueError as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=400)
        return _json(await _search(await asking.view(http.state.principal), query, limit))

    async def call(http: HttpRequest) -> Response:
        try:
            given = await _body(http)
        except ValueError as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=400)
        try:
            return await _call(view, asking.session(http.state.principal), given)
        except session.Refusal as refusal:
            return JSONResponse({"error": refusal.message}, status_code=502)

    return [
        Route(TOOLS, tools, methods=["GET"]),
        Route(SEARCH, search, methods=["GET"]),
        Route(CALL, call, methods=["POST"]),
    ]


class _Asking:
    """Servers that have not listed their tools yet get the same moment as for a client's search."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._sessions: dict[access.Principal, session.Session] = {}

    def session(self, principal: access.Principal) -> session.Session:
        """The one session of this principal."""
        if principal not in self._sessions:
            made = session.Session(secrets.token_hex(16), "", False, TOOLBOOTH_IDENTITY, fixed_menu=True)
            made.principal = principal
            self._sessions[principal] = made
            self._view.gateway.enter(made)  # its results end when something is taken from the principal
        return self._sessions[principal]

    async def view(self, principal: access.Principal) -> View:
        """What exists for the principal after that moment."""
        await self._view.gateway.ready(self.session(principal))
        return self._view.seen_by(principal)


class _NoChannel:
    """A program that sends one request: nothing but the answer reaches it."""

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Drop it: there is nobody to notify."""

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        raise QuestionRefused(
            session.METHOD_NOT_FOUND, f"{CALL} cannot pass on questions; call the tool over MCP"
        )

    def let_go(self) -> None:
        """Do nothing: there is no stream."""


async def _body(http: HttpRequest) -> dict[str, Any]:
    parts, size = [], 0
    async for part in http.stream():
        parts.append(part)
        size += len(part)
        if size > limits.MAX_HTTP_BODY:
            raise ValueError(f"a body may have {limits.MAX_HTTP_BODY // limits.MIB} MiB at most")
    try:
        given = await offload(size, catalog.decode, b"".join(parts))
    except catalog.NotJson as error:
        raise ValueError(f"this is not JSON: {error}") from None
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise ValueError('the body must be {"name": "server.tool", "arguments": {…}}')
    return given


async def _call(view: View, client: session.Session, given: dict[str, Any]) -> Response:
    """The same as `call_tool` of a client, its checks, its cuts and its row; or `read_result`, which cuts name."""
    caller = session.Caller(client, client.client_identity, _NoChannel())
    reads = given["name"] == READ_RESULT.name
    seen = view.seen_by(client.principal)
    params = given if reads else {"name": call_name(seen.surface.builtin_tools), "arguments": given}
    sent = (await run_call(CallContext.of_request(seen, caller, params))).sent
    data = bytes(sent.data) if isinstance(sent, RawResult) else catalog.encode_line(sent)
    return Response(data, media_type="application/json")


async def _search(view: View, query: str, limit: int) -> dict[str, Any]:
    registry = view.registry
    await registry.warm()
    start = time.perf_counter()
    found = await offload(len(query), registry.search, query, limit, quick=limits.QUICK_QUERY)
    hits = found.hits
    took = (time.perf_counter() - start) * 1000
    results = [{**_named(hit.tool), "score": round(hit.score, 6)} for hit in hits]
    return {"query": query, "results": results, "took_ms": round(took, 3)}


def _tools(view: View) -> dict[str, Any]:
    servers = view.registry.catalog.servers
    return {
        "tools": [_tool(tool, server) for server in servers for tool in server.tools],
        "servers": {name: upstream.state for name, upstream in view.upstreams.items()},
    }


def _tool(tool: catalog.Tool, server: catalog.ServerTools) -> dict[str, Any]:
    """The tool as a corpus file has it; the schema as the server sent it."""
    about = {"server_description": server.description} if server.description else {}
    return {**_named(tool), "description": tool.description, "schema": tool.input_schema, **about}


def _named(tool: catalog.Tool) -> dict[str, str]:
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
    return Response(catalog.encode_line(document), media_type="application/json")
