"""`trusted-projects.json` in the data folder: which project configs a person trusts, each by its exact content.

Nothing else of a config is kept. The file says what may run unasked, so one that others may write counts for nothing.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog.config.project_config import ProjectConfig
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.wrapping.kept import data_folder
from toolbooth.catalog.config.wrapping.swap import flush_folder, private_folder, swap
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_CONFIG_BYTES, MAX_TRUSTED_PROJECTS

NAME: Final = "trusted-projects.json"
FORMAT: Final = "toolbooth-trusted-projects"
VERSION: Final = 1
_OTHERS_MAY_WRITE: Final = 0o022


@dataclass(frozen=True)
class Trusted:
    """One content of one file, and since when it is trusted."""

    path: str
    sha256: str
    since: str


class TrustedProjects:
    """The file; it is read anew at every question."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    @classmethod
    def of(cls, home: Path, environ: Mapping[str, str], platform: str) -> "TrustedProjects":
        """That of whoever has this home."""
        return cls(data_folder(home, environ, platform))

    def all(self) -> tuple[Trusted, ...]:
        """What is trusted, oldest first; raises ConfigError where the file cannot be used."""
        return _read(self.path)[1]

    def holds(self, config: ProjectConfig) -> bool:
        """Whether this exact content at this place was trusted."""
        return any((each.path, each.sha256) == (str(config.place), config.sha256) for each in self.all())

    def add(self, config: ProjectConfig) -> None:
        """Remember one; the oldest go where there are too many."""
        now = datetime.now(UTC).isoformat("T", "seconds")
        added = Trusted(str(config.place), config.sha256, now)
        self._change(lambda held: (*held, added)[-MAX_TRUSTED_PROJECTS:])

    def forget(self, path: Path) -> int:
        """Forget a config, or all those below a folder; how many contents were forgotten."""
        gone = {path.absolute(), path.parent.resolve() / path.name, path.resolve()}
        before = len(self.all())
        kept = self._change(
            lambda held: tuple(
                each for each in held if not any(Path(each.path).is_relative_to(place) for place in gone)
            )
        )
        return before - len(kept)

    def _change(self, change: Callable[[tuple[Trusted, ...]], tuple[Trusted, ...]]) -> tuple[Trusted, ...]:
        old, held = _read(self.path)
        changed = change(held)
        if changed != held:
            private_folder(self.path.parent)
            swap(self.path, _bytes(changed), old)  # what another process wrote in between is not lost
            self.path.chmod(0o600)
            flush_folder(self.path.parent)
        return changed


def _read(path: Path) -> tuple[bytes | None, tuple[Trusted, ...]]:
    if not os.path.lexists(path):
        return None, ()
    data = read_regular(path, MAX_CONFIG_BYTES)
    _refuse_others(path)
    try:
        value = json.loads(data)
        if (value["format"], value["version"]) != (FORMAT, VERSION):
            raise ConfigError(f"is not of version {VERSION}; use the Toolbooth that wrote it", path)
        return data, tuple(_trusted(entry) for entry in value["trusted"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigError("is damaged; delete it, and each project is asked about again", path) from None


def _refuse_others(path: Path) -> None:
    if os.name != "posix":
        return
    found = path.stat()
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS_MAY_WRITE:
        raise ConfigError("others may write it, so it counts for nothing; delete it, or chmod 600", path)


def _trusted(entry: Mapping[str, Any]) -> Trusted:
    found = Trusted(**{key: entry[key] for key in Trusted.__dataclass_fields__})
    if not all(isinstance(value, str) for value in asdict(found).values()):
        raise TypeError("an entry is made of texts")
    return found


def _bytes(held: tuple[Trusted, ...]) -> bytes:
    document = {"format": FORMAT, "version": VERSION, "trusted": [asdict(each) for each in held]}
    return (json.dumps(document, indent=1) + "\n").encode()
