"""Entries of a lock → the digests over them: of each tool, of each section, of each server, of the whole."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.contracts.digest import digest_of

SAID: Final = ("instructions", "prompts", "resources", "templates", "title", "version")
Entry = Mapping[str, Any]


def tool_seal(entry: Entry) -> str:
    """Over all of a tool: `digest` stands for its definition."""
    return digest_of([entry["digest"], entry["tokens"], entry["economics"]])


def server_sections(entry: Entry) -> dict[str, str]:
    """One digest for each thing that a server says, and one for all its tools."""
    tools = {name: tool["seal"] for name, tool in entry["tools"].items()}
    return {**{key: digest_of(entry[key]) for key in SAID}, "tools": digest_of(tools)}


def server_digest(name: str, entry: Entry) -> str:
    """Over a server and its name."""
    return digest_of([name, entry["sections"]])


def lock_sections(document: Entry) -> dict[str, str]:
    """One digest for each part of the lock."""
    servers = {name: server["digest"] for name, server in document["servers"].items()}
    return {
        "accepted": digest_of(document["accepted"]),
        "budgets": digest_of(document["budgets"]),
        "servers": digest_of(servers),
    }


def whole_digest(document: Entry) -> str:
    """Over the lock without its signature, which is made over this."""
    return digest_of([document[key] for key in ("format", "version", "encoding", "sections")])
