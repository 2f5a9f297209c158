"""Contracts: what servers offer, with digests that pin it.

A tool contract holds the whole raw object with its cost and risk. `ServerDefinitions` is one server as scan and lint
see it, whether it comes from a catalog or from contracts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from toolbooth import catalog
from toolbooth.contracts.digest import digest_of


@dataclass(frozen=True)
class Economics:
    """What a call of the tool may cost. `risk` is empty if no schema shows the size of answers."""

    risk: str = ""
    bounded: bool = False
    fields: int = 0
    overhead: int = 0

    def as_json(self) -> dict[str, Any]:
        """The form that is stored in the lock."""
        return {
            "risk": self.risk,
            "bounded": self.bounded,
            "fields": self.fields,
            "overhead": self.overhead,
        }


@dataclass(frozen=True)
class ToolContract:
    """One tool. Its digest covers only the raw object, so it does not depend on how tokens are counted."""

    server: str
    name: str
    raw: catalog.Json = field(hash=False, repr=False)
    tokens: int = 0
    economics: Economics = Economics()

    @property
    def id(self) -> str:
        """`server.tool`."""
        return f"{self.server}.{self.name}"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the raw object's RFC 8785 form."""
        return digest_of(self.raw)

    @cached_property
    def tool(self) -> catalog.Tool:
        """This contract as a tool of a catalog."""
        return catalog.Tool.from_raw(self.server, self.raw)


@dataclass(frozen=True)
class ServerContract:
    """One server: its tools by name, and everything else of it that a model reads.

    `unusable` maps tools with a malformed definition to the reason. They are not part of the contract.
    """

    server: str
    tools: Mapping[str, ToolContract] = field(default_factory=dict)
    instructions: str = ""
    title: str = ""
    version: str = ""
    prompts: tuple[catalog.Json, ...] = ()
    resources: tuple[catalog.Json, ...] = ()
    templates: tuple[catalog.Json, ...] = ()
    unusable: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Contracts:
    """All servers by name, with tokens counted in one encoding."""

    servers: Mapping[str, ServerContract] = field(default_factory=dict)
    encoding: str = "cl100k_base"

    def tools(self) -> dict[str, ToolContract]:
        """Every tool by id, in the order of servers and names."""
        return {
            tool.id: tool
            for _, server in sorted(self.servers.items())
            for _, tool in sorted(server.tools.items())
        }


Source = catalog.Catalog | Contracts


@dataclass(frozen=True)
class ServerDefinitions:
    """One server. `own_texts` is everything but its tools, as one JSON object that paths of findings point into."""

    server: str
    tools: tuple[catalog.Tool, ...]
    own_texts: dict[str, Any] = field(default_factory=dict)


def definitions_of(source: Source) -> tuple[ServerDefinitions, ...]:
    """The servers of a catalog or of contracts. Only contracts have prompts and resources."""
    if isinstance(source, Contracts):
        return tuple(map(_of_contract, source.servers.values()))
    return tuple(map(_of_catalog_server, source.servers))


def catalog_of(servers: Iterable[ServerDefinitions]) -> catalog.Catalog:
    """The tools alone, as a catalog."""
    return catalog.Catalog(tuple(catalog.ServerTools(each.server, each.tools) for each in servers))


def _of_catalog_server(server: catalog.ServerTools) -> ServerDefinitions:
    own_texts = {
        "title": server.title,
        "description": server.description,
        "instructions": server.instructions or "",
    }
    return ServerDefinitions(server.server, server.tools, own_texts)


def _of_contract(contract: ServerContract) -> ServerDefinitions:
    own_texts = {
        "title": contract.title,
        "instructions": contract.instructions,
        "prompts": list(contract.prompts),
        "resources": list(contract.resources),
        "templates": list(contract.templates),
    }
    return ServerDefinitions(contract.server, tuple(tool.tool for tool in contract.tools.values()), own_texts)
