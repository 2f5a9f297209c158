"""The name of a bundled demo server → the command that starts it as a real MCP server over stdio."""

import sys

DEMO_SERVERS: tuple[str, ...] = (
    "files",
    "notes",
    "calendar",
    "tickets",
    "weather",
    "history",
    "database",
    "mail",
)

__all__ = ["DEMO_SERVERS", "demo_command"]


def demo_command(name: str) -> tuple[str, ...]:
    """The argument vector that starts one demo server with the running interpreter."""
    if name not in DEMO_SERVERS:
        raise ValueError(f"no demo server is called {name!r}; there are {', '.join(DEMO_SERVERS)}")
    return (sys.executable, "-m", "toolbooth.demo", name)
