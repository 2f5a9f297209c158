"""Short Python calls that build JSON Schemas, clean or with the noise that code generators leave in them."""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Dialect = Callable[[str, Json], Json]


def _typed(type_name: str, description: str, keywords: Json) -> Json:
    return {"type": type_name} | ({"description": description} if description else {}) | keywords


def text(description: str = "", **keywords: Any) -> Json:
    """A string."""
    return _typed("string", description, keywords)


def whole(description: str = "", **keywords: Any) -> Json:
    """An integer."""
    return _typed("integer", description, keywords)


def number(description: str = "", **keywords: Any) -> Json:
    """Any number."""
    return _typed("number", description, keywords)


def flag(description: str = "", **keywords: Any) -> Json:
    """A boolean."""
    return _typed("boolean", description, keywords)


def choice(description: str, *values: str, **keywords: Any) -> Json:
    """One of a few strings."""
    return _typed("string", description, {"enum": list(values)} | keywords)


def many(item: Json, description: str = "", **keywords: Any) -> Json:
    """A list."""
    return _typed("array", description, {"items": item} | keywords)


def takes(*required: str, **properties: Json) -> Json:
    """An object schema: the names of the required properties, then every property."""
    schema: Json = {"type": "object", "properties": properties}
    return schema | ({"required": list(required)} if required else {})


gives = takes


def plain(_: str, schema: Json) -> Json:
    """Written by hand: nothing is added."""
    return schema


def like_zod(_: str, schema: Json) -> Json:
    """As TypeScript servers send it: a `$schema` on every tool, closed objects."""
    return schema | {"additionalProperties": False, "$schema": "http://json-schema.org/draft-07/schema#"}


def like_pydantic(name: str, schema: Json) -> Json:
    """As Python servers send it: titles that repeat the keys, optional values as anyOf with null."""
    required = schema.get("required", [])
    properties = {
        key: _titled(key, value if key in required or "default" in value else _or_null(value))
        for key, value in schema["properties"].items()
    }
    return schema | {"properties": properties, "title": f"{name}Arguments"}


def _or_null(value: Json) -> Json:
    outer = {key: value[key] for key in ("description",) if key in value}
    inner = {key: item for key, item in value.items() if key not in outer}
    return {"anyOf": [inner, {"type": "null"}], "default": None} | outer


def _titled(key: str, value: Json) -> Json:
    return value | {"title": key.replace("_", " ").title()}


def like_openapi(_: str, schema: Json) -> Json:
    """As converters of REST descriptions send it: empty descriptions, enum values twice, formats."""
    properties = {key: _converted(value) for key, value in schema["properties"].items()}
    return schema | {"properties": properties, "description": ""}


def _converted(value: Json) -> Json:
    noisy: Json = {"description": ""} | value
    if "enum" in value:
        noisy["enum"] = [*value["enum"], *value["enum"][:2]]
    if value["type"] == "integer":
        noisy["format"] = "int32"
    return noisy | ({} if "default" in value else {"examples": []})
