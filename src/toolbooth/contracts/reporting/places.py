"""Entries × the user's own files → the line at which each stands: in the lock, or in the config of its server."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolbooth.contracts.reporting.entry import Entry, Place, Places
from toolbooth.contracts.reporting.key_lines import Keys, key_lines
from toolbooth.contracts.reporting.named_lines import NamedIn
from toolbooth.limits import MAX_LOCK_BYTES


def lock_places(lock: Path, base: Path) -> Places:
    """Each entry at the closest key of the lock that there is; paths are told from `base`."""

    def find(entries: Sequence[Entry]) -> list[Place | None]:
        keys = [_locked_keys(entry) for entry in entries]
        wanted = {each[:length] for each in keys for length in range(1, len(each) + 1)}
        lines = key_lines(_text(lock), wanted)
        path = told_path(lock, base)
        return [Place(path, _closest(each, lines)) for each in keys]

    return find


def file_places(files: Sequence[Path], base: Path) -> Places:
    """Each entry in the first file that names its server, and there where it names the tool; else in the first file."""

    def find(entries: Sequence[Entry]) -> list[Place | None]:
        named = [NamedIn(told_path(path, base), _text(path)) for path in files]
        return [_first(entry, named) for entry in entries]

    return find


def _first(entry: Entry, files: Sequence[NamedIn]) -> Place | None:
    for file in files:
        line = file.line_of(entry.server, entry.tool)
        if line is not None:
            return Place(file.path, line)
    return Place(files[0].path) if files else None


def told_path(path: Path, base: Path) -> str:
    """From the base where it is below it: build systems link paths of the repository alone."""
    whole, root = path.absolute(), base.absolute()
    try:
        return whole.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def _text(path: Path) -> str:
    """Nothing where it cannot be read: then no line is known, and that is all."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_LOCK_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _locked_keys(entry: Entry) -> Keys:
    """The way to it in a lock, which holds what was before."""
    if not entry.server:
        return ("budgets",)
    parts = tuple(part.replace("~1", "/").replace("~0", "~") for part in entry.path.split("/")[1:])
    if not entry.tool:
        return ("servers", entry.server, *parts)
    old = entry.before if entry.rule == "tool-renamed" and isinstance(entry.before, str) else entry.tool
    return ("servers", entry.server, "tools", old, "definition", *parts)


def _closest(keys: Keys, lines: Mapping[Keys, int]) -> int | None:
    ways = (keys[:length] for length in range(len(keys), 0, -1))
    return next((lines[way] for way in ways if way in lines), None)
