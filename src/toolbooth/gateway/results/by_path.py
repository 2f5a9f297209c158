"""Reading a kept text by a JMESPath expression: the value found there, or how far the path leads and what is
there instead.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from jmespath.exceptions import (  # type: ignore[import-untyped]
    ArityError,
    JMESPathTypeError,
    LexerError,
    ParseError,
    UnknownFunctionError,
)

from toolbooth import errors, figures, limits, safetext
from toolbooth.gateway.results.bounded_jmespath import PathTooCostly, bounded_text, evaluate, parse
from toolbooth.gateway.results.payload import payload

PathNode = dict[str, Any]
_NAMED: Final = 20  # keys of an object
_SHOWN_KEY: Final = 40
_SHOWN_PATH: Final = 120
_IDENTITY: Final[PathNode] = {"type": "identity", "children": []}
_KINDS: Final = {"int": "a number", "float": "a number", "bool": "true or false", "NoneType": "null"}


class _Reached(NamedTuple):
    """Where a walk has arrived: its path, and the value there; of many items it continues with the first."""

    written: str
    value: Any

    def __str__(self) -> str:
        where = safetext.for_terminal(self.written, _SHOWN_PATH) or "the whole"
        return f"{where} is {_described(self.value)}"


def missing(tree: PathNode, value: Any, length: int) -> str:
    """Empty if the path does lead somewhere, even to `null` or an empty list."""
    reached = _Reached("", value)
    for part in _piped(tree):
        steps = list(_steps(part))
        for step in steps:
            following = _after(step, reached, length)
            if following is None:
                return (
                    str(reached)
                    if step["type"] != "filter_projection"
                    else f"nothing matches the filter; {reached}"
                )
            reached = following
        if part is not tree:
            reached = _Reached("…", evaluate(part, value, length).value)
            value = reached.value
    return ""


def _piped(tree: PathNode) -> Iterator[PathNode]:
    if tree["type"] == "pipe":
        yield from _piped(tree["children"][0])
        yield tree["children"][1]
    else:
        yield tree


def _steps(node: PathNode) -> Iterator[PathNode]:
    """From left to right; the walk ends at anything that is not a step, such as a function."""
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


def _walks_on(left: PathNode) -> bool:
    """Flattening and slicing already moved to the first item."""
    last = left["children"][-1] if left["type"] == "index_expression" else left
    return last["type"] in ("flatten", "slice")


def _after(step: PathNode, reached: _Reached, length: int) -> _Reached | None:
    written, value = reached
    match step["type"]:
        case "field":
            name = step["value"]
            if isinstance(value, dict) and name in value:
                return _Reached(f"{written}.{name}" if written else name, value[name])
        case "value_projection":
            if isinstance(value, dict) and value:
                name = next(iter(value))
                return _Reached(f"{written}.{name}" if written else name, value[name])
        case "filter_projection":
            only = {**step, "children": [_IDENTITY, _IDENTITY, step["children"][2]]}
            fitting = evaluate(only, value, length).value
            return _Reached(f"{written}[?…]", fitting[0]) if fitting else None
        case "flatten":
            if isinstance(value, list) and value:
                return _Reached(
                    f"{written}[0]", value[0][0] if isinstance(value[0], list) and value[0] else value[0]
                )
        case _:
            return _item(step, reached)
    return None


def _item(step: PathNode, reached: _Reached) -> _Reached | None:
    """One item of a list: by its index, or the first of a slice or of all."""
    if not isinstance(reached.value, list):
        return None
    indices = range(len(reached.value))
    if step["type"] == "index":
        wanted = step["value"]
        indices = indices[wanted : wanted + 1 or None]
    elif step["type"] == "slice":
        indices = indices[slice(*step["children"])]
    return _Reached(f"{reached.written}[{indices[0]}]", reached.value[indices[0]]) if indices else None


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with {_keys(value)}"
    if isinstance(value, list):
        items = f"a list of {figures.counted(len(value), 'item')}"
        return f"{items}, the first with {_keys(value[0])}" if value and isinstance(value[0], dict) else items
    return f"text of {len(value)} characters" if isinstance(value, str) else _KINDS[type(value).__name__]


def _keys(value: dict[str, Any]) -> str:
    if not value:
        return "no keys"
    names = ", ".join(safetext.for_terminal(key, _SHOWN_KEY) for key in list(value)[:_NAMED])
    return f"the keys {names}{f' and {len(value) - _NAMED} more' if len(value) > _NAMED else ''}"


_EXAMPLE: Final = """as in path='orders[0].id', path='orders[].id' or path='"odd-key".id'"""
_ROOT: Final = re.compile(r"^\$\.?")  # as JSONPath begins: it can only mean one thing, so it is accepted
_SHOWN: Final = 60


class NothingThere(Exception):
    """The expression is valid, and the text has nothing at that place; says what it has."""


class AtPath(NamedTuple):
    """What a path leads to: the value, and its text, which for a string is the string itself."""

    value: Any
    text: str


def at_path(text: str, path: str) -> AtPath:
    """Raises WrongArguments if the path cannot be followed in any text, or not in this one, and NothingThere."""
    tree = _tree(path)
    whole = payload(text)
    if not whole.has_value:
        raise errors.WrongArguments(
            "this result is not JSON, so it has no `path`; read it by start and lines, or by query"
        )
    try:
        found = evaluate(tree, whole.value, len(text))
        if found.value in (None, []):
            words = missing(tree, whole.value, len(text))
            if words:
                raise NothingThere(f'nothing at path="{safetext.for_terminal(path)}": {words}')
        shown = found.value if isinstance(found.value, str) else bounded_text(found)
    except PathTooCostly:
        raise errors.WrongArguments(
            "this `path` builds too much; ask for less, or for one part after another"
        ) from None
    except RecursionError:
        raise errors.WrongArguments(
            f"this `path` is nested too deep; write a simpler one, {_EXAMPLE}"
        ) from None
    except (ValueError, TypeError, ArithmeticError) as error:
        raise errors.WrongArguments(f"`path` fails: {_reason(error)}") from None
    return AtPath(found.value, shown)


def value_at(text: str, path: str) -> Any:
    """The value alone; None if there is nothing. Raises WrongArguments."""
    try:
        return at_path(text, path).value
    except NothingThere:
        return None


def _tree(path: str) -> dict[str, Any]:
    if len(path) > limits.MAX_PATH:
        raise errors.WrongArguments(
            f"`path` has at most {limits.MAX_PATH} characters; write a simpler one, {_EXAMPLE}"
        )
    try:
        return parse(_ROOT.sub("", path.strip()) or "@")
    except RecursionError:
        raise errors.WrongArguments(
            f"this `path` is nested too deep; write a simpler one, {_EXAMPLE}"
        ) from None
    except (ValueError, TypeError) as error:
        raise errors.WrongArguments(
            f"`path` is not JMESPath: {_reason(error)}; write it {_EXAMPLE}"
        ) from None


def _reason(error: Exception) -> str:
    """One line; the library's own message draws the position below the expression, and may contain a whole value."""
    match error:
        case JMESPathTypeError():
            wanted = " or ".join(error.expected_types)
            return f"{error.function_name}() takes {wanted}, not {error.actual_type}"
        case ArityError():
            return safetext.for_terminal(str(error))
        case UnknownFunctionError():
            return safetext.for_terminal(str(error), _SHOWN)
        case LexerError():
            return safetext.for_terminal(
                f"{error.message} at character {error.lexer_position + 1}", 2 * _SHOWN
            )
        case ParseError(token_value=None):
            return "it is incomplete"
        case ParseError():
            token = safetext.for_terminal(str(error.token_value), _SHOWN)
            return (
                f'unexpected "{token}" at character {error.lex_position + 1}' if token else "it is incomplete"
            )
        case TypeError():
            return "an expression with & is not a value by itself"
        case _:
            return safetext.for_terminal(str(error), 2 * _SHOWN)
