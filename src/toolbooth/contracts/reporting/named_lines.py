"""The text of a config or catalog → the lines that name a server, and behind it a tool."""

import re
from bisect import bisect_right
from functools import cached_property


class NamedIn:
    """One file. Thousands of tools are looked up in it, so each server is looked for once."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._text = text
        self._servers: dict[str, int | None] = {}

    def line_of(self, server: str, tool: str) -> int | None:
        """The line of the tool's name behind the server's, or of the server's; None where that does not stand here."""
        if server not in self._servers:
            self._servers[server] = self._find(server)
        at = self._servers[server]
        if at is None:
            return None
        behind = self._text.find(f'"{tool}"', at) if tool else -1
        return bisect_right(self._starts, max(at, behind))

    def _find(self, server: str) -> int | None:
        """A key in JSON, YAML or TOML, or a string of a catalog."""
        if not server or server not in self._text:
            return None
        name = re.escape(server)
        found = re.search(rf"""(?m)(?:^|[\s\[.,{{"'])({name})(?=["']?\s*(?:[:=\],}}]|$))""", self._text)
        return found.start(1) if found else None

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self._text))]
