"""A folder of recordings → runs by cell, and each catalog once by its content."""

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from toolbooth.catalog import Catalog, snapshot_bytes, write_atomically
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_CASSETTE_BYTES, MAX_CATALOG_BYTES
from toolbooth.suite.cassette.cassette_json import AGAIN, Cassette, Variant, cassette_bytes, read_cassette
from toolbooth.suite.cassette.file_names import cell_name, file_name, read_name, slug_of
from toolbooth.suite.cassette.menu_json import (
    Menu,
    catalog_hash,
    menu_bytes,
    menu_hash,
    read_menu,
    read_stored_catalog,
)
from toolbooth.suite.report import CellKey
from toolbooth.tokens import DEFAULT_ENCODING, weigh

_HASH = re.compile(r"sha256:([0-9a-f]{64})")


class CassetteFolder:
    """Reads and writes recordings; a catalog is read and weighed once, however many runs name it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._menus: dict[str, Menu | None] = {}
        self._catalogs: dict[str, Catalog | None] = {}
        self._weights: dict[tuple[str, str], int | None] = {}
        self._tests: dict[str, list[str]] | None = None

    def path_of(self, key: CellKey, run: int = 1, variant: Variant = "") -> Path:
        """Where that run is, or would be."""
        return self.path / file_name(key, run, variant)

    def has(self, key: CellKey, run: int = 1, variant: Variant = "") -> bool:
        """Whether something stands there, be it readable or not."""
        return os.path.lexists(self.path_of(key, run, variant))

    def runs(self, key: CellKey, variant: Variant = "") -> tuple[int, ...]:
        """The numbers of the runs that were recorded, as the folder was when it was first looked at."""
        return tuple(sorted(self._recorded.get(cell_name(key, variant).cell, {})))

    def recorded_as(self, test: str, surface: str, variant: Variant = "") -> tuple[CellKey, ...]:
        """The cells of a test on a surface, by any model: `model: replay` takes one of these."""
        likely = self._by_test.get(slug_of(test), ())
        first = (min(self._recorded[cell].items()) for cell in likely)
        cassettes = (self._read_at(path) for _, path in first)
        found = {each.key for each in cassettes if each is not None and each.variant == variant}
        return tuple(sorted(key for key in found if (key.test, key.surface) == (test, surface)))

    def read(self, key: CellKey, run: int = 1, variant: Variant = "") -> Cassette:
        """One run; raises ConfigError where it is missing, damaged, or of another cell."""
        path = self.path_of(key, run, variant)
        cassette = self._read_at(path)
        if cassette is None:
            raise ConfigError("there is no recording of this run; record it with --record", path)
        if (cassette.key, cassette.run, cassette.variant) != (key, run, variant):
            raise ConfigError(f"this is the recording of another test, model or run; {AGAIN}", path)
        return cassette

    def write(self, cassette: Cassette) -> Path:
        """Keep one run; a crash leaves the old file or the new one."""
        path = self.path_of(cassette.key, cassette.run, cassette.variant)
        _write(path, cassette_bytes(cassette))
        cell = cell_name(cassette.key, cassette.variant).cell
        self._recorded.setdefault(cell, {})[cassette.run] = path
        self._tests = None
        return path

    def write_menu(self, menu: Iterable[Mapping[str, Any]]) -> str:
        """Keep what a model saw; its hash."""
        tools = tuple(menu)
        name = menu_hash(tools)
        if self._menus.get(name) is None:
            _write(self._catalog_path(name), menu_bytes(tools))
            self._menus[name] = tools
        return name

    def write_catalog(self, catalog: Catalog) -> str:
        """Keep the tools behind a menu; their hash."""
        name = catalog_hash(catalog)
        if self._catalogs.get(name) is None:
            _write(self._catalog_path(name), snapshot_bytes(catalog))
            self._catalogs[name] = catalog
        return name

    def read_menu(self, name: str) -> Menu | None:
        """None where it is not there; raises ConfigError where it is not what it was."""
        if name not in self._menus:
            data = self._stored(name)
            self._menus[name] = None if data is None else read_menu(data, name, self._catalog_path(name))
        return self._menus[name]

    def read_catalog(self, name: str) -> Catalog | None:
        """None where it is not there; raises ConfigError where it is not what it was."""
        if name not in self._catalogs:
            data = self._stored(name)
            self._catalogs[name] = (
                None if data is None else read_stored_catalog(data, name, self._catalog_path(name))
            )
        return self._catalogs[name]

    def surface_tokens(self, menu: str, encoding: str = DEFAULT_ENCODING) -> int | None:
        """What the menu of that hash costs on each model call; None where it is not there."""
        if (menu, encoding) not in self._weights:
            tools = self.read_menu(menu)
            self._weights[menu, encoding] = None if tools is None else weigh(tools, encoding).total_tokens
        return self._weights[menu, encoding]

    def stale(self, keys: Iterable[CellKey]) -> tuple[Path, ...]:
        """Recordings that belong to none of these cells; files of other kinds are nobody's business."""
        wanted = {cell_name(key, variant).cell for key in keys for variant in get_args(Variant)}
        left = (paths for cell, paths in self._recorded.items() if cell not in wanted)
        return tuple(sorted(path for paths in left for path in paths.values()))

    def key_at(self, path: Path) -> CellKey | None:
        """The cell of a recording by its place; None where it cannot be read."""
        try:
            found = self._read_at(path)
        except ConfigError:
            return None
        return None if found is None else found.key

    def _read_at(self, path: Path) -> Cassette | None:
        data = _read(path, MAX_CASSETTE_BYTES)
        return None if data is None else read_cassette(data, path)

    @property
    def _by_test(self) -> Mapping[str, Sequence[str]]:
        if self._tests is None:
            self._tests = {}
            for cell in sorted(self._recorded):
                self._tests.setdefault(cell.partition("--")[0], []).append(cell)
        return self._tests

    @cached_property
    def _recorded(self) -> dict[str, dict[int, Path]]:
        found: dict[str, dict[int, Path]] = {}
        try:
            names = [entry.name for entry in self.path.iterdir()]
        except FileNotFoundError:
            return found
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", self.path) from None
        for name in names:
            if (named := read_name(name)) is not None:
                found.setdefault(named.cell, {})[named.run] = self.path / name
        return found

    def _catalog_path(self, name: str) -> Path:
        return self.path / "catalogs" / f"{name.removeprefix('sha256:')}.json"

    def _stored(self, name: str) -> bytes | None:
        return _read(self._catalog_path(name), MAX_CATALOG_BYTES) if _HASH.fullmatch(name) else None


def _read(path: Path, most: int) -> bytes | None:
    """The bytes of a plain file; None where there is none."""
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            raise ConfigError(f"this is no plain file; move it away, and {AGAIN}", path)
        if about.st_size > most:
            raise ConfigError(f"this file has {about.st_size} bytes, {most} are allowed; {AGAIN}", path)
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path) from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            raise ConfigError("this is a link and not a file; move it away", path)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path) from None
    write_atomically(path, data)
