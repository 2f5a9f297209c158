"""The bundled demo servers by name, and the commands that start them as real MCP servers over stdio."""

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
        raise ValueError(f"unknown demo server {name!r}; choose one of {', '.join(DEMO_SERVERS)}")
    return (sys.executable, "-m", "toolbooth.demo", name)
