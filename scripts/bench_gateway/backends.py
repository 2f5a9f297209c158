"""The command lines of the servers behind every contender."""

import sys
from collections.abc import Mapping
from pathlib import Path

from .peer_packages import NPM_BIN, node

Servers = Mapping[str, list[str]]
FAKE = Path(__file__).with_name("fake_server.py")


def four(shelf: Path) -> Servers:
    """The four public servers; the file server may read only `shelf`."""
    program = str(node())
    return {
        "everything": [program, str(NPM_BIN / "mcp-server-everything")],
        "filesystem": [program, str(NPM_BIN / "mcp-server-filesystem"), str(shelf)],
        "github": [program, str(NPM_BIN / "mcp-server-github")],
        "playwright": [program, str(NPM_BIN / "playwright-mcp"), "--headless", "--isolated"],
    }


def fakes(servers: int, tools: int, version: str = "") -> Servers:
    """So many small servers with so many tools each, stateless ones if the version is."""
    words = [sys.executable, "-IS", str(FAKE), str(tools), *([version] if version else [])]
    return {f"fake{number}": words for number in range(servers)}
