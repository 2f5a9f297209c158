"""Tools and search of a gateway as plain JSON over HTTP, for a benchmark or a script; it calls no tool."""

import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from toolbooth import limits
from toolbooth.access import Principal
from toolbooth.catalog import ServerTools, Tool, encode_line
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY
from toolbooth.gateway.offload import offload
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View

TOOLS: Final = "/api/v1/tools"
SEARCH: Final = "/api/v1/index/search"
DEFAULT_LIMIT: Final = 10  # the depth at which published rankings are cut
_DIGITS: Final = 6


def api_routes(view: View) -> list[Route]:
    """Both paths. All requests of a principal count as one client for as long as the gateway lives."""
    asking = _Asking(view)

    async def tools(http: HttpRequest) -> Response:
        return _json(_tools(await asking.view(http.state.principal)))

    async def search(http: HttpRequest) -> Response:
        try:
            query, limit = _query(http), _limit(http)
        except ValueError as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=400)
        return _json(await _search(await asking.view(http.state.principal), query, limit))

    handlers: dict[str, Callable[[HttpRequest], Awaitable[Response]]] = {TOOLS: tools, SEARCH: search}
    return [Route(path, handler, methods=["GET"]) for path, handler in handlers.items()]


class _Asking:
    """Servers that have not listed their tools yet get the same moment as for a client's search."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._sessions: dict[Principal, Session] = {}

    async def view(self, principal: Principal) -> View:
        """What exists for the principal after that moment."""
        if principal not in self._sessions:
            made = Session(secrets.token_hex(16), "", True, TOOLBOOTH_IDENTITY, fixed_menu=True)
            made.principal = principal
            self._sessions[principal] = made
        await self._view.gateway.ready(self._sessions[principal])
        return self._view.seen_by(principal)


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
