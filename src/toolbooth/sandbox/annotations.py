"""The JSON Schema of a script's arguments, made from the parameters of its `main`."""

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from toolbooth import errors
from toolbooth.sandbox.json_literal import is_json
from toolbooth.sandbox.python_text import parse_expression

Schema = dict[str, Any]
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TYPES: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "List": "array",
    "dict": "object",
    "Dict": "object",
    "None": "null",
}
_NULL: Final = {"type": "null"}
_UNLITERAL: Final = (ValueError, TypeError, SyntaxError)


class _Parameter(NamedTuple):
    written: ast.arg
    default: ast.expr | None


def parameters_schema(main: _Function, file: str) -> Schema:
    """What cannot be said in JSON Schema is anything; raises ConfigError for parameters without a name to send."""
    _refuse(main.args, file)
    properties, required = {}, []
    for written, default in _parameters(main.args):
        properties[written.arg] = _property(written.annotation, default)
        if default is None:
            required.append(written.arg)
    return arguments_schema(properties, required)


def arguments_schema(properties: dict[str, Schema], required: list[str]) -> Schema:
    """These arguments, and no others."""
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, **({"required": required} if required else {}), "additionalProperties": False}


def _refuse(arguments: ast.arguments, file: str) -> None:
    strange = [
        *((each, f"{each.arg} can only be given by position") for each in arguments.posonlyargs),
        *((each, f"*{each.arg} has no arguments of its own") for each in (arguments.vararg,) if each),
        *((each, f"**{each.arg} has no arguments of its own") for each in (arguments.kwarg,) if each),
    ]
    if strange:
        each, why = strange[0]
        raise errors.ConfigError(
            f"main: {why}, and a tool's arguments go by name; name each of them", file, each.lineno
        )


def _parameters(arguments: ast.arguments) -> Iterator[_Parameter]:
    without = [None] * (len(arguments.args) - len(arguments.defaults))
    yield from map(_Parameter, arguments.args, [*without, *arguments.defaults])
    yield from map(_Parameter, arguments.kwonlyargs, arguments.kw_defaults)


def _property(annotation: ast.expr | None, default: ast.expr | None) -> Schema:
    schema = _schema(annotation)
    if default is None:
        return schema
    try:
        value = ast.literal_eval(default)
    except _UNLITERAL:  # it is worked out when the script runs
        return schema
    if not is_json(value):
        return schema
    if value is None:  # `label: str = None`
        schema = _union([schema, _NULL])
    return {**schema, "default": value}


def _schema(annotation: ast.expr | None) -> Schema:
    match annotation:
        case ast.Constant(value=None):
            return _NULL
        case ast.Constant(value=str(text)):
            return _quoted(text)
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="typing"), attr=name):
            return {"type": _TYPES[name]} if name in _TYPES else {}
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([_schema(left), _schema(right)])
        case ast.Subscript(
            value=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="typing"), attr=name), slice=inside
        ):
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            return _GENERIC[name](parts) if name in _GENERIC else {}
    return {}


def _quoted(text: str) -> Schema:
    try:
        return _schema(parse_expression(text.strip()))
    except _UNLITERAL:
        return {}


def _list(parts: Sequence[ast.expr]) -> Schema:
    items = _schema(parts[0])
    return {"type": "array", **({"items": items} if items else {})}


def _dict(parts: Sequence[ast.expr]) -> Schema:
    values = _schema(parts[-1])
    return {"type": "object", **({"additionalProperties": values} if values else {})}


def _literal(parts: Sequence[ast.expr]) -> Schema:
    try:
        values = [ast.literal_eval(part) for part in parts]
    except _UNLITERAL:
        return {}
    if not all(is_json(value) and not isinstance(value, list | dict) for value in values):
        return {}
    return {"enum": [value for at, value in enumerate(values) if not _among(value, values[:at])]}


def _among(value: Any, others: Sequence[Any]) -> bool:
    """As JSON sees it: 1 and true are two values."""
    return any(type(value) is type(other) and value == other for other in others)


def _optional(parts: Sequence[ast.expr]) -> Schema:
    return _union([_schema(parts[0]), _NULL])


def _union_of(parts: Sequence[ast.expr]) -> Schema:
    return _union([_schema(part) for part in parts])


def _union(schemas: Sequence[Schema]) -> Schema:
    """One of several; with anything among them it is anything."""
    if not all(schemas):
        return {}
    choices: list[Schema] = []
    for schema in schemas:
        choices += [each for each in schema.get("anyOf") or _each_type(schema) if each not in choices]
    if len(choices) == 1:
        return choices[0]
    if all(each.keys() == {"type"} for each in choices):
        return {"type": [each["type"] for each in choices]}
    return {"anyOf": choices}


def _each_type(schema: Schema) -> list[Schema]:
    several = schema.get("type")
    return [{"type": each} for each in several] if isinstance(several, list) else [schema]


_GENERIC: Final[dict[str, Callable[[Sequence[ast.expr]], Schema]]] = {
    "list": _list,
    "List": _list,
    "dict": _dict,
    "Dict": _dict,
    "Literal": _literal,
    "Optional": _optional,
    "Union": _union_of,
}
