"""The command lines of the real servers that answer over a folder."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .server_packages import CACHE, HOME, TOOLS, browser

_NPM = CACHE / "npm-servers" / "node_modules" / ".bin"
_PYPI = CACHE / "pypi-servers" / "bin"


class Server(NamedTuple):
    """How a server is started, and what it needs in its environment."""

    command: list[str | Path]
    env: Mapping[str, str] = {}


def servers(folder: Path) -> dict[str, Server]:
    """Public ones from both registries, and two of the demo."""
    node = TOOLS / "node"
    playwright = HOME / "npm" / "node_modules" / ".bin" / "playwright-mcp"
    flags: list[str | Path] = ["--headless", "--isolated", "--no-sandbox", "--executable-path", browser()]
    return {
        "filesystem": Server([node, _NPM / "mcp-server-filesystem", folder]),
        "memory": Server(
            [node, _NPM / "mcp-server-memory"], {"MEMORY_FILE_PATH": str(folder.parent / "memory.jsonl")}
        ),
        "git": Server([_PYPI / "mcp-server-git"]),
        "fetch": Server([_PYPI / "mcp-server-fetch", "--allow-private-ips"]),
        "sqlite": Server([HOME / "python" / "bin" / "mcp-server-sqlite", "--db-path", folder / "shop.db"]),
        "playwright": Server([node, playwright, *flags]),
        "tickets": Server([sys.executable, "-m", "toolbooth.demo", "tickets"]),
        "database": Server([sys.executable, "-m", "toolbooth.demo", "database"]),
    }
