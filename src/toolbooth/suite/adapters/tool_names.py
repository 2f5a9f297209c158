"""Tool names as clients write them, split into server and tool only where that is safe."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_JOINED: Final = "mcp__"  # this prefix always means `mcp__server__tool`
_LOOSELY_JOINED: Final = (
    "mcp_"  # some clients write `mcp_server_tool`; an unknown name with this prefix may mean anything
)
_NAMESPACE: Final = "functions."  # the prefix that providers put before every tool
_SEPARATORS: Final = ("__", ".", "/", ":")
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9_-]")
_PUNCTUATION: Final = re.compile(r"[^A-Za-z0-9]")


class SplitToolName(NamedTuple):
    """`server` is empty if it is unknown."""

    server: str
    name: str

    @property
    def id(self) -> str:
        """`server.name`, or `name`."""
        return f"{self.server}.{self.name}" if self.server else self.name


@dataclass(frozen=True)
class KnownTools:
    """The known servers and tools, which decide how a name is split: `a.b` alone may be one name with a dot.

    `read_as` counts the names that were split, as written and as read, for the report.
    """

    servers: tuple[str, ...] = ()
    # None: two known tools share this spelling
    spellings: dict[str, SplitToolName | None] = field(default_factory=dict)
    read_as: Counter[tuple[str, str]] = field(default_factory=Counter)
    bare: frozenset[str] = frozenset()  # known names of tools on any server

    @classmethod
    def of(cls, servers: Iterable[str], tools: Iterable[str] = ()) -> "KnownTools":
        """`tools` are ids such as `server.tool`; an id with a single dot also names a server.

        Longer server names are tried first, because one server's name may begin with another's.
        """
        everything = frozenset(tools := list(tools))
        ids = list(dict.fromkeys(tool for tool in tools if "." in tool.strip(".")))
        known = {*servers, *(tool.partition(".")[0] for tool in ids if tool.count(".") == 1)}
        ordered = tuple(sorted(filter(None, known), key=lambda name: (-len(name), name)))
        return cls(ordered, _spellings(ids, everything), bare=everything.difference(ids))

    def split(self, written: str) -> SplitToolName:
        """Server and name; the whole text is the name if nothing shows that it is joined."""
        found = self._found(written)
        if found.id != written:
            self.read_as[written, found.id] += 1
        return found

    def _found(self, written: str) -> SplitToolName:
        if found := self._resolved(written.removeprefix(_JOINED)):
            return found
        if found := self._behind_a_prefix(written):
            return found
        if written.startswith(_JOINED):
            server, _, name = written.removeprefix(_JOINED).partition("__")
            if server and name:
                return SplitToolName(server, name)
        return self._on_any_server(written) or SplitToolName("", written)

    def _behind_a_prefix(self, written: str) -> SplitToolName | None:
        """The known tool behind a meaningless prefix; an unknown name keeps its prefix."""
        rest = written.removeprefix(_NAMESPACE)
        if rest != written:
            whole = (
                SplitToolName("", rest) if rest in self.bare else self._resolved(rest.removeprefix(_JOINED))
            )
            return whole or self._behind_a_prefix(rest) or self._on_any_server(rest)
        loose = written.removeprefix(_LOOSELY_JOINED)
        return self.spellings.get(_folded(loose)) if loose != written else None

    def _on_any_server(self, written: str) -> SplitToolName | None:
        """`server__tool` if only the tool's name is known; None if it can be split in two ways."""
        if written in self.bare:
            return None
        found = {
            SplitToolName(written[: -len(separator + name)], name)
            for name in self.bare
            for separator in _SEPARATORS
            if written.endswith(separator + name) and written != separator + name
        }
        return found.pop() if len(found) == 1 else None

    def _resolved(self, bare: str) -> SplitToolName | None:
        whole = self.spellings.get(_folded(bare))
        known = self._known(bare)
        # A known tool wins unless a known server contradicts it: with a server `a_b`, `a_b:c` is not `a.b_c`.
        if whole is not None and (known is None or known.id == whole.id):
            return whole
        return known

    def _known(self, written: str) -> SplitToolName | None:
        for server in self.servers:
            # Clients replace the characters of a server's name that providers forbid in function names.
            for spelled in dict.fromkeys((server, _UNUSUAL.sub("_", server))):
                for separator in _SEPARATORS:
                    name = written.removeprefix(spelled + separator)
                    if name and name != written:
                        return SplitToolName(server, name)
        return None


def _folded(written: str) -> str:
    """Some client joins server and tool with each of `-`, `_`, `:`, `.` and `/`, and names contain them, too."""
    return _PUNCTUATION.sub("_", written)


def _spellings(ids: Iterable[str], taken: frozenset[str]) -> dict[str, SplitToolName | None]:
    """Every way to write a known tool, except spellings that are the bare name of another known tool."""
    kept = {_folded(tool) for tool in taken if "." not in tool}
    found: dict[str, SplitToolName | None] = {}
    for tool in ids:
        for spelled, named in _written(tool):
            if spelled not in kept:
                other = found.setdefault(spelled, named)
                if other is not None and other.id != named.id:
                    found[spelled] = None
    return found


def _written(tool: str) -> Iterator[tuple[str, SplitToolName]]:
    """Server and tool names may both contain dots; the id is the same wherever it is split."""
    for dot in (place for place, character in enumerate(tool) if character == "."):
        server, name = tool[:dot], tool[dot + 1 :]
        if server and name:
            yield from (
                (_folded(server + joint + name), SplitToolName(server, name)) for joint in ("__", "_")
            )
