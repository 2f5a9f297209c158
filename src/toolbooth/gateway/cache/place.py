"""Environment and platform → the folder for our cache."""

import sys
from collections.abc import Mapping
from pathlib import Path

_OURS = "toolbooth"


def cache_folder(environ: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """XDG's place, or the platform's own; a relative path in a variable counts as none, as XDG says."""
    chosen = _absolute(environ.get("XDG_CACHE_HOME"))
    if chosen is not None:
        return chosen / _OURS
    if platform == "darwin":
        return home / "Library" / "Caches" / _OURS
    if platform == "win32":
        local = _absolute(environ.get("LOCALAPPDATA")) or home / "AppData" / "Local"
        return local / _OURS / "Cache"
    return home / ".cache" / _OURS


def _absolute(value: str | None) -> Path | None:
    path = Path(value) if value else None
    return path if path is not None and path.is_absolute() else None
