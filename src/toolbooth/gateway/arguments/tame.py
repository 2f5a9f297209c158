"""An input schema → nodes whose check is bounded for any arguments, loosened as far as that takes."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolbooth.gateway.arguments.loosen import cut_circles, keep_only_plain, keep_promises
from toolbooth.gateway.arguments.node import Node
from toolbooth.gateway.arguments.read import Graph, NotTame, read
from toolbooth.gateway.arguments.workload import TooMuch, Workload, workload


class Tame(NamedTuple):
    """A schema that can be checked, and the load of the busiest value."""

    graph: Graph
    load: Workload

    @property
    def whole(self) -> bool:
        """Whether nothing had to be left out."""
        return not self.graph.loosened


def _circles_through_parts(graph: Graph) -> None:
    cut_circles(graph, Node.children)


_STEPS: tuple[Callable[[Graph], None], ...] = (keep_promises, _circles_through_parts, keep_only_plain)


def tame(schema: Mapping[str, Any], patterns: bool = True) -> Tame:
    """Judge a schema before it is compiled; raises NotTame where no bounded check is left of it."""
    graph = read(schema, patterns)
    cut_circles(graph, Node.in_place)
    for loosen in _STEPS:
        loosen(graph)
        try:
            return Tame(graph, workload(graph.root))
        except TooMuch:
            continue
    raise NotTame("more work than a call is worth")
