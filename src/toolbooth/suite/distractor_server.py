"""A stdio MCP server that serves the tools of a catalog file, none of which does anything: `python -m … FILE`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolbooth.catalog import Catalog, ServerSpec, ServerTools, decode, read_catalog, save_snapshot

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

_PAGE: Final = 500  # tools: far below the frame cap, whatever their schemas
_COMPLETE: Final[dict[str, Any]] = {"resultType": "complete"}
_CACHEABLE: Final[dict[str, Any]] = _COMPLETE | {"ttlMs": 3_600_000, "cacheScope": "public"}


def distractor_spec(tools: ServerTools, folder: Path) -> ServerSpec:
    """Write the tools to a folder and return a spec that serves them. `-P` keeps the user's files out of imports."""
    catalog = Catalog((tools,))
    # Tests of one suite may have different padding
    path = folder / f"distractors-{catalog.fingerprint[:16]}.json"
    save_snapshot(catalog, path)
    words = ("-P", "-m", "toolbooth.suite.distractor_server", str(path))
    return ServerSpec(tools.server, "stdio", command=sys.executable, args=words, source="distractors")


def main(arguments: Sequence[str]) -> int:
    """Serve until stdin closes."""
    import anyio

    path = Path(arguments[0])
    tools = [tool.raw for tool in read_catalog(decode(path.read_bytes()), path).tools]
    try:
        anyio.run(_serve, tools)
    except KeyboardInterrupt:
        return 130
    except ExceptionGroup as group:
        if group.split((BrokenPipeError, anyio.BrokenResourceError))[1] is not None:
            raise
    return 0


async def _serve(tools: Sequence[Any]) -> None:
    from mcp.server.stdio import stdio_server

    server = _build(tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _build(tools: Sequence[Any]) -> "Server[Any]":
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

    server: Server[Any] = Server("workspace", version="1.0.0", title="Workspace")
    names = {tool["name"] for tool in tools}

    async def list_tools(_: Any, params: PaginatedRequestParams) -> dict[str, Any]:
        at = int(params.cursor or 0) if (params.cursor or "0").isdecimal() else len(tools)
        more = {"nextCursor": str(at + _PAGE)} if at + _PAGE < len(tools) else {}
        return {"tools": list(tools[at : at + _PAGE]), **more} | _CACHEABLE

    async def call_tool(_: Any, params: CallToolRequestParams) -> dict[str, Any]:
        if params.name not in names:
            raise MCPError(code=INVALID_PARAMS, message=f"there is no tool {params.name}")
        text = f"{params.name} found nothing and did nothing. It is not the tool for this task."
        return {"content": [{"type": "text", "text": text}]} | _COMPLETE

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
