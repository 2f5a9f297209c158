"""A tool's name as a client writes it → server and name, split only where that is safe."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

_JOINED: Final = "mcp__"  # nobody calls a tool so who does not mean `mcp__server__tool`
_SEPARATORS: Final = ("__", ".", "/")
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9_-]")


class Named(NamedTuple):
    """`server` is empty where none is known."""

    server: str
    name: str


@dataclass(frozen=True)
class ToolNames:
    """Knows the servers that may stand before a name: `a.b` alone may as well be a name with a dot in it."""

    servers: tuple[str, ...] = ()

    @classmethod
    def of(cls, servers: Iterable[str]) -> "ToolNames":
        """The longest first, since one server's name may begin with another's."""
        return cls(tuple(sorted(set(servers), key=lambda name: (-len(name), name))))

    def split(self, written: str) -> Named:
        """Server and name; the whole as a name where nothing says that it is joined."""
        known = self._known(written.removeprefix(_JOINED))
        if known is not None:
            return known
        if written.startswith(_JOINED):
            server, _, name = written.removeprefix(_JOINED).partition("__")
            if server and name:
                return Named(server, name)
        return Named("", written)

    def _known(self, written: str) -> Named | None:
        for server in self.servers:
            # Clients write a server's name with only the characters that providers allow in names of functions.
            for spelled in dict.fromkeys((server, _UNUSUAL.sub("_", server))):
                for separator in _SEPARATORS:
                    name = written.removeprefix(spelled + separator)
                    if name and name != written:
                        return Named(server, name)
        return None
