"""`manifest.json`: what was moved out of which file, beside the kept copy of that file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_CONFIG_BYTES

FORMAT: Final = "toolbooth-wrapped"
VERSION: Final = 1
NAME: Final = "manifest.json"
FOLDER: Final = "wrapped"
ORIGINALS: Final = "originals"


@dataclass(frozen=True)
class Manifest:
    """`path` is the file as the user names it, `target` the one behind links; `copy` the kept file's name.

    `server` is the name of the gateway's entry in `section`; servers in `stays` were left in the client's file.
    """

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
        document = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return (json.dumps(document, indent=1, default=str) + "\n").encode()


def read_manifest(path: Path) -> Manifest:
    """Read one; raises ConfigError where it is damaged or from a later version."""
    try:
        value = json.loads(read_regular(path, MAX_CONFIG_BYTES))
        if value["format"] != FORMAT or value["version"] != VERSION:
            raise ConfigError(
                f"is not a manifest of version {VERSION}; use the Toolbooth that wrote it", path
            )
        return _manifest(value)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigError("the manifest is damaged; the kept file beside it is the original", path) from None


def manifest_beside(path: Path) -> Manifest | None:
    """The manifest of a kept copy, if the file is one."""
    manifest = path.absolute().parent / NAME
    ours = manifest.parent.parent.name == FOLDER or manifest.parent.parent.parent.name == ORIGINALS
    if not ours or path.name == NAME or not manifest.is_file():
        return None
    found = read_manifest(manifest)
    return found if found.copy == path.name else None


def _manifest(value: dict[str, Any]) -> Manifest:
    read: dict[str, Any] = {key: tuple(map(str, value[key])) for key in ("section", "moved", "stays")}
    read |= {key: Path(value[key]) for key in ("path", "target")}
    read |= {key: str(value[key]) for key in Manifest.__dataclass_fields__ if key not in read}
    if Path(read["copy"]).name != read["copy"] or read["copy"] in ("", NAME):
        raise ValueError("the kept file stands beside its manifest")
    return Manifest(**read)
