"""The offer cache: what servers offered when they were last up.

With it the first answer needs no running server. `CacheFolder` is the folder: many processes may share it,
and the last writer wins. Nothing in it is essential: what cannot be read is treated as absent, what cannot be
written is not kept, and either is noted once. `OfferCache` is what the gateways use: it reads at once and
writes in a thread.
"""

import gc
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import anyio
import anyio.to_thread

from toolbooth import catalog, errors, files, limits, safetext
from toolbooth.gateway import process
from toolbooth.gateway.cached_offer import (
    KEY_BYTES,
    CachedOffer,
    UnreadableOffer,
    as_bytes,
    fingerprint,
    from_bytes,
)

_ENTRY_SUFFIX: Final = ".server"
_ABANDONED: Final = 3600.0  # seconds after which a temporary file is considered abandoned


class CacheFolder:
    """One cache folder. `notes` says what went wrong, once each, for the log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._key: bytes | None = None
        self._spare = 0  # bytes that may still be written before the folder is scanned again

    def load(self, spec: catalog.ServerSpec) -> CachedOffer | None:
        """What this server offered when it was last up."""
        path = self._entry(spec)
        data = self._read(path, limits.MAX_CACHE_FILE)
        if data is None:
            return None
        try:
            return from_bytes(data, spec.name)
        except UnreadableOffer as error:
            self._note(f"the cache of {spec.name} {error}; it is written again")
            return None

    def save(
        self,
        spec: catalog.ServerSpec,
        offered: catalog.ServerTools,
        capabilities: Mapping[str, Any],
        index: bytes | None = None,
        refreshed: float | None = None,
    ) -> None:
        """Keep what a server offers; without its index, or not at all, if that is too much."""
        now = time.time() if refreshed is None else refreshed
        for kept in (index, None):
            data = as_bytes(CachedOffer(offered, capabilities, kept, now))
            if len(data) <= limits.MAX_CACHE_FILE:
                self._write(self._entry(spec), data)
                return self._free_space(len(data))
        return self._note(f"what {spec.name} offers is too large for the cache")

    def _entry(self, spec: catalog.ServerSpec) -> Path:
        return self.folder / f"{fingerprint(spec, self._folder_key())}{_ENTRY_SUFFIX}"

    def _folder_key(self) -> bytes:
        """A random key, made once for each folder."""
        path = self.folder / "key"
        if self._key is None:
            stored = self._read(path, KEY_BYTES)
            if stored is None or len(stored) != KEY_BYTES:
                stored = self._new_key(path, damaged=stored is not None)
            self._key = stored
        return self._key

    def _new_key(self, path: Path, damaged: bool) -> bytes:
        """If several processes make a key at once, the first wins and the others use its key."""
        made = secrets.token_bytes(KEY_BYTES)
        self._write(path, made, replace=damaged)
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

    def _write(self, path: Path, data: bytes, *, replace: bool = True) -> None:
        try:
            files.private_folder(self.folder)
            with suppress(FileExistsError):  # another process was faster
                files.write_atomically(path, data, 0o600, replace=replace)
        except errors.ConfigError as error:
            self._note(f"the cache cannot be written: {error}")

    def _free_space(self, written: int) -> None:
        """Scan the folder only when it may be full by now: with 2,000 servers each scan takes 20 ms."""
        self._spare -= written
        if self._spare < 0:
            # The other half is for processes that write at the same time
            self._spare = self._prune() // 2

    def _prune(self) -> int:
        """Delete abandoned temporary files, and the oldest entries of a full folder; returns the bytes that are left.

        An eighth is freed at once: a full folder that was only just brought below its limit would be scanned again for
        each entry that is written.
        """
        found = sorted(_files_in(self.folder), key=lambda file: file.age)
        most = limits.MAX_CACHE_FOLDER
        if sum(file.size for file in found) > most:
            most -= most // 8
        kept = 0
        for file in found:
            entry = file.path.suffix == _ENTRY_SUFFIX
            unfinished = file.path.name.startswith(".") and file.age > _ABANDONED
            if unfinished or (entry and kept and kept + file.size > most):
                file.path.unlink(missing_ok=True)
            else:
                kept += file.size
        return max(0, limits.MAX_CACHE_FOLDER - kept)

    def _note(self, words: str) -> None:
        line = safetext.for_log(words)
        if line not in self.notes:
            self.notes.append(line)


class _File(NamedTuple):
    path: Path
    age: float  # seconds
    size: int


def _files_in(folder: Path) -> list[_File]:
    """Every file that still exists."""
    found = []
    try:
        for path in folder.iterdir():
            facts = path.stat()
            found.append(_File(path, time.time() - facts.st_mtime, facts.st_size))
    except OSError:
        return []
    return found


_logger = logging.getLogger(__name__)
_MANY: Final = 5_000  # tools: with fewer, the garbage collector takes milliseconds


@contextmanager
def recalling() -> Iterator[Callable[[int], None]]:
    """Recall many offers without the garbage collector, which takes half of the time at 100,000 tools.

    It is told how many tools came. Definitions hold no cycles, so in a process of ours it need not look at many of them
    later either.
    """
    found = 0

    def count(tools: int) -> None:
        nonlocal found
        found += tools

    collects = gc.isenabled()
    gc.disable()
    try:
        yield count
    finally:
        if found >= _MANY:
            process.freeze_once()
        if collects:
            gc.enable()


class _Known(NamedTuple):
    offered: catalog.ServerTools
    refreshed: float
    indexed: bool


class OfferCache:
    """Reads at once, writes in a thread."""

    def __init__(self, cache: CacheFolder) -> None:
        self._folder = cache
        self._known: dict[catalog.ServerSpec, _Known] = {}
        self._logged = 0
        self._writing = anyio.Lock()

    @property
    def notes(self) -> list[str]:
        """What went wrong with the cache, once each."""
        return self._folder.notes

    def recall(self, spec: catalog.ServerSpec) -> CachedOffer | None:
        """What this server offered when it was last up."""
        known = self._folder.load(spec)
        self._log_notes()
        if known is not None:
            self._known[spec] = _Known(known.offered, known.refreshed, known.index is not None)
        return known

    def fresh(self, spec: catalog.ServerSpec) -> bool:
        """Whether the server was seen recently."""
        known = self._known.get(spec)
        return known is not None and time.time() - known.refreshed < limits.CACHE_MAX_AGE

    def indexed(self, spec: catalog.ServerSpec) -> bool:
        """Whether what is kept of this server has a search index."""
        known = self._known.get(spec)
        return known is not None and known.indexed

    def seen(self, spec: catalog.ServerSpec, offered: catalog.ServerTools) -> bool:
        """The server lists this now; returns whether something else is kept, or something that is not fresh."""
        known = self._known.get(spec)
        same = known is not None and known.offered == offered
        new = not same or not self.fresh(spec)
        self._known[spec] = _Known(offered, time.time(), same and self.indexed(spec))
        return new

    async def store(
        self,
        spec: catalog.ServerSpec,
        offered: catalog.ServerTools,
        capabilities: Mapping[str, Any] | None,
        index: bytes | None = None,
        refreshed: float | None = None,
    ) -> None:
        """Keep what a server offers now, or offered when it was last seen."""
        refreshed = time.time() if refreshed is None else refreshed
        self._known[spec] = _Known(offered, refreshed, index is not None)
        async with self._writing:
            given = (spec, offered, dict(capabilities or {}), index, refreshed)
            await anyio.to_thread.run_sync(self._folder.save, *given)
        self._log_notes()

    def _log_notes(self) -> None:
        """Log each problem once: the cache notes it once, too."""
        for note in self.notes[self._logged :]:
            _logger.warning("%s", note)
        self._logged = len(self.notes)
