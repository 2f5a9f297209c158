"""The cache folder: entries of servers and the counts of calls, read at start and written whole or not at all.

Many processes may share the folder; whoever writes last wins. Nothing in it is needed: what cannot be read is absent,
what cannot be written is not kept, and either is noted once.
"""

import gc
import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog import ServerSpec, ServerTools, write_atomically
from toolbooth.errors import ConfigError
from toolbooth.gateway.cache.fingerprint import KEY_BYTES, fingerprint
from toolbooth.gateway.cache.record import Remembered, Unreadable, as_bytes, from_bytes
from toolbooth.gateway.cache.usage import is_later, read_usage, usage_bytes
from toolbooth.gateway.cache.vectors import StoredVectors
from toolbooth.limits import MAX_CACHE_FILE, MAX_CACHE_FOLDER
from toolbooth.safetext import for_log

_ENTRY: Final = ".server"
_ABANDONED: Final = 3600.0  # seconds after which a temporary file has lost its writer


class Cache:
    """One folder. `notes` are what went wrong, each once, for the log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._key: bytes | None = None
        self._spare = 0  # bytes that may still be written before the folder is looked through again

    def load_all(self, specs: Iterable[ServerSpec]) -> dict[str, Remembered]:
        """What is known of each of these servers, by name; the collector rests meanwhile, for it triples the time."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            loaded = {spec.name: self.load(spec) for spec in specs}
        finally:
            if collecting:
                gc.enable()
        return {name: entry for name, entry in loaded.items() if entry is not None}

    def load(self, spec: ServerSpec) -> Remembered | None:
        """What this server offered when it was last up."""
        path = self._entry(spec)
        data = self._read(path, MAX_CACHE_FILE)
        if data is None:
            return None
        try:
            return from_bytes(data, spec.name)
        except Unreadable as error:
            self._note(f"the cache of {spec.name} {error}; it is made anew")
            return None

    def save(
        self,
        spec: ServerSpec,
        offered: ServerTools,
        capabilities: Mapping[str, Any],
        vectors: StoredVectors | None = None,
        refreshed: float | None = None,
    ) -> None:
        """Keep what a server offers; without its vectors, or not at all, where that is too much."""
        now = time.time() if refreshed is None else refreshed
        for rows in (vectors, None):
            data = as_bytes(Remembered(offered, capabilities, rows, now))
            if len(data) <= MAX_CACHE_FILE:
                self._write(self._entry(spec), data)
                return self._make_room(len(data))
        return self._note(f"what {spec.name} offers is too much for the cache")

    def load_usage(self) -> dict[str, int]:
        """Calls of each tool id."""
        return read_usage(self._read(self.folder / "usage.json", MAX_CACHE_FILE))

    def save_usage(self, usage: Mapping[str, int]) -> None:
        """Keep the counts; where another process counted further, its count stays."""
        data = self._read(self.folder / "usage.json", MAX_CACHE_FILE)
        if is_later(data):
            return self._note(
                "usage.json is of a later Toolbooth and is left alone: calls are not added to it"
            )
        known = read_usage(data)
        joined = {tool: max(count, known.get(tool, 0)) for tool, count in usage.items()}
        return self._write(self.folder / "usage.json", usage_bytes({**known, **joined}))

    def _entry(self, spec: ServerSpec) -> Path:
        return self.folder / f"{fingerprint(spec, self._folder_key())}{_ENTRY}"

    def _folder_key(self) -> bytes:
        """Random, made once a folder."""
        path = self.folder / "key"
        if self._key is None:
            stored = self._read(path, KEY_BYTES)
            if stored is None or len(stored) != KEY_BYTES:
                stored = self._new_key(path, damaged=stored is not None)
            self._key = stored
        return self._key

    def _new_key(self, path: Path, damaged: bool) -> bytes:
        """Of several processes that make one at once the first wins, and the others take its key."""
        made = secrets.token_bytes(KEY_BYTES)
        own = path.with_name(f".key.{made[:8].hex()}")
        self._write(own, made)
        with suppress(OSError):
            if damaged:
                own.replace(path)
            else:
                path.hardlink_to(own)
        with suppress(OSError):
            own.unlink(missing_ok=True)
        stored = self._read(path, KEY_BYTES)
        return stored if stored is not None and len(stored) == KEY_BYTES else made

    def _read(self, path: Path, limit: int) -> bytes | None:
        try:
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._note(f"the cache cannot be read: {error.strerror or error}")
            return None
        return data if len(data) <= limit else b""

    def _write(self, path: Path, data: bytes) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self.folder.stat().st_mode & 0o077:
                self.folder.chmod(0o700)
            write_atomically(path, data)
            with suppress(FileNotFoundError):  # another process wrote or pruned in between
                path.chmod(0o600)
        except (OSError, ConfigError) as error:
            self._note(f"the cache cannot be written: {error}")

    def _make_room(self, written: int) -> None:
        """Look the folder through only where it may be full by now: at 2,000 servers each look takes 20 ms."""
        self._spare -= written
        if self._spare < 0:
            self._spare = max(0, self._prune()) // 2  # the other half is for processes that write beside us

    def _prune(self) -> int:
        """Forget abandoned temporary files, and the oldest entries beyond the ceiling; the bytes that are left."""
        room = MAX_CACHE_FOLDER
        for path, age, size in sorted(_files(self.folder), key=lambda file: file[1]):
            room -= size
            if (path.name.startswith(".") and age > _ABANDONED) or (path.suffix == _ENTRY and room < 0):
                path.unlink(missing_ok=True)
        return room

    def _note(self, words: str) -> None:
        line = for_log(words)
        if line not in self.notes:
            self.notes.append(line)


def _files(folder: Path) -> list[tuple[Path, float, int]]:
    """Path, age in seconds and size of every file that is still there."""
    found = []
    try:
        for path in folder.iterdir():
            facts = path.stat()
            found.append((path, time.time() - facts.st_mtime, facts.st_size))
    except OSError:
        return []
    return found
