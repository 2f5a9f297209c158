"""`generated_from` of a recorded corpus → what each of its servers told of itself, and which are missing from it."""

from collections.abc import Mapping
from typing import Any, Final

ABOUT: Final = ("title", "version", "protocol", "instructions")
_WHY: Final = "it failed when this corpus was recorded, and is not wholly in it"


def told_of_servers(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Server → its title, version, protocol and instructions; empty for a corpus of another origin."""
    return {
        entry["server"]: {key: entry[key] for key in ABOUT if isinstance(entry.get(key), str)}
        for entry in _entries(document, "servers")
        if isinstance(entry, Mapping) and isinstance(entry.get("server"), str)
    }


def missing_servers(document: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Each with the reason, as a catalog holds them."""
    return tuple((name, _WHY) for name in _entries(document, "missing") if isinstance(name, str))


def _entries(document: Mapping[str, Any], key: str) -> list[Any]:
    origin = document.get("generated_from")
    found = origin.get(key) if isinstance(origin, Mapping) else None
    return found if isinstance(found, list) else []
