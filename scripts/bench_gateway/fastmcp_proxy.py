"""A fastmcp proxy on stdio for a config of servers, built in one of three ways; it runs in the peers' environment.

`kept`: one client per server, opened once and given to a provider. `search`: the same behind its BM25 search.
`documented`: `create_proxy(config)`, which opens the servers again for every request.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from fastmcp import Client, FastMCP  # type: ignore[import-not-found, unused-ignore]
from fastmcp.client.transports import StdioTransport  # type: ignore[import-not-found, unused-ignore]
from fastmcp.server import create_proxy  # type: ignore[import-not-found, unused-ignore]
from fastmcp.server.providers.proxy import ProxyProvider  # type: ignore[import-not-found, unused-ignore]
from fastmcp.server.transforms.search import (  # type: ignore[import-not-found, unused-ignore]
    BM25SearchTransform,
)


async def serve(way: str, config: dict[str, Any]) -> None:
    async with AsyncExitStack() as stack:
        if way == "documented":
            proxy = create_proxy(config, name="bench")
        else:
            proxy = await kept(stack, config)
        if way == "search":
            proxy.add_transform(BM25SearchTransform())
        await proxy.run_stdio_async(show_banner=False, log_level="ERROR")


async def kept(stack: AsyncExitStack, config: dict[str, Any]) -> Any:
    proxy = FastMCP("bench")
    for name, server in config["mcpServers"].items():
        client = Client(StdioTransport(server["command"], server["args"]))
        await stack.enter_async_context(client)
        proxy.add_provider(ProxyProvider(lambda held=client: held), namespace=name)
    return proxy


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], json.loads(Path(sys.argv[2]).read_text())))
