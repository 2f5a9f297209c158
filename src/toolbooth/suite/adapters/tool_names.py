"""A tool's name as a client writes it → server and name, split only where that is safe."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_JOINED: Final = "mcp__"  # nobody calls a tool so who does not mean `mcp__server__tool`
_LOOSELY_JOINED: Final = (
    "mcp_"  # some clients write `mcp_server_tool`; it says nothing of a name that is not known
)
_NAMESPACE: Final = "functions."  # providers' own word for all tools
_SEPARATORS: Final = ("__", ".", "/", ":")
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9_-]")
_PUNCTUATION: Final = re.compile(r"[^A-Za-z0-9]")


class Named(NamedTuple):
    """`server` is empty where none is known."""

    server: str
    name: str

    @property
    def id(self) -> str:
        """`server.name`, or `name`."""
        return f"{self.server}.{self.name}" if self.server else self.name


@dataclass(frozen=True)
class ToolNames:
    """Knows servers and tools by name: `a.b` alone may as well be a name with a dot in it.

    `read_as` counts the names that were split, as written and as read, so that a report can say it.
    """

    servers: tuple[str, ...] = ()
    spellings: dict[str, Named | None] = field(default_factory=dict)  # None: two known tools are written so
    read_as: Counter[tuple[str, str]] = field(default_factory=Counter)
    bare: frozenset[str] = frozenset()  # known names of tools on any server

    @classmethod
    def of(cls, servers: Iterable[str], tools: Iterable[str] = ()) -> "ToolNames":
        """`tools` are ids, `server.tool`; what stands before the only dot of one is a server.

        The longest server goes first, since one server's name may begin with another's.
        """
        everything = frozenset(tools := list(tools))
        ids = list(dict.fromkeys(tool for tool in tools if "." in tool.strip(".")))
        known = {*servers, *(tool.partition(".")[0] for tool in ids if tool.count(".") == 1)}
        ordered = tuple(sorted(filter(None, known), key=lambda name: (-len(name), name)))
        return cls(ordered, _spellings(ids, everything), bare=everything.difference(ids))

    def split(self, written: str) -> Named:
        """Server and name; the whole as a name where nothing says that it is joined."""
        found = self._found(written)
        if found.id != written:
            self.read_as[written, found.id] += 1
        return found

    def _found(self, written: str) -> Named:
        if found := self._resolved(written.removeprefix(_JOINED)):
            return found
        if found := self._behind_a_prefix(written):
            return found
        if written.startswith(_JOINED):
            server, _, name = written.removeprefix(_JOINED).partition("__")
            if server and name:
                return Named(server, name)
        return self._on_any_server(written) or Named("", written)

    def _behind_a_prefix(self, written: str) -> Named | None:
        """What is known without a prefix that says nothing; what is not known keeps it."""
        rest = written.removeprefix(_NAMESPACE)
        if rest != written:
            whole = Named("", rest) if rest in self.bare else self._resolved(rest.removeprefix(_JOINED))
            return whole or self._behind_a_prefix(rest) or self._on_any_server(rest)
        loose = written.removeprefix(_LOOSELY_JOINED)
        return self.spellings.get(_folded(loose)) if loose != written else None

    def _on_any_server(self, written: str) -> Named | None:
        """`server__tool` where only the tool is known by name; None where it can be cut in two ways."""
        if written in self.bare:
            return None
        found = {
            Named(written[: -len(separator + name)], name)
            for name in self.bare
            for separator in _SEPARATORS
            if written.endswith(separator + name) and written != separator + name
        }
        return found.pop() if len(found) == 1 else None

    def _resolved(self, bare: str) -> Named | None:
        whole = self.spellings.get(_folded(bare))
        known = self._known(bare)
        # A known tool wins, unless a known server says otherwise: beside a server `a_b`, `a_b:c` is not `a.b_c`.
        if whole is not None and (known is None or known.id == whole.id):
            return whole
        return known

    def _known(self, written: str) -> Named | None:
        for server in self.servers:
            # Clients write a server's name with only the characters that providers allow in names of functions.
            for spelled in dict.fromkeys((server, _UNUSUAL.sub("_", server))):
                for separator in _SEPARATORS:
                    name = written.removeprefix(spelled + separator)
                    if name and name != written:
                        return Named(server, name)
        return None


def _folded(written: str) -> str:
    """`-`, `_`, `:`, `.` and `/` all join a server and a tool somewhere, and all stand inside names too."""
    return _PUNCTUATION.sub("_", written)


def _spellings(ids: Iterable[str], taken: frozenset[str]) -> dict[str, Named | None]:
    """Every way to write a known tool; a bare name that is a known tool itself stays what it is."""
    kept = {_folded(tool) for tool in taken if "." not in tool}
    found: dict[str, Named | None] = {}
    for tool in ids:
        for spelled, named in _written(tool):
            if spelled not in kept:
                other = found.setdefault(spelled, named)
                if other is not None and other.id != named.id:
                    found[spelled] = None
    return found


def _written(tool: str) -> Iterator[tuple[str, Named]]:
    """Server and tool may both have dots in their names; the id is the same wherever it is cut."""
    for dot in (place for place, character in enumerate(tool) if character == "."):
        server, name = tool[:dot], tool[dot + 1 :]
        if server and name:
            yield from ((_folded(server + joint + name), Named(server, name)) for joint in ("__", "_"))
