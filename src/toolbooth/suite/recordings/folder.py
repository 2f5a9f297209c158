"""A folder of recordings: runs by cell under portable file names, and each catalog stored once by its hash."""

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

from toolbooth import errors, files, limits, tokens
from toolbooth.catalog import Catalog, canonical, snapshot_bytes
from toolbooth.suite.recordings import cassette_json, menu_json
from toolbooth.suite.report import CellKey

_NAME = re.compile(r"(?P<cell>[a-z0-9-]+)\.run-(?P<run>[0-9]{2,9})-(?P<hash>[0-9a-f]{8})\.json")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class CassetteName(NamedTuple):
    """The cell and the run that a file name encodes."""

    cell: str
    run: int


@lru_cache(maxsize=16_384)
def cell_name(key: CellKey, variant: cassette_json.Variant = "") -> CassetteName:
    """Lower case, ASCII and short; a hash keeps names different that would be the same. The run is 0."""
    parts = [slug_of(key.test), slug_of(key.model), slug_of(key.surface), *([variant] if variant else [])]
    code = hashlib.sha256(canonical(cassette_json.plain([*key, variant])).encode()).hexdigest()[:8]
    return CassetteName(f"{'--'.join(parts)}.{code}", 0)


def file_name(key: CellKey, run: int, variant: cassette_json.Variant = "") -> str:
    """`first-test--gpt-x--direct.run-01-1f2e3d4c.json`."""
    slugs, _, code = cell_name(key, variant).cell.rpartition(".")
    return f"{slugs}.run-{run:02d}-{code}.json"


def read_name(name: str) -> CassetteName | None:
    """None if the file name is not that of a recording."""
    found = _NAME.fullmatch(name)
    return CassetteName(f"{found['cell']}.{found['hash']}", int(found["run"])) if found else None


def slug_of(text: str) -> str:
    """A part of a file name, never empty and without `--`."""
    plain_letters = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return _NOT_PLAIN.sub("-", plain_letters)[: limits.CASSETTE_SLUG].strip("-") or "x"


_HASH = re.compile(r"sha256:([0-9a-f]{64})")


class CassetteFolder:
    """Reads and writes recordings. A catalog is read and counted once, however many runs refer to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._menus: dict[str, menu_json.Menu | None] = {}
        self._catalogs: dict[str, Catalog | None] = {}
        self._weights: dict[tuple[str, str], int | None] = {}
        self._tests: dict[str, list[str]] | None = None

    def path_of(self, key: CellKey, run: int = 1, variant: cassette_json.Variant = "") -> Path:
        """The path of a run, whether it exists or not."""
        return self.path / file_name(key, run, variant)

    def has(self, key: CellKey, run: int = 1, variant: cassette_json.Variant = "") -> bool:
        """Whether the file exists, readable or not."""
        return os.path.lexists(self.path_of(key, run, variant))

    def runs(self, key: CellKey, variant: cassette_json.Variant = "") -> tuple[int, ...]:
        """The numbers of the recorded runs, as of the first look at the folder."""
        return tuple(sorted(self._recorded.get(cell_name(key, variant).cell, {})))

    def recorded_as(
        self, test: str, surface: str, variant: cassette_json.Variant = ""
    ) -> tuple[CellKey, ...]:
        """The recorded cells of a test on a surface, by any model; `model: replay` uses one of these."""
        likely = self._by_test.get(slug_of(test), ())
        first = (min(self._recorded[cell].items()) for cell in likely)
        cassettes = (self._read_at(path) for _, path in first)
        found = {each.key for each in cassettes if each is not None and each.variant == variant}
        return tuple(sorted(key for key in found if (key.test, key.surface) == (test, surface)))

    def read(self, key: CellKey, run: int = 1, variant: cassette_json.Variant = "") -> cassette_json.Cassette:
        """One run. Raises ConfigError if it is missing, damaged, or of another cell."""
        path = self.path_of(key, run, variant)
        cassette = self._read_at(path)
        if cassette is None:
            raise errors.ConfigError("this run is not recorded; record it with --record", path)
        if (cassette.key, cassette.run, cassette.variant) != (key, run, variant):
            raise errors.ConfigError(
                f"this is the recording of another test, model or run; {cassette_json.AGAIN}", path
            )
        return cassette

    def write(self, cassette: cassette_json.Cassette) -> Path:
        """Write one run; a crash leaves the old file or the new one."""
        path = self.path_of(cassette.key, cassette.run, cassette.variant)
        _write(path, cassette_json.cassette_bytes(cassette))
        cell = cell_name(cassette.key, cassette.variant).cell
        self._recorded.setdefault(cell, {})[cassette.run] = path
        self._tests = None
        return path

    def write_menu(self, menu: Iterable[Mapping[str, Any]]) -> str:
        """Store the menu that a model saw, and return its hash."""
        tools = tuple(menu)
        name = menu_json.menu_hash(tools)
        if self._menus.get(name) is None:
            _write(self._catalog_path(name), menu_json.menu_bytes(tools))
            self._menus[name] = tools
        return name

    def write_catalog(self, catalog: Catalog) -> str:
        """Store the tools behind a menu, and return their hash."""
        name = menu_json.catalog_hash(catalog)
        if self._catalogs.get(name) is None:
            _write(self._catalog_path(name), snapshot_bytes(catalog))
            self._catalogs[name] = catalog
        return name

    def read_menu(self, name: str) -> menu_json.Menu | None:
        """None if the file is missing. Raises ConfigError if it does not match its hash."""
        if name not in self._menus:
            data = self._stored(name)
            self._menus[name] = (
                None if data is None else menu_json.read_menu(data, name, self._catalog_path(name))
            )
        return self._menus[name]

    def read_catalog(self, name: str) -> Catalog | None:
        """None if the file is missing. Raises ConfigError if it does not match its hash."""
        if name not in self._catalogs:
            data = self._stored(name)
            self._catalogs[name] = (
                None if data is None else menu_json.read_stored_catalog(data, name, self._catalog_path(name))
            )
        return self._catalogs[name]

    def surface_tokens(self, menu: str, encoding: str = tokens.DEFAULT_ENCODING) -> int | None:
        """The tokens of the menu with that hash; None if the file is missing."""
        if (menu, encoding) not in self._weights:
            tools = self.read_menu(menu)
            self._weights[menu, encoding] = (
                None if tools is None else tokens.weigh(tools, encoding).total_tokens
            )
        return self._weights[menu, encoding]

    def stale(self, keys: Iterable[CellKey]) -> tuple[Path, ...]:
        """Recordings that belong to none of these cells; other files are ignored."""
        wanted = {cell_name(key, variant).cell for key in keys for variant in get_args(cassette_json.Variant)}
        left = (paths for cell, paths in self._recorded.items() if cell not in wanted)
        return tuple(sorted(path for paths in left for path in paths.values()))

    def key_at(self, path: Path) -> CellKey | None:
        """The cell of the recording at a path; None if it cannot be read."""
        try:
            found = self._read_at(path)
        except errors.ConfigError:
            return None
        return None if found is None else found.key

    def _read_at(self, path: Path) -> cassette_json.Cassette | None:
        data = _read(path, limits.MAX_CASSETTE_BYTES)
        return None if data is None else cassette_json.read_cassette(data, path)

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
            raise errors.ConfigError(f"cannot be read: {error.strerror}", self.path) from None
        for name in names:
            if (named := read_name(name)) is not None:
                found.setdefault(named.cell, {})[named.run] = self.path / name
        return found

    def _catalog_path(self, name: str) -> Path:
        return self.path / "catalogs" / f"{name.removeprefix('sha256:')}.json"

    def _stored(self, name: str) -> bytes | None:
        return _read(self._catalog_path(name), limits.MAX_CATALOG_BYTES) if _HASH.fullmatch(name) else None


def _read(path: Path, most: int) -> bytes | None:
    """The bytes of a regular file; None if it does not exist."""
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            raise errors.ConfigError(
                f"this is not a regular file; move it away, and {cassette_json.AGAIN}", path
            )
        if about.st_size > most:
            raise errors.ConfigError(
                f"this file has {about.st_size} bytes, but {most} are allowed; {cassette_json.AGAIN}", path
            )
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise errors.ConfigError(f"cannot be read: {error.strerror}", path) from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            raise errors.ConfigError("this is a symbolic link, not a file; move it away", path)
    except OSError as error:
        raise errors.ConfigError(f"cannot be written: {error.strerror}", path) from None
    files.write_atomically(path, data)
