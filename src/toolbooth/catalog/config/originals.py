"""The originals of wrapped files, below the user's data folder, each with its `manifest.json`.

The gateway reads a copy in `wrapped`, which is removed when its file is unwrapped. A few versions of every file that
was ever wrapped stay in `originals`: a client that keeps its file in memory may write the gateway's entry again after
the copy is gone, and then the newest version is read instead.
"""

import hashlib
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolbooth import errors, files, limits, own_json
from toolbooth.catalog.config.merging import free_name
from toolbooth.catalog.config.regular_file import read_regular

FORMAT: Final = "toolbooth-wrapped"
VERSION: Final = 1
MANIFEST_NAME: Final = "manifest.json"
WRAPPED_FOLDER: Final = "wrapped"
ORIGINALS_FOLDER: Final = "originals"


def digest(data: bytes) -> str:
    """The SHA-256 by which contents are compared."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The facts about one wrapped file. `path` is as the user names it, `target` has links resolved.

    `copy` is the kept file's name. `server` is the gateway's entry in `section`; servers in `stays` did not move.
    """

    format: str = FORMAT
    version: int = VERSION
    path: Path
    target: Path
    copy: str
    client: str
    section: tuple[str, ...]
    server: str
    moved: tuple[str, ...]
    stays: tuple[str, ...]
    original_sha256: str
    wrapped_sha256: str

    def to_json(self) -> bytes:
        """The bytes of the file."""
        return own_json.encode(self, indent=1)


_DAMAGED: Final = "the manifest is damaged ({reason}); the kept file beside it is the original"
_FILE: Final = own_json.OwnFormat(
    Manifest,
    FORMAT,
    VERSION,
    foreign=f"is not a manifest of version {VERSION}; use the Toolbooth that wrote it",
    other_version=f"is not a manifest of version {VERSION}; use the Toolbooth that wrote it",
    damaged=_DAMAGED,
)


def read_manifest(path: Path) -> Manifest:
    """Read a manifest; raises ConfigError if it is damaged or from a later version."""
    found = _FILE.read(read_regular(path, limits.MAX_CONFIG_BYTES), path)
    if Path(found.copy).name != found.copy or found.copy in ("", MANIFEST_NAME):
        raise errors.ConfigError(_DAMAGED.format(reason="copy: not the name of a file beside it"), path)
    return found


def manifest_beside(path: Path) -> Manifest | None:
    """The manifest of a kept copy, if the file is one."""
    manifest = path.absolute().parent / MANIFEST_NAME
    ours = (
        manifest.parent.parent.name == WRAPPED_FOLDER
        or manifest.parent.parent.parent.name == ORIGINALS_FOLDER
    )
    if not ours or path.name == MANIFEST_NAME or not manifest.is_file():
        return None
    found = read_manifest(manifest)
    return found if found.copy == path.name else None


_MOST_TRIES: Final = 100
_NOT_IN_SLUGS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class KeptOriginal:
    """One kept original."""

    folder: Path
    manifest: Manifest

    @property
    def copy(self) -> Path:
        """The kept file, which the gateway reads."""
        return self.folder / self.manifest.copy


def folder_for(data: Path, target: Path) -> Path:
    """A folder that does not exist yet, with a readable name that is unique for the path."""
    root = data / WRAPPED_FOLDER
    taken = {path.name for path in root.iterdir()} if root.is_dir() else set()
    return root / free_name(name_for(target), taken)


def name_for(target: Path) -> str:
    """The name of a file's folder. It is part of the gateway's entry, so the originals can be found by it."""
    slug = _NOT_IN_SLUGS.sub("-", f"{target.parent.name} {target.name}".lower()).strip("-")[:40]
    return f"{slug}-{digest(str(target).encode('utf-8', 'surrogateescape'))[:12]}"


def reserve(data: Path, target: Path) -> Path:
    """Create that folder; if two processes wrap the same file at once, each gets its own."""
    for each in (data, data / WRAPPED_FOLDER):
        files.private_folder(each)
    for _ in range(_MOST_TRIES):
        folder = folder_for(data, target)
        try:
            files.new_private_folder(folder)
        except FileExistsError:
            continue
        return folder
    raise errors.ConfigError("too many programs write here at once; try again", data / WRAPPED_FOLDER)


def keep(folder: Path, manifest: Manifest, original: bytes) -> KeptOriginal:
    """Write the copy, then the manifest: after a crash, a folder without a manifest is ignored."""
    files.write_new(folder / manifest.copy, original)
    files.write_new(folder / MANIFEST_NAME, manifest.to_json())
    files.flush_folder(folder)
    return KeptOriginal(folder, manifest)


def rewrapped(kept: KeptOriginal, wrapped: bytes) -> None:
    """Remember another content of the wrapped file; the copy and the permanent originals stay as they are."""
    manifest = replace(kept.manifest, wrapped_sha256=digest(wrapped))
    files.write_atomically(kept.folder / MANIFEST_NAME, manifest.to_json(), mode=0o600)


def let_go(folder: Path) -> None:
    """Remove a kept copy that is no longer needed; its manifest first, so that a part is never taken for the whole."""
    with suppress(OSError):
        (folder / MANIFEST_NAME).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def all_kept(data: Path) -> Iterator[KeptOriginal]:
    """Every kept original whose manifest can be read."""
    for manifest in sorted((data / WRAPPED_FOLDER).glob(f"*/{MANIFEST_NAME}")):
        with suppress(errors.ConfigError):
            yield KeptOriginal(manifest.parent, read_manifest(manifest))


def kept_by(copy: Path) -> KeptOriginal | None:
    """The kept original that an entry of the gateway points to."""
    manifest = copy.parent / MANIFEST_NAME
    if not manifest.is_file():
        return None
    found = KeptOriginal(copy.parent, read_manifest(manifest))
    return found if found.copy == copy else None


_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"
_UNFINISHED: Final = ".new-"
_ABANDONED: Final = 86_400.0  # seconds after which nobody is still writing a version
_KEPT_FOLDER: Final = re.compile(r"(?P<file>.+-[0-9a-f]{12})(?:-\d+)?")


@dataclass(frozen=True)
class KeptVersion:
    """One original; a person names it by its `id`, which begins with the time in UTC."""

    kept: KeptOriginal

    @property
    def id(self) -> str:
        """The id of the original; ids sort by time."""
        return self.kept.folder.name

    @property
    def when(self) -> datetime:
        """When it was kept."""
        return datetime.strptime(self.id.partition("-")[0], _STAMP).replace(tzinfo=UTC)


def remember(data: Path, manifest: Manifest, original: bytes) -> Path:
    """Keep one more version, atomically, and remove the oldest above the limit; returns its folder."""
    root = data / ORIGINALS_FOLDER / name_for(manifest.target)
    for each in (data, data / ORIGINALS_FOLDER, root):
        files.private_folder(each)
    folder = root / f"{datetime.now(UTC).strftime(_STAMP)}-{digest(original)[:12]}"
    unfinished = root / f"{_UNFINISHED}{secrets.token_hex(8)}"
    files.new_private_folder(unfinished)
    try:
        files.write_new(unfinished / manifest.copy, original)
        files.write_new(
            unfinished / MANIFEST_NAME, replace(manifest, original_sha256=digest(original)).to_json()
        )
        files.flush_folder(unfinished)
        unfinished.rename(folder)
    except (OSError, errors.ConfigError) as error:
        let_go(unfinished)
        raise error if isinstance(error, errors.ConfigError) else _unwritable(error, root) from None
    files.flush_folder(root)
    _tidy(root)
    return folder


def _unwritable(error: OSError, path: Path) -> errors.ConfigError:
    return errors.ConfigError(f"cannot be written: {error.strerror or 'unknown reason'}", path)


def versions(data: Path, target: Path | None = None) -> list[KeptVersion]:
    """The versions of one file, or of all files; the newest first."""
    names = "*" if target is None else name_for(target)
    return sorted(_read(data / ORIGINALS_FOLDER, names), key=lambda version: version.id, reverse=True)


def stand_in(copy: Path) -> KeptVersion | None:
    """The newest version for a copy in `wrapped` that is gone, found by the name of its folder alone."""
    named = _KEPT_FOLDER.fullmatch(copy.parent.name)
    if named is None:
        return None
    found = _read(copy.parent.parent.parent / ORIGINALS_FOLDER, named["file"])
    return max(found, key=lambda version: version.id, default=None)


def _read(root: Path, names: str) -> Iterator[KeptVersion]:
    for manifest in root.glob(f"{names}/*/{MANIFEST_NAME}"):
        with suppress(errors.ConfigError, ValueError):  # a folder without a time in its name is not ours
            version = KeptVersion(KeptOriginal(manifest.parent, read_manifest(manifest)))
            if version.when.tzinfo and version.kept.copy.is_file():
                yield version


def _tidy(root: Path) -> None:
    """Remove versions with the same content as a newer one, those above the limit, and abandoned ones after a day.

    Only names decide, so two processes that do this at once keep the same versions.
    """
    finished = sorted((path for path in root.iterdir() if not path.name.startswith(".")), reverse=True)
    newest = {path.name[-12:]: path for path in reversed(finished)}
    different = [path for path in finished if newest[path.name[-12:]] == path]
    for path in finished:
        if path not in different[: limits.KEPT_ORIGINALS]:
            let_go(path)
    for path in root.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):
            if datetime.now(UTC).timestamp() - path.stat().st_mtime > _ABANDONED:
                let_go(path)
