"""The text of a JSON file → the lines of the keys that are asked for."""

import json
import re
from collections.abc import Collection
from typing import Final

Keys = tuple[str, ...]
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],\n]')


def key_lines(text: str, wanted: Collection[Keys]) -> dict[Keys, int]:
    """One pass over the text, however many are wanted; what is not there, or is no key, is left out."""
    reading = _Reading(frozenset(wanted))
    for token in _TOKEN.finditer(text):
        reading.take(token[0])
    return reading.found


class _Reading:
    """Where in the document we are: one part for each object or array that is open."""

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
