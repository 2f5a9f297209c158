"""The file `catalogs/<hash>.json`: tools as a model saw them, stored once by their hash, and read back."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolbooth import errors, own_json
from toolbooth.catalog import Catalog, MalformedTool, NotJson, Tool, canonical, decode, read_catalog
from toolbooth.suite.recordings.cassette_json import AGAIN, plain

FORMAT = "toolbooth-menu"
VERSION = 1
Menu = tuple[Mapping[str, Any], ...]
_MISFIT = f"the content does not match the file name: it was edited or cut off; restore it, or {AGAIN}"


@dataclass(frozen=True)
class _MenuFile:
    format: str
    version: int
    tools: list[dict[str, Any]]


_FOREIGN = f"this is not a menu that this version can read; {AGAIN}"
_FILE = own_json.OwnFormat(
    _MenuFile, FORMAT, VERSION, foreign=_FOREIGN, other_version=_FOREIGN, damaged=_MISFIT
)


def menu_hash(menu: Iterable[Mapping[str, Any]]) -> str:
    """`sha256:` and the hash of the canonical list. The order counts, because the model saw it."""
    return f"sha256:{hashlib.sha256(canonical(plain(list(menu))).encode()).hexdigest()}"


def catalog_hash(catalog: Catalog) -> str:
    """`sha256:` and the fingerprint, which does not depend on order."""
    return f"sha256:{catalog.fingerprint}"


def menu_bytes(menu: Iterable[Mapping[str, Any]]) -> bytes:
    """The file's bytes. Equal menus give equal bytes."""
    document = {"format": FORMAT, "version": VERSION, "tools": plain(list(menu))}
    return own_json.encode(document, indent=1, sort=True)


def read_menu(data: bytes, wanted: str, path: Path) -> Menu:
    """Read a menu; one that does not match the hash `wanted` is refused."""
    tools = _FILE.read(data, path).tools
    try:
        fits = menu_hash(tools) == wanted and all(Tool.from_raw("", tool) for tool in tools)
    except MalformedTool:
        fits = False
    if not fits:
        raise errors.ConfigError(_MISFIT, path)
    return tuple(tools)


def read_stored_catalog(data: bytes, wanted: str, path: Path) -> Catalog:
    """Read the catalog behind a menu, in the format of `toolbooth doctor --save`."""
    try:
        catalog = read_catalog(decode(data), path)
    except NotJson:
        raise errors.ConfigError(_MISFIT, path) from None
    if catalog_hash(catalog) != wanted:
        raise errors.ConfigError(_MISFIT, path)
    return catalog
