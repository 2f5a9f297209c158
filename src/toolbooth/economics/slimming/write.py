"""Nodes → a JSON Schema again, every reference written to where its target now stands."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from toolbooth.catalog import canonical
from toolbooth.economics.slimming.graph import Graph, Node, Path, Ref, Unslimmable


def write(graph: Graph) -> dict[str, Any]:
    """The schema that the nodes stand for; shares nothing with the one that was read."""
    paths = dict(_paths(graph.root))
    written = _plain(graph.root, paths)
    assert isinstance(written, dict)  # noqa: S101 - a node is written as an object
    return written


def pointer(path: Path) -> str:
    """`#/a/b` for a path, escaped for a pointer and for a URI fragment."""
    steps = (quote(step.replace("~", "~0").replace("/", "~1"), safe="~!$&'()*+,;=:@") for step in path)
    return "#" + "".join(f"/{step}" for step in steps)


def _paths(root: Node) -> Iterator[tuple[Node, Path]]:
    waiting: list[tuple[Node, Path]] = [(root, ())]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        for word, value in node.words.items():
            here = (*path, word)
            if isinstance(value, Node):
                waiting.append((value, here))
            elif isinstance(value, dict):
                waiting.extend((v, (*here, name)) for name, v in value.items() if isinstance(v, Node))
            elif isinstance(value, list):
                waiting.extend((v, (*here, str(i))) for i, v in enumerate(value) if isinstance(v, Node))


def _plain(value: Any, paths: dict[Node, Path]) -> Any:
    if isinstance(value, Node):
        return {word: _plain(inner, paths) for word, inner in value.words.items()}
    if isinstance(value, Ref):
        now = paths.get(value.target)
        if now is None:
            raise Unslimmable("a rule dropped the target of a reference")
        return value.text if now == value.target.path else pointer(now)
    if isinstance(value, dict):
        return {name: _plain(inner, paths) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, paths) for inner in value]
    return value


def signature(value: Any) -> Any:
    """A value that is equal for two nodes exactly when they are written alike, whatever the order of keys."""
    if isinstance(value, Node):
        return ("schema", frozenset((word, signature(inner)) for word, inner in value.words.items()))
    if isinstance(value, Ref):
        return ("ref", id(value.target))
    if isinstance(value, dict):
        return ("object", frozenset((name, signature(inner)) for name, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return ("array", tuple(signature(inner) for inner in value))
    return (type(value).__name__, value)  # 1, 1.0 and True are equal to Python


def length(value: Any) -> int:
    """Characters of a value in canonical JSON, references as they were written."""
    if isinstance(value, Node):
        return length(value.words)
    if isinstance(value, Ref):
        return len(value.text) + 2
    if isinstance(value, dict):
        return 1 + max(1, sum(length(name) + length(inner) + 2 for name, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return 1 + max(1, sum(length(inner) + 1 for inner in value))
    return len(canonical(value))
