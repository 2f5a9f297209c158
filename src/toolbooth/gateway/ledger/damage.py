"""A file that SQLite cannot read → the same under another name, so that a new one can begin."""

import sqlite3
from pathlib import Path
from typing import Final

_DAMAGE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COMPANIONS: Final = ("", "-wal", "-shm")


def is_damage(trouble: Exception) -> bool:
    """Whether it says that the file is damaged, and not that it is busy or the disk full."""
    code = getattr(trouble, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def put_aside(path: Path) -> Path:
    """Rename it and what belongs to it; only the last that was damaged is kept, since each may be large."""
    target = path.with_name(f"{path.stem}.damaged{path.suffix}")
    for suffix in _COMPANIONS:
        source, kept = (each.with_name(each.name + suffix) for each in (path, target))
        try:
            source.replace(kept)
        except FileNotFoundError:
            kept.unlink(missing_ok=True)
    return target
