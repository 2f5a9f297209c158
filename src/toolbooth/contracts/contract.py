"""What a server offers, as it was agreed: each tool's whole wire object with its cost and risk, under digests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from toolbooth.catalog import Json, Tool
from toolbooth.contracts.digest import digest_of


@dataclass(frozen=True)
class Economics:
    """What a call of the tool may cost. `risk` is empty where no schema tells the size of answers."""

    risk: str = ""
    bounded: bool = False
    fields: int = 0
    overhead: int = 0

    def as_json(self) -> dict[str, Any]:
        """For the lock."""
        return {
            "risk": self.risk,
            "bounded": self.bounded,
            "fields": self.fields,
            "overhead": self.overhead,
        }


@dataclass(frozen=True)
class ToolContract:
    """One tool. Its digest is of the wire object alone: what a server sends decides, not how we weigh it."""

    server: str
    name: str
    wire: Json = field(hash=False, repr=False)
    tokens: int = 0
    economics: Economics = Economics()

    @property
    def id(self) -> str:
        """`server.tool`."""
        return f"{self.server}.{self.name}"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over RFC 8785 of the wire object."""
        return digest_of(self.wire)

    @cached_property
    def tool(self) -> Tool:
        """The same as a tool of a catalog."""
        return Tool.from_wire(self.server, self.wire)


@dataclass(frozen=True)
class ServerContract:
    """One server: its tools by name, and what else a model reads of it.

    `unusable` are names that it lists with a definition that is none, and why: no part of what is agreed.
    """

    server: str
    tools: Mapping[str, ToolContract] = field(default_factory=dict)
    instructions: str = ""
    title: str = ""
    version: str = ""
    prompts: tuple[Json, ...] = ()
    resources: tuple[Json, ...] = ()
    templates: tuple[Json, ...] = ()
    unusable: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Contracts:
    """All servers by name, weighed in one encoding."""

    servers: Mapping[str, ServerContract] = field(default_factory=dict)
    encoding: str = "cl100k_base"

    def tools(self) -> dict[str, ToolContract]:
        """Every tool by id, in the order of servers and names."""
        return {
            tool.id: tool
            for _, server in sorted(self.servers.items())
            for _, tool in sorted(server.tools.items())
        }
