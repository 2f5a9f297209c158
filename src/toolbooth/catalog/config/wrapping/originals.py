"""Originals for good: some versions of every file that was ever wrapped, below the user's data folder.

The gateway reads a copy in `wrapped`, which goes when its file is unwrapped. A client that holds its file in memory may
write the gateway's entry again after that; then, and where the copy was lost, the newest version here stands in for it.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolbooth.catalog.config.wrapping.kept import Kept, let_go, name_for
from toolbooth.catalog.config.wrapping.manifest import NAME, ORIGINALS, Manifest, read_manifest
from toolbooth.catalog.config.wrapping.swap import digest, flush_folder, private_folder, write_private
from toolbooth.errors import ConfigError
from toolbooth.limits import KEPT_ORIGINALS

_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"
_UNFINISHED: Final = ".new-"
_ABANDONED: Final = 86_400.0  # seconds after which nobody is still writing a version
_KEPT_FOLDER: Final = re.compile(r"(?P<file>.+-[0-9a-f]{12})(?:-\d+)?")


@dataclass(frozen=True)
class Version:
    """One original; `id` is what a person names it by, and its digits are the time in UTC."""

    kept: Kept

    @property
    def id(self) -> str:
        """Sorts by time."""
        return self.kept.folder.name

    @property
    def when(self) -> datetime:
        """When it was kept."""
        return datetime.strptime(self.id.partition("-")[0], _STAMP).replace(tzinfo=UTC)


def remember(data: Path, manifest: Manifest, original: bytes) -> Path:
    """Keep one more version, whole or not at all, and let go of the oldest above the limit; gives back its folder."""
    root = data / ORIGINALS / name_for(manifest.target)
    for each in (data, data / ORIGINALS, root):
        private_folder(each)
    folder = root / f"{datetime.now(UTC).strftime(_STAMP)}-{digest(original)[:12]}"
    unfinished = Path(_made(root))
    try:
        write_private(unfinished / manifest.copy, original)
        write_private(unfinished / NAME, replace(manifest, original_sha256=digest(original)).to_json())
        flush_folder(unfinished)
        unfinished.rename(folder)
    except (OSError, ConfigError) as error:
        let_go(unfinished)
        raise error if isinstance(error, ConfigError) else _unwritable(error, root) from None
    flush_folder(root)
    _tidy(root)
    return folder


def _made(root: Path) -> str:
    """A folder that only its owner may enter."""
    try:
        return tempfile.mkdtemp(prefix=_UNFINISHED, dir=root)
    except OSError as error:
        raise _unwritable(error, root) from None


def _unwritable(error: OSError, path: Path) -> ConfigError:
    return ConfigError(f"cannot be written: {error.strerror or 'unknown reason'}", path)


def versions(data: Path, target: Path | None = None) -> list[Version]:
    """Those of one file, or of all files; the newest first."""
    names = "*" if target is None else name_for(target)
    return sorted(_read(data / ORIGINALS, names), key=lambda version: version.id, reverse=True)


def stand_in(copy: Path) -> Version | None:
    """The newest version for a copy in `wrapped` that is gone, found by the name of its folder alone."""
    named = _KEPT_FOLDER.fullmatch(copy.parent.name)
    if named is None:
        return None
    found = _read(copy.parent.parent.parent / ORIGINALS, named["file"])
    return max(found, key=lambda version: version.id, default=None)


def _read(root: Path, names: str) -> Iterator[Version]:
    for manifest in root.glob(f"{names}/*/{NAME}"):
        with suppress(ConfigError, ValueError):  # a folder without a time in its name is none of ours
            version = Version(Kept(manifest.parent, read_manifest(manifest)))
            if version.when.tzinfo and version.kept.copy.is_file():
                yield version


def _tidy(root: Path) -> None:
    """Of the same content only the newest counts; what a kill left half written is nobody's after a day.

    Two that tidy at once judge by the names alone, so both keep the same.
    """
    finished = sorted((path for path in root.iterdir() if not path.name.startswith(".")), reverse=True)
    newest = {path.name[-12:]: path for path in reversed(finished)}
    different = [path for path in finished if newest[path.name[-12:]] == path]
    for path in finished:
        if path not in different[:KEPT_ORIGINALS]:
            let_go(path)
    for path in root.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):
            if datetime.now(UTC).timestamp() - path.stat().st_mtime > _ABANDONED:
                let_go(path)
