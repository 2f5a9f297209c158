"""A protocol version and a way (`--port N`, else stdio) → the talking server, serving until it is stopped."""

import argparse
import warnings

import anyio
import uvicorn
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPDeprecationWarning

from tests.behaviour.servers.server import build_server


async def serve_stdio(version: str) -> None:
    server = build_server(version)
    async with stdio_server() as (incoming, outgoing):
        if version == "old":
            await serve_loop(server, incoming, outgoing, lifespan_state={})
        else:
            await server.run(incoming, outgoing, server.create_initialization_options())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.behaviour.servers")
    parser.add_argument("version", choices=("old", "new", "both"))
    parser.add_argument("--port", type=int, help="serve Streamable HTTP at http://127.0.0.1:PORT/mcp")
    chosen = parser.parse_args()
    # Sampling, roots and logging are deprecated by the newest spec; the older one is what we test with them.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    if chosen.port is None:
        anyio.run(serve_stdio, chosen.version)
    else:
        app = build_server(chosen.version).streamable_http_app()
        uvicorn.run(app, host="127.0.0.1", port=chosen.port, log_level="warning")


main()
