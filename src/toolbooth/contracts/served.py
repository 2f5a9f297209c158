"""A catalog or contracts → per server what a model may read of it: tools, instructions, prompts, resources."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.contracts.contract import Contracts, ServerContract

Source = Catalog | Contracts


@dataclass(frozen=True)
class Served:
    """One server. `said` is all that is no tool, as one JSON object: paths of its findings lead into it."""

    server: str
    tools: tuple[Tool, ...]
    said: dict[str, Any] = field(default_factory=dict)


def served_by(source: Source) -> tuple[Served, ...]:
    """From a catalog, which knows no prompts and resources, or from contracts, which do."""
    if isinstance(source, Contracts):
        return tuple(map(_of_contract, source.servers.values()))
    return tuple(map(_of_server, source.servers))


def catalog_of(servers: Iterable[Served]) -> Catalog:
    """The tools alone, for what judges catalogs."""
    return Catalog(tuple(ServerTools(each.server, each.tools) for each in servers))


def _of_server(server: ServerTools) -> Served:
    said = {
        "title": server.title,
        "description": server.description,
        "instructions": server.instructions or "",
    }
    return Served(server.server, server.tools, said)


def _of_contract(contract: ServerContract) -> Served:
    said = {
        "title": contract.title,
        "instructions": contract.instructions,
        "prompts": list(contract.prompts),
        "resources": list(contract.resources),
        "templates": list(contract.templates),
    }
    return Served(contract.server, tuple(tool.tool for tool in contract.tools.values()), said)
