"""`toolbooth.lock`: a lock as a file of stable bytes under digests, and back with every digest verified."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from toolbooth.catalog import NotJson, decode, write_atomically
from toolbooth.catalog.config import read_regular
from toolbooth.contracts.contract import ServerContract, ToolContract
from toolbooth.contracts.lock import Lock
from toolbooth.contracts.lock_check import MEND, checked_lock
from toolbooth.contracts.lock_seals import (
    SAID,
    lock_sections,
    server_digest,
    server_sections,
    tool_seal,
    whole_digest,
)
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_LOCK_BYTES

__all__ = ["FILE_NAME", "lock_bytes", "lock_digest", "parse_lock", "read_lock", "write_lock"]
FORMAT: Final = "toolbooth-lock"
VERSION: Final = 2
FILE_NAME: Final = "toolbooth.lock"
_PLACE: Final = re.compile(r",? ?(?:at|:) line (\d+) column (\d+)(?: \(char \d+\))?$")


def write_lock(lock: Lock, path: Path) -> None:
    """Write it whole or not at all; what could not be read back is not written."""
    data = lock_bytes(lock)
    try:
        parse_lock(data, path)
    except ConfigError as error:
        raise ConfigError(
            f"is not written, because it could not be read back: {error.message}", path
        ) from None
    write_atomically(path, data)


def lock_bytes(lock: Lock) -> bytes:
    """The same lock always gives the same bytes: sorted keys, no time, no machine."""
    document = _document(lock)
    try:
        return orjson.dumps(
            document, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        )
    except TypeError:  # an integer over 64 bits, which keeps every digit here
        text = json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
        return text.encode("utf-8", "surrogatepass")


def lock_digest(lock: Lock) -> str:
    """Of all but the signature: what a signature is made over."""
    return str(_document(lock)["digest"])


def _document(lock: Lock) -> dict[str, Any]:
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": lock.version,
        "encoding": lock.contracts.encoding,
        "budgets": lock.budgets.as_json(),
        "accepted": [each.as_json() for each in lock.accepted],
        "servers": {name: _server_entry(server) for name, server in lock.contracts.servers.items()},
    }
    document["sections"] = lock_sections(document)
    document["digest"] = whole_digest(document)
    return document if lock.signature is None else {**document, "signature": lock.signature.as_json()}


def _server_entry(server: ServerContract) -> dict[str, Any]:
    said = {key: getattr(server, key) for key in SAID}
    entry: dict[str, Any] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in said.items()
    }
    entry["tools"] = {name: _tool_entry(tool) for name, tool in server.tools.items()}
    entry["sections"] = server_sections(entry)
    entry["digest"] = server_digest(server.server, entry)
    return entry


def _tool_entry(tool: ToolContract) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "definition": tool.wire,
        "digest": tool.digest,
        "economics": tool.economics.as_json(),
        "tokens": tool.tokens,
    }
    return {**entry, "seal": tool_seal(entry)}


def read_lock(path: Path) -> Lock:
    """Read and verify; raises ConfigError that names the place, the section and what to do."""
    return parse_lock(read_regular(path, MAX_LOCK_BYTES), path)


def parse_lock(data: bytes, path: Path) -> Lock:
    """The same for bytes that are read already."""
    document = _decoded(data, path)
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise ConfigError(
            "is no toolbooth.lock: `format` is not toolbooth-lock; `toolbooth lock` writes one", path
        )
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ConfigError(
            f"is of lock format {version}, and this Toolbooth knows {VERSION}: install a newer one", path
        )
    if isinstance(version, bool) or version not in range(1, VERSION + 1):
        raise ConfigError(f"has no format version; {MEND}", path)
    return checked_lock(document, path)


def _decoded(data: bytes, path: Path) -> Any:
    if not data.strip():
        raise ConfigError(f"is empty; {MEND}", path)
    if b"\n<<<<<<< " in data or data.startswith(b"<<<<<<< "):
        raise ConfigError(
            "holds a merge conflict: take one side, then `toolbooth lock --accept --reason …`", path
        )
    try:
        return decode(data)
    except NotJson as error:
        place = _PLACE.search(str(error))
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        reason = str(error)[: place.start()] if place else str(error)
        raise ConfigError(f"is truncated or no JSON ({reason}); {MEND}", path, line, column) from None
