"""A tool's result → what code gets of it: structured content, else what its text holds as JSON, else the text."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog import NotJson, Tool, decode

_WRAPPED: Final = "x-fastmcp-wrap-result"  # servers of that kind put what is no object into one
_SCALARS: Final = {"true": True, "false": False, "null": None}


def as_data(tool: Tool, result: Mapping[str, Any]) -> Any:
    """Whole, as it came: nothing is cut for code."""
    structured = result.get("structuredContent")
    if structured is not None:
        wrapped = isinstance(structured, dict) and structured.keys() == {"result"} and _wraps(tool)
        return structured["result"] if wrapped else structured
    blocks = [each for each in result.get("content") or () if isinstance(each, Mapping)]
    values = [_value(_text(each)) for each in blocks]
    if len(values) == 1:
        return values[0]
    if values and all(isinstance(each, dict | list) for each in values):
        return values
    return "\n".join(_text(each) for each in blocks)


def text_of(result: Mapping[str, Any]) -> str:
    """What a tool says in words, its errors for one."""
    blocks = (each for each in result.get("content") or () if isinstance(each, Mapping))
    return "\n".join(map(_text, blocks))


def _wraps(tool: Tool) -> bool:
    return bool((tool.output_schema or {}).get(_WRAPPED))


def _text(block: Mapping[str, Any]) -> str:
    """Of what is no text, only what it is: code cannot look at a picture."""
    if isinstance(block.get("text"), str):
        return str(block["text"])
    resource = block.get("resource")
    inside = resource if isinstance(resource, Mapping) else {}
    if isinstance(inside.get("text"), str):
        return str(inside["text"])
    kind, mime = block.get("type", "content"), block.get("mimeType") or inside.get("mimeType") or ""
    place = block.get("uri") or inside.get("uri") or ""
    data = block.get("data") or inside.get("blob") or ""
    size = f"{len(data) * 3 // 4} bytes" if isinstance(data, str) and data else ""
    return f"[{' '.join(str(part) for part in (kind, mime, place, size) if part)}]"


def _value(text: str) -> Any:
    """A number is taken for one only where it reads the same again: 1.10 may be a version."""
    if text in _SCALARS:
        return _SCALARS[text]
    if text[:1] not in '{["-0123456789' and text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        value = decode(text.encode())
    except (NotJson, UnicodeEncodeError):
        return text
    if isinstance(value, int | float):
        return value if str(value) == text else text
    return value
