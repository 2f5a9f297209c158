"""A small MCP server for the example suites: `stand_in.py NAME` serves the tools of that name over stdio."""

import sys

from mcp.server import MCPServer

server = MCPServer(sys.argv[1])


def web_search(query: str) -> str:
    """Search the web and list the pages that fit."""
    return f"1. Ferries of the Larkfield line, https://larkfield.example/ferries (asked for: {query})"


def search(query: str, limit: int = 5) -> str:
    """Search everything that is indexed and list what fits."""
    return f"doc-7: Quarterly revenue (asked for: {query}, at most {limit})"


def fetch(id: str) -> str:
    """Read one document that a search has found, by its id."""
    return f"{id}: revenue of the third quarter was 4.2 million."


def get(url: str) -> str:
    """Get a page by its address."""
    return f"<h1>Ferries</h1> as read from {url}"


def exec(command: str) -> str:
    """Run a command in a shell."""
    return f"not run: {command}"


TOOLS = {
    "brave": (web_search,),
    "google": (search,),
    "http": (get,),
    "shell": (exec,),
    "search-server": (search, fetch),
}

for tool in TOOLS[sys.argv[1]]:
    server.tool()(tool)
server.run("stdio")
