"""Entries × the user's own files → the line at which each stands: in the lock, or in the config of its server."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolbooth.contracts.reporting.entry import Entry, Place, Places
from toolbooth.contracts.reporting.key_lines import Keys, key_lines
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


def file_places(files: Mapping[str, Path], base: Path) -> Places:
    """Each entry where the file of its server names that, and behind it the tool."""
    texts: dict[Path, str] = {}

    def find(entries: Sequence[Entry]) -> list[Place | None]:
        return [_in_file(entry) for entry in entries]

    def _in_file(entry: Entry) -> Place | None:
        path = files.get(entry.server)
        if path is None:
            return None
        if path not in texts:
            texts[path] = _text(path)
        return Place(told_path(path, base), _named_line(texts[path], entry))

    return find


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


def _named_line(text: str, entry: Entry) -> int | None:
    """A key in JSON, YAML or TOML, or a string of a catalog; a tool's name counts only behind its server's."""
    name = re.escape(entry.server)
    found = re.search(rf"""(?m)(?:^|[\s\[.,{{"'])({name})(?=["']?\s*(?:[:=\],}}]|$))""", text)
    if found is None:
        return None
    tool = text.find(f'"{entry.tool}"', found.end()) if entry.tool else -1
    return text.count("\n", 0, tool if tool >= 0 else found.start(1)) + 1
