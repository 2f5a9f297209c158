"""A tool as clients get it: a definition that every SDK accepts, and the same with slimmed schemas and, where clients
cut it, with the decisive part of its description first.

A client's SDK rejects the whole list if one entry is invalid, so the mistakes of a server are repaired here.
Whatever is valid stays byte for byte as the server sent it. Each tool is slimmed once, however often it is
listed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from toolbooth import catalog, economics
from toolbooth.gateway.listed_description import decisive_first

_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TASKS: Final = ("optional", "required")
_SUPPORT: Final = (None, "forbidden", "optional", "required")


class NormalizedTool(NamedTuple):
    """A definition, and each repair in a few words."""

    definition: dict[str, Any]
    repairs: tuple[str, ...] = ()


def normalized_definition(tool: catalog.Tool, *, legacy: bool = False) -> dict[str, Any]:
    """The normalized definition alone."""
    return normalized(tool, legacy=legacy).definition


def normalized(tool: catalog.Tool, *, legacy: bool = False) -> NormalizedTool:
    """A copy of the definition in which everything that an SDK checks is valid.

    `legacy` clients (before 2026-07-28) know only objects as structured output: another output schema is left
    out.
    """
    definition: dict[str, Any] = dict(tool.raw) if tool.raw else _spelled(tool)
    repairs: list[str] = []
    mended = _input(tool.input_schema)
    if mended is not tool.input_schema:
        definition["inputSchema"] = mended
        repairs.append(_what(tool.input_schema))
    for key, fits in _FITS.items():
        if key in definition and not fits(definition[key]):
            del definition[key]
            repairs.append(f"its {key} is left out")
    if (definition.get("execution") or {}).get("taskSupport") in _TASKS:
        definition["execution"] = {
            "taskSupport": "optional"
        }  # a call without `task` works, too: the gateway waits
        if not legacy:
            del definition["execution"]  # since 2026-07-28 the answer to a call says it
    if legacy and not _is_object(definition.get("outputSchema", _OBJECT)):
        del definition["outputSchema"]
    return NormalizedTool(definition, tuple(repairs))


def _spelled(tool: catalog.Tool) -> dict[str, Any]:
    """The definition of a tool that no server sent."""
    parts = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": tool.annotations,
    }
    return {key: value for key, value in parts.items() if value is not None}


_OBJECT: Final[Mapping[str, Any]] = {"type": "object"}


def _what(schema: Mapping[str, Any] | None) -> str:
    if schema is None:
        return "it has no input schema"
    return "its input schema has no type" if "type" not in schema else "its input schema is malformed"


def _input(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The input schema, and the very same object if it is valid. Arguments are objects, whatever the schema says."""
    if schema is None:
        return _OBJECT
    if _is_object(schema):
        return schema
    rest = {
        key: value for key, value in schema.items() if key != "type" and _CHECKED.get(key, _anything)(value)
    }
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        rest["properties"] = {
            name: inner if isinstance(inner, Mapping | bool) else {} for name, inner in properties.items()
        }
    if isinstance(schema.get("required"), list):
        rest["required"] = [name for name in schema["required"] if isinstance(name, str)]
    return {**_OBJECT, **rest}


def _anything(_: Any) -> bool:
    return True


def _optional_text(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _optional_object(value: Any) -> bool:
    return value is None or isinstance(value, Mapping)


def _properties(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, Mapping) and all(isinstance(inner, Mapping | bool) for inner in value.values())


def _names(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _annotations(value: Any) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, Mapping)
        and _optional_text(value.get("title"))
        and all(isinstance(value.get(hint), bool | None) for hint in _HINTS)
    )


def _icons(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(map(_icon, value)))


def _icon(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("src"), str)
        and _optional_text(value.get("mimeType"))
        and _names(value.get("sizes"))
        and value.get("theme") in (None, "light", "dark")
    )


def _execution(value: Any) -> bool:
    return value is None or (isinstance(value, Mapping) and value.get("taskSupport") in _SUPPORT)


def _is_object(schema: Mapping[str, Any] | None) -> bool:
    if schema is None:
        return True
    return schema.get("type") == "object" and _words_fit(schema)


def _words_fit(schema: Mapping[str, Any]) -> bool:
    return all(fits(schema[key]) for key, fits in _CHECKED.items() if key in schema)


def _output(value: Any) -> bool:
    return value is None or (isinstance(value, Mapping) and _optional_text(value.get("$schema")))


_CHECKED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "$schema": _optional_text,
    "properties": _properties,
    "required": _names,
}
_FITS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "outputSchema": _output,
    "annotations": _annotations,
    "icons": _icons,
    "execution": _execution,
    "title": _optional_text,
    "_meta": _optional_object,
}


class _Slimmed(NamedTuple):
    inputs: dict[str, Any]
    outputs: dict[str, Any] | None
    description: str


_done: WeakKeyDictionary[catalog.Tool, _Slimmed] = WeakKeyDictionary()


def slim_ahead(tools: Iterable[catalog.Tool]) -> None:
    """Slim these tools now, in a thread, so that a list of thousands does not block the event loop (1 ms each)."""
    for tool in tools:
        slim_definition(tool, normalized_definition(tool))


def slim_definition(tool: catalog.Tool, definition: dict[str, Any]) -> dict[str, Any]:
    """Slim the schemas of a definition, and order its description; both still accept and say the same. The first time
    4,000 tools take seconds.
    """

    known = _done.get(tool)
    if known is None:
        outputs = tool.output_schema
        known = _done[tool] = _Slimmed(
            _typed(economics.slim(definition["inputSchema"], tool.name)),
            None if outputs is None else economics.slim(outputs, tool.name),
            decisive_first(tool.description),
        )
    slimmed = {**definition, "inputSchema": known.inputs}
    if definition.get("outputSchema") is not None and known.outputs is not None:
        slimmed["outputSchema"] = known.outputs
    if known.description != tool.description:
        slimmed["description"] = known.description
    return slimmed


def _typed(schema: dict[str, Any]) -> dict[str, Any]:
    """SDKs require `type: object` at the root, even where it adds nothing."""
    return schema if schema.get("type") == "object" else {"type": "object", **schema}
