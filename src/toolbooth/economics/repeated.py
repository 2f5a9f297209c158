"""Servers → groups that offer the same tools word for word, with the one of each that offers most."""

from collections.abc import Sequence
from typing import NamedTuple

from toolbooth.catalog import ServerTools, canonical

Definitions = frozenset[str]


class Repeated(NamedTuple):
    """`spare` servers offer nothing that `kept` does not; whether they reach the same thing nobody can see."""

    kept: ServerTools
    spare: tuple[ServerTools, ...]

    @property
    def equal(self) -> bool:
        """Whether `kept` offers no more than the others either."""
        return len(self.kept.tools) == len(self.spare[0].tools)


def repeated_servers(servers: Sequence[ServerTools]) -> tuple[Repeated, ...]:
    """One group for each set of tools that stands more than once; a server that is kept is spare nowhere."""
    by_tools: dict[Definitions, list[ServerTools]] = {}
    for server in servers:
        if server.tools:
            by_tools.setdefault(_definitions(server), []).append(server)
    groups = (_group(own, by_tools) for own in by_tools)
    return tuple(group for group in groups if group.spare)


def _group(own: Definitions, by_tools: dict[Definitions, list[ServerTools]]) -> Repeated:
    largest = max((each for each in by_tools if own <= each), key=len)
    alike = by_tools[own]
    return Repeated(by_tools[largest][0], tuple(alike[1:] if largest == own else alike))


def _definitions(server: ServerTools) -> Definitions:
    return frozenset(canonical([tool.name, tool.description, tool.input_schema]) for tool in server.tools)
