"""Nodes → nodes that accept at least as much: circles cut, and no removal that turns a refusal around.

Taking a demand away makes a schema accept more, except inside `not`, `if` and `oneOf`, where it may refuse
more. So these go as well wherever they lead to a node that lost something.
"""

from collections.abc import Callable, Iterator

from toolbooth.gateway.arguments.keywords import IN_PLACE, UNEVALUATED
from toolbooth.gateway.arguments.node import Node, reachable
from toolbooth.gateway.arguments.read import Graph

Ways = Callable[[Node], Iterator[Node]]
_LONG = 100  # names or options, each of which is compared with every value
_COSTLY = IN_PLACE | UNEVALUATED | {"contains", "patternProperties"}


def cut_circles(graph: Graph, ways: Ways) -> None:
    """Put a node that accepts all wherever these ways lead back to where they came from."""
    nodes = reachable(graph.root)
    done = {node for node in nodes if node.is_leaf}
    for start in nodes:
        way = {start: ways(start)} if start not in done else {}
        while way:
            here = next(reversed(way))
            below = next(way[here], None)
            if below is None:
                done.add(here)
                del way[here]
            elif below in way:
                _cut(graph, here, below)
                way[here] = ways(here)
            elif below not in done:
                way[below] = ways(below)
    keep_promises(graph)


def _cut(graph: Graph, node: Node, child: Node) -> None:
    anything = Node({})
    node.replace(child, anything)
    graph.loosened.update((node, anything))


def keep_only_plain(graph: Graph) -> None:
    """Leave of every schema what it says itself of its value and of the parts of it."""
    for node in reachable(graph.root):
        costly = {word for word in node.words if word in _COSTLY or _is_long(word, node.words[word])}
        if costly:
            graph.loosened.add(node)
            rest = {"additionalProperties"} if "patternProperties" in costly else set()
            node.words = {word: value for word, value in node.words.items() if word not in costly | rest}


def _is_long(word: str, value: object) -> bool:
    return word in ("enum", "required") and isinstance(value, list) and len(value) > _LONG


def keep_promises(graph: Graph) -> None:
    """Remove what would refuse more because something inside it accepts more."""
    if not graph.loosened:
        return
    for node in _above(graph):
        affected = {word for word in _TURNS if graph.loosened.intersection(node.inside(word))}
        for word in affected & node.words.keys():
            _TURNS[word](node.words)
    for node in reachable(graph.root):
        for word in UNEVALUATED & node.words.keys():
            del node.words[word]


def _above(graph: Graph) -> set[Node]:
    """Every node from which one that accepts more can be reached; all of them then accept more."""
    parents: dict[Node, list[Node]] = {}
    for node in reachable(graph.root):
        for child in node.children():
            parents.setdefault(child, []).append(node)
    waiting = list(graph.loosened)
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent not in graph.loosened:
                graph.loosened.add(parent)
                waiting.append(parent)
    return graph.loosened


def _one_to_any(words: dict[str, object]) -> None:
    branches = words.pop("oneOf")
    words.setdefault("anyOf", branches)


_TURNS: dict[str, Callable[[dict[str, object]], object]] = {
    "not": lambda words: words.pop("not"),
    "if": lambda words: words.pop("if"),
    "oneOf": _one_to_any,
    "contains": lambda words: words.pop("maxContains", None),
}
