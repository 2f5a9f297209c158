"""The originals of wrapped files, below the user's data folder: keep one, find it again, let go of it."""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbooth.catalog.config.names import free_name
from toolbooth.catalog.config.wrapping.manifest import FOLDER, NAME, Manifest, read_manifest
from toolbooth.catalog.config.wrapping.swap import digest, flush_folder, private_folder, write_private
from toolbooth.errors import ConfigError

_MOST_TRIES: Final = 100
_NOT_IN_SLUGS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Kept:
    """One kept original."""

    folder: Path
    manifest: Manifest

    @property
    def copy(self) -> Path:
        """The kept file, which the gateway reads."""
        return self.folder / self.manifest.copy


def data_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """Where programs keep what is the user's own, by the custom of each system."""
    usual = {
        "darwin": ("", ("Library", "Application Support")),
        "win32": ("LOCALAPPDATA", ("AppData", "Local")),
    }
    variable, parts = usual.get(platform, ("XDG_DATA_HOME", (".local", "share")))
    named = environ.get(variable, "")
    base = Path(named) if Path(named).is_absolute() else home.joinpath(*parts)
    return base / "toolbooth"


def folder_for(data: Path, target: Path) -> Path:
    """A folder that is not there yet, named after the file: readable, and one of its own for every path."""
    root = data / FOLDER
    taken = {path.name for path in root.iterdir()} if root.is_dir() else set()
    return root / free_name(name_for(target), taken)


def name_for(target: Path) -> str:
    """The name of a file's folder: whoever has the gateway's entry has it, and finds the originals by it."""
    slug = _NOT_IN_SLUGS.sub("-", f"{target.parent.name} {target.name}".lower()).strip("-")[:40]
    return f"{slug}-{digest(str(target).encode('utf-8', 'surrogateescape'))[:12]}"


def reserve(data: Path, target: Path) -> Path:
    """The same folder, made: whoever makes it owns it, also where two wrap the same file at once."""
    for each in (data, data / FOLDER):
        private_folder(each)
    for _ in range(_MOST_TRIES):
        folder = folder_for(data, target)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"cannot be made: {error.strerror or 'unknown reason'}", folder) from None
        return folder
    raise ConfigError("too many programs write here at once; try again", data / FOLDER)


def keep(folder: Path, manifest: Manifest, original: bytes) -> Kept:
    """Write the copy, then the manifest: a folder without one is nothing that a crash could mislead with."""
    write_private(folder / manifest.copy, original)
    write_private(folder / NAME, manifest.to_json())
    flush_folder(folder)
    return Kept(folder, manifest)


def let_go(folder: Path) -> None:
    """Remove a kept copy that is no longer needed; its manifest first, so that no half of it is taken for whole."""
    with suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def all_kept(data: Path) -> Iterator[Kept]:
    """Every kept original whose manifest can be read."""
    for manifest in sorted((data / FOLDER).glob(f"*/{NAME}")):
        with suppress(ConfigError):
            yield Kept(manifest.parent, read_manifest(manifest))


def kept_by(copy: Path) -> Kept | None:
    """The kept original that an entry of the gateway points to."""
    manifest = copy.parent / NAME
    if not manifest.is_file():
        return None
    found = Kept(copy.parent, read_manifest(manifest))
    return found if found.copy == copy else None
