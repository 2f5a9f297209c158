"""The locations of entries in the user's files: the line in the lock, or in the config that names the server."""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from toolbooth import limits
from toolbooth.contracts.reporting.report import FileLocation, Locations, ReportEntry

Keys = tuple[str, ...]
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],\n]')


def key_lines(text: str, wanted: Collection[Keys]) -> dict[Keys, int]:
    """Find the lines of many keys in one pass. Keys that do not exist are left out."""
    reading = _Reading(frozenset(wanted))
    for token in _TOKEN.finditer(text):
        reading.take(token[0])
    return reading.found


class _Reading:
    """The position in the document, as one step for each open object or array."""

    def __init__(self, wanted: frozenset[Keys]) -> None:
        self.found: dict[Keys, int] = {}
        self._wanted = wanted
        self._depths = frozenset(map(len, wanted))
        self._path: list[str] = []
        self._is_array: list[bool] = []
        self._line = 1
        self._key_is_due = False

    def take(self, token: str) -> None:
        first = token[0]
        if first == "\n":
            self._line += 1
        elif first == '"':
            if self._key_is_due:
                self._key(token)
        elif first == ",":
            self._next()
        elif first in "{[":
            self._path.append("")
            self._is_array.append(first == "[")
            self._key_is_due = first == "{"
        elif self._path:
            self._path.pop()
            self._is_array.pop()
            self._key_is_due = False

    def _key(self, token: str) -> None:
        self._key_is_due = False
        self._path[-1] = json.loads(token) if "\\" in token else token[1:-1]
        if len(self._path) in self._depths and tuple(self._path) in self._wanted:
            self.found.setdefault(tuple(self._path), self._line)

    def _next(self) -> None:
        self._key_is_due = bool(self._is_array) and not self._is_array[-1]


class NameIndex:
    """The text of one file. Each server is searched for once, because thousands of tools are looked up."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._text = text
        self._servers: dict[str, int | None] = {}

    def line_of(self, server: str, tool: str) -> int | None:
        """The line of the tool's name after the server's, else of the server's; None if the server is not here."""
        if server not in self._servers:
            self._servers[server] = self._find(server)
        at = self._servers[server]
        if at is None:
            return None
        behind = self._text.find(f'"{tool}"', at) if tool else -1
        return bisect_right(self._starts, max(at, behind))

    def _find(self, server: str) -> int | None:
        """The offset of a server's name, as a key in JSON, YAML or TOML or as a string in a catalog."""
        if not server or server not in self._text:
            return None
        name = re.escape(server)
        found = re.search(rf"""(?m)(?:^|[\s\[.,{{"'])({name})(?=["']?\s*(?:[:=\],}}]|$))""", self._text)
        return found.start(1) if found else None

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self._text))]


def lock_locations(lock: Path, base: Path) -> Locations:
    """Locate each entry at the closest existing key of the lock. Paths are relative to `base`."""

    def find(entries: Sequence[ReportEntry]) -> list[FileLocation | None]:
        keys = [_locked_keys(entry) for entry in entries]
        wanted = {each[:length] for each in keys for length in range(1, len(each) + 1)}
        lines = key_lines(_text(lock), wanted)
        path = path_from(lock, base)
        return [FileLocation(path, _closest(each, lines)) for each in keys]

    return find


def file_locations(files: Sequence[Path], base: Path) -> Locations:
    """Locate each entry in the first file that names its server, at the tool if it is named; else in the first file."""

    def find(entries: Sequence[ReportEntry]) -> list[FileLocation | None]:
        named = [NameIndex(path_from(path, base), _text(path)) for path in files]
        return [_first(entry, named) for entry in entries]

    return find


def _first(entry: ReportEntry, files: Sequence[NameIndex]) -> FileLocation | None:
    for file in files:
        line = file.line_of(entry.server, entry.tool)
        if line is not None:
            return FileLocation(file.path, line)
    return FileLocation(files[0].path) if files else None


def path_from(path: Path, base: Path) -> str:
    """The path relative to `base` if it is below it, because build systems link only paths in the repository."""
    whole, root = path.absolute(), base.absolute()
    try:
        return whole.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def _text(path: Path) -> str:
    """The text of a file; empty if it cannot be read, so that only the line is unknown."""
    try:
        with path.open("rb") as file:
            return file.read(limits.MAX_LOCK_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _locked_keys(entry: ReportEntry) -> Keys:
    """The keys that lead to an entry in the lock, which has the values from before."""
    if not entry.server:
        return ("budgets",)
    parts = tuple(part.replace("~1", "/").replace("~0", "~") for part in entry.path.split("/")[1:])
    if not entry.tool:
        return ("servers", entry.server, *parts)
    old = entry.before if entry.rule == "tool-renamed" and isinstance(entry.before, str) else entry.tool
    return ("servers", entry.server, "tools", old, "definition", *parts)


def _closest(keys: Keys, lines: Mapping[Keys, int]) -> int | None:
    prefixes = (keys[:length] for length in range(len(keys), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)
