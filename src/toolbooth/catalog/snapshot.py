"""`catalog.json`: a catalog as a file of stable bytes, with its fingerprint, and back."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolbooth.catalog.listing import sort_entries
from toolbooth.catalog.tool import Catalog, ServerTools
from toolbooth.errors import ConfigError

FORMAT = "toolbooth-catalog"
VERSION = 1
_ABOUT = ("instructions", "title", "version")


def save_snapshot(catalog: Catalog, path: Path) -> None:
    """Write the catalog; a crash leaves the old file or the new one, never half of one."""
    write_atomically(path, snapshot_bytes(catalog))


def snapshot_bytes(catalog: Catalog) -> bytes:
    """The same catalog always gives the same bytes: sorted keys, no time, no machine."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "fingerprint": catalog.fingerprint,
        "servers": [_server(server) for server in sorted(catalog.servers, key=lambda each: each.server)],
    }
    return (json.dumps(document, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )


def _server(server: ServerTools) -> dict[str, Any]:
    about = {"instructions": server.instructions, "title": server.title, "version": server.version}
    return {
        "server": server.server,
        **{key: value for key, value in about.items() if value},
        "tools": [tool.wire for tool in server.tools],
    }


def is_snapshot(document: object) -> bool:
    """Whether a parsed file is one of ours."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT


def read_snapshot(document: Mapping[str, Any], path: Path) -> Catalog:
    """Read a parsed snapshot; a changed or damaged one is refused."""
    if document.get("version") != VERSION:
        raise ConfigError(f"catalog format {document.get('version')} is not known to this version", path)
    catalog = Catalog(tuple(_read_server(entry, path) for entry in document.get("servers") or ()))
    if document.get("fingerprint") != catalog.fingerprint:
        raise ConfigError("the fingerprint does not fit the tools: the file was edited; save it anew", path)
    return catalog


def _read_server(entry: Any, path: Path) -> ServerTools:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("tools"), list):
        raise ConfigError("a server entry has no list of tools", path)
    about = {key: entry[key] for key in _ABOUT if isinstance(entry.get(key), str)}
    return sort_entries(str(entry.get("server", "")), entry["tools"], **about)


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside the target, flush to disk, then take its place."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path) from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path) from None
    finally:
        temporary.unlink(missing_ok=True)
