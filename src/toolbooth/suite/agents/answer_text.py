"""The result of a `tools/call` → what a model reads of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from toolbooth.errors import BackendProtocolError
from toolbooth.limits import KIB
from toolbooth.safetext import for_terminal

_SHOWN: Final = 120  # characters of a server's own words in a line of ours
_ASKS: Final = "The tool asks its user something, which nobody can answer here."
Block = Mapping[str, Any]


def answer_text(result: Mapping[str, Any]) -> str:
    """Texts as they are, all else a line each; data only where no text says it. Raises BackendProtocolError."""
    if result.get("resultType") == "input_required":
        return _ASKS
    content = result.get("content", [])
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise BackendProtocolError("sent a result whose content is no list of items")
    lines = list(_lines(content))
    data = result.get("structuredContent")
    if data is not None and not any(_has_text(each) for each in content):
        lines.insert(0, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return "\n".join(lines)


def is_error(result: Mapping[str, Any]) -> bool:
    """Whether the tool says that it failed, or did not come to an end."""
    return result.get("isError") is True or result.get("resultType") == "input_required"


def _lines(content: list[Block]) -> Iterator[str]:
    for block in content:
        yield _WORDS.get(str(block.get("type")), _other)(block)


def _has_text(block: Block) -> bool:
    return isinstance(block.get("text"), str) or isinstance(_resource(block).get("text"), str)


def _text(block: Block) -> str:
    text = block.get("text")
    return text if isinstance(text, str) else _other(block)


def _media(block: Block) -> str:
    return f"[{block['type']} {_word(block.get('mimeType'))}, {_size(block.get('data'))}]"


def _embedded(block: Block) -> str:
    inside = _resource(block)
    if isinstance(inside.get("text"), str):
        return str(inside["text"])
    return f"[resource {_word(inside.get('uri'))}, {_size(inside.get('blob'))}]"


def _link(block: Block) -> str:
    return f"[link {_word(block.get('uri'))}]"


def _other(block: Block) -> str:
    return f"[{_word(block.get('type'))}]"


def _resource(block: Block) -> Block:
    inside = block.get("resource")
    return inside if isinstance(inside, dict) else {}


def _word(value: object) -> str:
    return for_terminal(value, _SHOWN) if isinstance(value, str) and value else "of an unknown kind"


def _size(encoded: object) -> str:
    """Of base64, in bytes before it was encoded."""
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    return f"{size} bytes" if size < KIB else f"{size // KIB} KB"


_WORDS: Final[Mapping[str, Callable[[Block], str]]] = {
    "text": _text,
    "image": _media,
    "audio": _media,
    "resource": _embedded,
    "resource_link": _link,
}
