"""Tools, the tools of one server, and the catalog of all servers with its content fingerprint.

A tool keeps the object that its server sent (`raw`). A list entry that is not a valid tool is set aside with the
reason; the other entries are used.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, Self

from toolbooth import limits
from toolbooth.catalog.strict_json import canonical

Json = Mapping[str, Any]


class MalformedTool(ValueError):
    """One entry of a tool list is not a valid tool; the other entries are used."""


@dataclass(frozen=True)
class Tool:
    """One tool as its server describes it. `raw` is the object as it was sent."""

    server: str
    name: str
    description: str = ""
    input_schema: Json | None = field(default=None, hash=False)
    output_schema: Json | None = field(default=None, hash=False)
    annotations: Json | None = field(default=None, hash=False)
    raw: Json = field(default_factory=dict, hash=False, compare=False, repr=False)

    @property
    def id(self) -> str:
        """`server.name`, or the bare name if no server is known."""
        return f"{self.server}.{self.name}" if self.server else self.name

    @cached_property
    def definition(self) -> str:
        """The text that is counted for this tool: name, description and canonical schema, one line each."""
        head = f"{self.name}\n{self.description}"
        return f"{head}\n{canonical(self.input_schema)}" if self.input_schema else head

    @cached_property
    def digest(self) -> bytes:
        """Content hash of the definition."""
        return hashlib.blake2b(self.definition.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    @classmethod
    def from_raw(cls, server: str, raw: object) -> Self:
        """Read one entry of `tools/list`; raises MalformedTool with the reason."""
        if not isinstance(raw, Mapping):
            raise MalformedTool(f"an entry is {_kind(raw)}, not an object")
        name = raw.get("name")
        if not isinstance(name, str) or not name.strip():
            raise MalformedTool("an entry has no name" if name is None else f"name is {_kind(name)}")
        description = raw.get("description")
        if description is not None and not isinstance(description, str):
            raise MalformedTool(f"description is {_kind(description)}, not text")
        schemas = {key: _schema(raw, key) for key in ("inputSchema", "outputSchema", "annotations")}
        return cls(
            server=server,
            name=name,
            description=description or "",
            input_schema=schemas["inputSchema"],
            output_schema=schemas["outputSchema"],
            annotations=schemas["annotations"],
            raw=raw,
        )


def _kind(value: object) -> str:
    text = "text" if isinstance(value, str) and value.strip() else "empty text"
    names = {bool: "a boolean", int: "a number", float: "a number", str: text, list: "a list"}
    return "null" if value is None else names.get(type(value), "an object")


def _schema(raw: Json, key: str) -> Json | None:
    value = raw.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, Mapping):
        raise MalformedTool(f"{key} is {_kind(value)}, not an object")
    return value


@dataclass(frozen=True)
class SetAside:
    """A list entry that could not be used, and why. `name` is empty if it is unknown.

    `cut` stands for all entries after the last one that was read: the list is incomplete.
    """

    server: str
    name: str
    reason: str
    kind: Literal["malformed", "duplicate", "cut"] = "malformed"


@dataclass(frozen=True)
class ServerTools:
    """What one server offers: its tools in the order sent, and what it says about itself."""

    server: str
    tools: tuple[Tool, ...]
    instructions: str | None = None
    title: str = ""
    description: str = ""
    version: str = ""
    protocol: str = ""
    set_aside: tuple[SetAside, ...] = ()


@dataclass(frozen=True)
class Catalog:
    """The tools of every server, in the order of the config.

    `missing` are sources that failed when a catalog was saved, and why; the fingerprint covers only the tools.
    """

    servers: tuple[ServerTools, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool of every server."""
        return tuple(tool for server in self.servers for tool in server.tools)

    @cached_property
    def set_aside(self) -> tuple[SetAside, ...]:
        """Every entry that was set aside."""
        return tuple(entry for server in self.servers for entry in server.set_aside)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the definitions, independent of the order of servers and tools."""
        lines = sorted(canonical([tool.server, tool.raw]) for tool in self.tools)
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


_TWICE: Final = "duplicate name; the first tool is kept"


def sort_entries(server: str, entries: Sequence[Any], *, cut: str = "", **about: Any) -> ServerTools:
    """Read each entry; malformed entries and duplicate names are set aside.

    `cut` says why the list is incomplete, if it is.
    """
    tools: dict[str, Tool] = {}
    aside: list[SetAside] = []
    for entry in entries[: limits.MAX_TOOLS]:
        try:
            tool = Tool.from_raw(server, entry)
        except MalformedTool as error:
            aside.append(SetAside(server, _name_of(entry), str(error)))
            continue
        if tool.name in tools:
            aside.append(SetAside(server, tool.name, _TWICE, "duplicate"))
            continue
        tools[tool.name] = tool
    if len(entries) > limits.MAX_TOOLS:
        cut = cut or f"only the first {limits.MAX_TOOLS} of its tools are read"
    if cut:
        aside.append(SetAside(server, "", cut, "cut"))
    return ServerTools(server, tuple(tools.values()), set_aside=tuple(aside), **about)


def _name_of(entry: object) -> str:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) else ""
