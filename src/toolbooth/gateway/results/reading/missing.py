"""A path that led to nothing × JSON → how far it leads, and what is there instead."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from toolbooth.gateway.results.reading.bounded_jmespath import evaluate
from toolbooth.safetext import for_terminal

Node = dict[str, Any]
_NAMED: Final = 20  # keys of an object
_SHOWN_KEY: Final = 40
_SHOWN_PLACE: Final = 120
_IDENTITY: Final[Node] = {"type": "identity", "children": []}
_KINDS: Final = {"int": "a number", "float": "a number", "bool": "true or false", "NoneType": "null"}


class _Place(NamedTuple):
    """Where a walk stands: how that is written, and what is there; of many items it goes on with the first."""

    written: str
    value: Any

    def __str__(self) -> str:
        where = for_terminal(self.written, _SHOWN_PLACE) or "the whole"
        return f"{where} is {_described(self.value)}"


def missing(tree: Node, value: Any, length: int) -> str:
    """Empty where the path does lead somewhere, if only to `null` or an empty list."""
    place = _Place("", value)
    for part in _piped(tree):
        steps = list(_steps(part))
        for step in steps:
            following = _after(step, place, length)
            if following is None:
                return (
                    str(place) if step["type"] != "filter_projection" else f"nothing fits the filter; {place}"
                )
            place = following
        if part is not tree:
            place = _Place("…", evaluate(part, value, length).value)
            value = place.value
    return ""


def _piped(tree: Node) -> Iterator[Node]:
    if tree["type"] == "pipe":
        yield from _piped(tree["children"][0])
        yield tree["children"][1]
    else:
        yield tree


def _steps(node: Node) -> Iterator[Node]:
    """From left to right; the walk ends at whatever is no step, such as a function."""
    kind, children = node["type"], node["children"]
    if kind in ("subexpression", "index_expression"):
        for child in children:
            yield from _steps(child)
    elif kind in ("projection", "filter_projection", "value_projection", "flatten"):
        yield from _steps(children[0])
        if kind != "projection" or not _walks_on(children[0]):
            yield node
        if kind != "flatten":
            yield from _steps(children[1])
    elif kind in ("field", "index", "slice"):
        yield node


def _walks_on(left: Node) -> bool:
    """Flattening and slicing already went on to the first item."""
    last = left["children"][-1] if left["type"] == "index_expression" else left
    return last["type"] in ("flatten", "slice")


def _after(step: Node, place: _Place, length: int) -> _Place | None:
    written, value = place
    match step["type"]:
        case "field":
            name = step["value"]
            if isinstance(value, dict) and name in value:
                return _Place(f"{written}.{name}" if written else name, value[name])
        case "value_projection":
            if isinstance(value, dict) and value:
                name = next(iter(value))
                return _Place(f"{written}.{name}" if written else name, value[name])
        case "filter_projection":
            only = {**step, "children": [_IDENTITY, _IDENTITY, step["children"][2]]}
            fitting = evaluate(only, value, length).value
            return _Place(f"{written}[?…]", fitting[0]) if fitting else None
        case "flatten":
            if isinstance(value, list) and value:
                return _Place(
                    f"{written}[0]", value[0][0] if isinstance(value[0], list) and value[0] else value[0]
                )
        case _:
            return _item(step, place)
    return None


def _item(step: Node, place: _Place) -> _Place | None:
    """One item of a list: by its index, or the first of a slice or of all."""
    if not isinstance(place.value, list):
        return None
    indices = range(len(place.value))
    if step["type"] == "index":
        wanted = step["value"]
        indices = indices[wanted : wanted + 1 or None]
    elif step["type"] == "slice":
        indices = indices[slice(*step["children"])]
    return _Place(f"{place.written}[{indices[0]}]", place.value[indices[0]]) if indices else None


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with {_keys(value)}"
    if isinstance(value, list):
        items = f"a list of {len(value)} item{'s' if len(value) != 1 else ''}"
        return f"{items}, the first with {_keys(value[0])}" if value and isinstance(value[0], dict) else items
    return f"text of {len(value)} characters" if isinstance(value, str) else _KINDS[type(value).__name__]


def _keys(value: dict[str, Any]) -> str:
    if not value:
        return "no keys"
    names = ", ".join(for_terminal(key, _SHOWN_KEY) for key in list(value)[:_NAMED])
    return f"the keys {names}{f' and {len(value) - _NAMED} more' if len(value) > _NAMED else ''}"
