"""The file `catalogs/<hash>.json`: tools as a model saw them, stored once by their hash, and read back."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolbooth import errors
from toolbooth.catalog import Catalog, MalformedTool, NotJson, Tool, canonical, decode, read_catalog
from toolbooth.suite.recordings.cassette_json import AGAIN, plain

FORMAT = "toolbooth-menu"
VERSION = 1
Menu = tuple[Mapping[str, Any], ...]
_MISFIT = f"the content does not match the file name: it was edited or cut off; restore it, or {AGAIN}"


def menu_hash(menu: Iterable[Mapping[str, Any]]) -> str:
    """`sha256:` and the hash of the canonical list. The order counts, because the model saw it."""
    return f"sha256:{hashlib.sha256(canonical(plain(list(menu))).encode()).hexdigest()}"


def catalog_hash(catalog: Catalog) -> str:
    """`sha256:` and the fingerprint, which does not depend on order."""
    return f"sha256:{catalog.fingerprint}"


def menu_bytes(menu: Iterable[Mapping[str, Any]]) -> bytes:
    """The same menu always gives the same bytes."""
    document = {"format": FORMAT, "version": VERSION, "tools": plain(list(menu))}
    return (json.dumps(document, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def read_menu(data: bytes, wanted: str, path: Path) -> Menu:
    """Read a menu; one that does not match the hash `wanted` is refused."""
    document = _decoded(data, path)
    tools = document.get("tools")
    if document.get("format") != FORMAT or document.get("version") != VERSION or not isinstance(tools, list):
        raise errors.ConfigError(f"this is not a menu that this version can read; {AGAIN}", path)
    try:
        fits = menu_hash(tools) == wanted and all(Tool.from_raw("", tool) for tool in tools)
    except MalformedTool:
        fits = False
    if not fits:
        raise errors.ConfigError(_MISFIT, path)
    return tuple(tools)


def read_stored_catalog(data: bytes, wanted: str, path: Path) -> Catalog:
    """Read the catalog behind a menu, in the format of `toolbooth doctor --save`."""
    catalog = read_catalog(_decoded(data, path), path)
    if catalog_hash(catalog) != wanted:
        raise errors.ConfigError(_MISFIT, path)
    return catalog


def _decoded(data: bytes, path: Path) -> dict[str, Any]:
    try:
        document = decode(data)
    except NotJson:
        raise errors.ConfigError(_MISFIT, path) from None
    if not isinstance(document, dict):
        raise errors.ConfigError(_MISFIT, path)
    return document
