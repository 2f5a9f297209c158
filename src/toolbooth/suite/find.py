"""Names of files and folders, or nothing → the suite files that are meant."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from toolbooth.errors import ConfigError, NothingSelected
from toolbooth.limits import MAX_SUITE_FOLDERS
from toolbooth.suite.spec.load import SUFFIX

_PASSED_BY: Final = frozenset(
    {"node_modules", "__pycache__", "venv", "site-packages", "dist", "build", "target"}
)


def find_suites(named: Sequence[str], here: Path) -> tuple[Path, ...]:
    """Files as they are named; of folders every `*.toolbooth.yaml` in and below. Raises where there is none."""
    found: list[Path] = []
    for name in named or (".",):
        path = here / name
        if path.is_dir():
            found += sorted(_below(path))
        elif named and path.exists():
            found.append(path)
        else:
            raise ConfigError("there is no such file or folder", path)
    if not found:
        where = ", ".join(named) or "here or below"
        raise NothingSelected(
            f"no *{SUFFIX} is in {where}; write a first one with `toolbooth init`, or name the file"
        )
    return tuple(dict.fromkeys(found))


def _below(folder: Path) -> Iterator[Path]:
    for seen, (at, folders, files) in enumerate(os.walk(folder)):
        if seen >= MAX_SUITE_FOLDERS:
            raise ConfigError(f"has more than {MAX_SUITE_FOLDERS} folders; name the suite files", folder)
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _PASSED_BY]
        yield from (Path(at) / name for name in files if name.endswith(SUFFIX))
