"""The names of tools and the URIs of resources, as clients write them and as servers know them."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from toolbooth import catalog, limits, safetext

# They call a server's tool by its name: the first, or the others in its place (`gateway: {approvals: split}`).
CALL_NAMES: Final = ("call_tool", "call_read_tool", "call_write_tool", "call_destructive_tool")
# The built-in tools of every surface: no upstream tool is served, or found by its bare name, under one of
# these.
RESERVED: Final = frozenset(
    {
        "search_tools",
        "list_tools",
        "tool_info",
        *CALL_NAMES,
        "call_tool_chain",
        "read_result",
        "manage_servers",
    }
)
NEAREST: Final = 3
_ALIKE, _VERY_ALIKE = 60.0, 85.0  # rapidfuzz's ratio: below the first, names have only letters in common
_NOT_PUBLIC: Final = re.compile(r"[^a-zA-Z0-9_-]")
_TELLING: Final = re.compile(r"[a-zA-Z0-9]")
_SHORTEST_HASH: Final = 8
_AROUND: Final = " \t\r\n`'\""


@dataclass(frozen=True)
class AmbiguousName:
    """Several tools match this name; each candidate is a name that only one of them has."""

    name: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class HeldTool:
    """A tool that can be neither found nor called, and why, in one line."""

    tool: catalog.Tool
    why: str


@dataclass(frozen=True)
class UnknownName:
    """No tool matches this name. `nearest` are the closest names, best first; `held` is the tool that would
    match.

    `absent` says why the server that the name begins with cannot be used.
    """

    name: str
    nearest: tuple[str, ...] = ()
    held: HeldTool | None = None
    absent: str = ""


def server_in(name: str, servers: Container[str]) -> str | None:
    """The server that the name of a tool begins with; `server.tool` and `server__tool` are the same."""
    tidied = _tidied(name)
    parts = (tidied.partition(mark)[0] for mark in (".", "__"))
    return next((part for part in parts if part in servers), None)


def public_name(tool: catalog.Tool) -> str:
    """`server__tool` in letters, digits, `_` and `-`, so short that it still fits with a client's prefix before it.

    Two tools may get the same name here: `ToolNames` makes them distinct.
    """
    text = _joined(tool)
    if len(text) > limits.MAX_PUBLIC_NAME or not _TELLING.search(tool.name):
        return _with_hash(tool)
    return text


def _joined(tool: catalog.Tool) -> str:
    return _NOT_PUBLIC.sub("_", f"{tool.server}__{tool.name}")


def _with_hash(tool: catalog.Tool, size: int = _SHORTEST_HASH) -> str:
    """Shortened where it must be: the server's name first, because the tool's own says what it does."""
    server, name = _NOT_PUBLIC.sub("_", tool.server), _NOT_PUBLIC.sub("_", tool.name)
    space = limits.MAX_PUBLIC_NAME - len("__") - len("_") - size
    server = server[: max(space - len(name), limits.KEPT_SERVER_NAME)]
    return f"{server}__{name[: space - len(server)]}".rstrip("_") + f"_{_digest(tool, size)}"


def _digest(tool: catalog.Tool, size: int) -> str:
    return blake2b(tool.id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()[:size]


def certain_name(tool: catalog.Tool, public: str) -> str:
    """The id if it is unchanged by cleaning, else the public name: both identify this tool alone."""
    return tool.id if safetext.for_terminal(tool.id) == tool.id else public


class ToolNames:
    """Every way to write the names of these tools, in dictionaries that are built once."""

    def __init__(self, tools: Sequence[catalog.Tool]) -> None:
        self.by_public: Mapping[str, catalog.Tool] = _public_names(tools)
        self._public = {tool.id: name for name, tool in self.by_public.items()}
        self._ids = {tool.id: tool for tool in tools}
        self._others: dict[str, list[catalog.Tool]] = {}
        for tool in tools:
            for spelling in _other_spellings(tool):
                if spelling not in self.by_public and spelling not in self._ids:  # these are looked up first
                    self._others.setdefault(spelling, []).append(tool)

    def public(self, tool: catalog.Tool) -> str:
        """The one name under which this tool is offered to clients that need identifiers."""
        return self._public[tool.id]

    def certain(self, tool: catalog.Tool) -> str:
        """A name to show that finds this tool and no other."""
        return certain_name(tool, self.public(tool))

    def find(self, name: str) -> catalog.Tool | AmbiguousName | None:
        """Look up ids, then public names, then bare names; a pasted signature or quotes around the name do no
        harm.
        """
        return self._exactly(name) or self._exactly(_tidied(name))

    def _exactly(self, name: str) -> catalog.Tool | AmbiguousName | None:
        tool = self._ids.get(name) or self.by_public.get(name)
        if tool is not None:
            return tool
        owners = self._others.get(name, ())
        if len(owners) > 1:
            return AmbiguousName(name, tuple(sorted(map(self.certain, owners))))
        return owners[0] if owners else None


def _other_spellings(tool: catalog.Tool) -> set[str]:
    """The spellings besides the id; a plain one is never changed by cleaning, which takes a second at 100,000 tools."""
    joined = f"{tool.server}__{tool.name}"
    plain = len(joined) <= limits.MAX_PUBLIC_NAME and not _NOT_PUBLIC.search(joined)
    spellings = {joined} if plain else {joined, safetext.for_terminal(tool.id), *_former_names(tool)}
    return spellings if tool.name in RESERVED else spellings | {tool.name}


def _former_names(tool: catalog.Tool) -> Iterator[str]:
    """The names of earlier versions, up to 64 characters: an agent or its permissions may still have them."""
    for text in (_joined(tool), _NOT_PUBLIC.sub("_", tool.name)):
        if len(text) <= limits.MAX_FUNCTION_NAME and text not in RESERVED and _TELLING.search(tool.name):
            yield text
        cut = text[: limits.MAX_FUNCTION_NAME - _SHORTEST_HASH - 1].rstrip("_")
        yield f"{cut}_{_digest(tool, _SHORTEST_HASH)}"


def _tidied(name: str) -> str:
    return name.partition("(")[0].strip(_AROUND)


def _public_names(tools: Iterable[catalog.Tool]) -> dict[str, catalog.Tool]:
    """Tools by public name. The order in which tools arrive does not matter."""
    wanted: dict[str, list[catalog.Tool]] = {}
    for tool in tools:
        wanted.setdefault(public_name(tool), []).append(tool)
    named: dict[str, catalog.Tool] = {}
    crowded: list[catalog.Tool] = []
    for name, owners in wanted.items():
        if len(owners) == 1:
            named[name] = owners[0]
            continue
        owner = _rightful_owner(name, owners)
        if owner is not None:
            named[name] = owner
        crowded += [tool for tool in owners if tool is not owner]
    for tool in sorted(crowded, key=lambda tool: tool.id):
        sizes = range(_SHORTEST_HASH, 2 * 16 + 1)
        free = (hashed for size in sizes if (hashed := _with_hash(tool, size)) not in wanted | named)
        named[next(free)] = tool
    return named


def _rightful_owner(name: str, owners: Sequence[catalog.Tool]) -> catalog.Tool | None:
    """Of several tools with one name, the only one that really has it keeps it; otherwise none does."""
    called_so = [tool for tool in owners if name == f"{tool.server}__{tool.name}"]
    return called_so[0] if len(called_so) == 1 else None


def nearest(
    name: str, tools: Sequence[catalog.Tool], found: Iterable[catalog.Tool] = ()
) -> tuple[catalog.Tool, ...]:
    """The tools spelled most like a name. Those `found` by its words come after the closest and before the rest."""
    alike = _alike(_tidied(name), tools) if len(name) <= limits.MAX_FUZZY_NAME else []
    order = (
        *(tool for score, tool in alike if score >= _VERY_ALIKE),
        *found,
        *(tool for _, tool in alike),
    )
    return tuple({tool.id: tool for tool in order}.values())[:NEAREST]


def _alike(name: str, tools: Sequence[catalog.Tool]) -> list[tuple[float, catalog.Tool]]:
    from rapidfuzz import process, utils
    from rapidfuzz.fuzz import (
        ratio,  # not suggest.closest: two spellings of each tool are merged by their scores
    )

    bare = name.rpartition(".")[2].rpartition("__")[2]
    best: dict[int, float] = {}
    for asked, spelled in ((name, [tool.id for tool in tools]), (bare, [tool.name for tool in tools])):
        matches = process.extract(
            asked,
            spelled,
            scorer=ratio,
            processor=utils.default_process,
            score_cutoff=_ALIKE,
            limit=2 * NEAREST,
        )
        for _, score, at in matches:
            best[at] = max(score, best.get(at, 0.0))
    return sorted(((score, tools[at]) for at, score in best.items()), key=lambda pair: (-pair[0], pair[1].id))


class ResourceUris:
    """`owners` of URIs and `templates` by server; `aliases` of those that two servers have: server, and URI there."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self.templates: dict[str, str] = {}
        self.aliases: dict[str, tuple[str, str]] = {}

    def shown(self, server: str, uri: str) -> str:
        """The URI as clients see it: a server that does not own it has its name added."""
        if self.owners.get(uri, server) == server:
            return uri
        alias = f"{_scheme(server)}+{uri}"
        self.aliases[alias] = (server, uri)
        return alias

    def there(self, uri: str) -> str:
        """The URI as its server knows it."""
        return self.aliases[uri][1] if uri in self.aliases else uri

    def alias_owner(self, uri: str) -> str | None:
        """The server of an alias."""
        return self.aliases[uri][0] if uri in self.aliases else None

    def forget(self, server: str) -> None:
        """Forget a server: another one of the same name has other URIs."""
        for known in (self.owners, self.templates):
            for uri in [uri for uri, owner in known.items() if owner == server]:
                del known[uri]


def _scheme(server: str) -> str:
    """A server's name in the letters that are allowed before the colon of a URI."""
    plain = re.sub(r"[^a-z0-9.-]", "-", server.lower())
    return plain if plain[:1].isalpha() else f"s{plain}"
