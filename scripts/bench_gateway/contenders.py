"""The contenders: for each a command line in front of given servers, and how a client calls through it."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from .backends import Servers
from .peer_packages import PEERS

TOOLBOOTH = Path(sys.executable).with_name("toolbooth")
FASTMCP_PROXY = Path(__file__).with_name("fastmcp_proxy.py")
EVERY_MEASURE = frozenset({"calls", "flat", "start", "burst", "lag", "menu"})
# A second or more per call: the other measures would take hours
OPENS_ANEW = frozenset({"calls", "start", "menu"})
Words = Sequence[str | Path]


class Sent(NamedTuple):
    """What the client sends to call a tool of a server."""

    tool: str
    arguments: dict[str, Any]


Call = Callable[[str, str, dict[str, Any]], Sent]


@dataclass(frozen=True)
class Contender:
    """One row. Without a command, the client talks to the servers directly."""

    name: str
    command: Callable[[Path, Servers], Words] | None
    call: Call
    search: Callable[[str], Sent] | None = None
    measures: frozenset[str] = EVERY_MEASURE
    program: Path | None = None
    stop: Words | None = None  # stops what the contender deliberately leaves running
    stateless: bool = False  # serves clients and servers of 2026-07-28 as well

    def missing(self) -> str:
        """Why it cannot take part; empty if it can."""
        if self.program and self.program.name == TOOLBOOTH.name:
            return _serve_is_missing(self.program)
        return f"{self.program} is not installed" if self.program and not self.program.exists() else ""


@cache
def _serve_is_missing(program: Path) -> str:
    if not program.exists():
        return f"{program} does not exist"
    done = subprocess.run([program, "serve", "--help"], capture_output=True, text=True, check=False)
    said = (done.stderr or done.stdout).strip().splitlines()
    return (
        f"`toolbooth serve --help` fails: {said[-1] if said else done.returncode}" if done.returncode else ""
    )


def _as_client_config(folder: Path, servers: Servers) -> Path:
    path = folder / "mcp.json"
    entries = {name: {"command": words[0], "args": words[1:]} for name, words in servers.items()}
    path.write_text(json.dumps({"mcpServers": entries}))
    return path


def _toolbooth(program: Path, flags: Sequence[str], folder: Path, servers: Servers) -> Words:
    return [program, "serve", "--config", _as_client_config(folder, servers), *flags]


def _mcp_compressor(folder: Path, servers: Servers) -> Words:
    return [PEERS / "mcp-compressor", "--config", _as_client_config(folder, servers)]


def _lazy_mcp(folder: Path, servers: Servers) -> Words:
    path = folder / "servers.json"
    entries = [{"name": name, "description": name, "command": words} for name, words in servers.items()]
    path.write_text(json.dumps({"servers": entries}))
    return [PEERS / "lazy-mcp", "--config", path]


def _fastmcp(way: str, folder: Path, servers: Servers) -> Words:
    return [PEERS / "python", FASTMCP_PROXY, way, _as_client_config(folder, servers)]


def _joined(joint: str) -> Call:
    return lambda server, tool, arguments: Sent(f"{server}{joint}{tool}", arguments)


def _wrapped(joint: str) -> Call:
    """Through a `call_tool` that takes the tool's name."""
    return lambda server, tool, arguments: Sent(
        "call_tool", {"name": f"{server}{joint}{tool}", "arguments": arguments}
    )


def _search(query: str) -> Sent:
    return Sent("search_tools", {"query": query})


def ours(name: str, program: Path = TOOLBOOTH) -> tuple[Contender, ...]:
    """The three ways to serve with one build of Toolbooth."""

    def contender(way: str, call: Call, search: Callable[[str], Sent] | None, *flags: str) -> Contender:
        stop: Words | None = None if "--no-daemon" in flags else [program, "daemon", "stop"]
        command = partial(_toolbooth, program, flags)
        return Contender(
            f"{name}{way}", command, call, search, program=program, stop=stop, stateless=stop is not None
        )

    return (
        contender("", _wrapped("."), _search, "--surface", "search"),
        contender(", no daemon", _wrapped("."), _search, "--surface", "search", "--no-daemon"),
        contender(", direct", _joined("__"), None, "--surface", "direct"),
    )


DIRECT = Contender("direct", None, lambda _, tool, arguments: Sent(tool, arguments))
COMPRESSOR = Contender(
    "mcp-compressor",
    _mcp_compressor,
    lambda server, tool, arguments: Sent(
        f"{server}_invoke_tool", {"tool_name": tool, "tool_input": arguments}
    ),
    program=PEERS / "mcp-compressor",
)
LAZY = Contender(
    "lazy-mcp",
    _lazy_mcp,
    lambda server, tool, arguments: Sent(
        "invoke_command", {"server": server, "command_name": tool, "parameters": arguments}
    ),
    program=PEERS / "lazy-mcp",
)
KEPT = Contender("fastmcp, kept", partial(_fastmcp, "kept"), _joined("_"), program=PEERS / "fastmcp")
TABLE: tuple[Contender, ...] = (
    DIRECT,
    *ours("toolbooth"),
    COMPRESSOR,
    LAZY,
    KEPT,
    Contender(
        "fastmcp, search",
        partial(_fastmcp, "search"),
        _wrapped("_"),
        _search,
        EVERY_MEASURE - {"burst", "lag"},
        PEERS / "fastmcp",
    ),
    Contender(
        "fastmcp, create_proxy",
        partial(_fastmcp, "documented"),
        _joined("_"),
        None,
        OPENS_ANEW,
        PEERS / "fastmcp",
    ),
)
