"""Locks for the tests of what is enforced: written as `toolbooth lock` writes them, without asking a server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolbooth.contracts import Contracts, Lock, ServerContract, ToolContract
from toolbooth.contracts.toolbooth_lock import write_lock

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}


def tool_definition(name: str, description: str) -> dict[str, Any]:
    """A tool as the steered server lists it."""
    return {"name": name, "description": description, "inputSchema": TEXT}


def lock_of(instructions: str = "", **servers: Mapping[str, str]) -> Lock:
    """Descriptions of tools by server; `instructions` are those of every one of them."""
    contracts = {
        server: ServerContract(
            server,
            {name: ToolContract(server, name, tool_definition(name, words)) for name, words in tools.items()},
            instructions,
        )
        for server, tools in servers.items()
    }
    return Lock(Contracts(contracts))


def write(path: Path, instructions: str = "", **servers: Mapping[str, str]) -> Path:
    """The same as a file."""
    write_lock(lock_of(instructions, **servers), path)
    return path
