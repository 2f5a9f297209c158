"""The text of a `tools/call` result as a model reads it."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from toolbooth.errors import BackendProtocolError
from toolbooth.limits import KIB
from toolbooth.safetext import for_terminal

_SHOWN: Final = 120  # characters of a server's text in a line of ours
_ASKS: Final = "The tool asks the user a question, which nobody can answer here."
Block = Mapping[str, Any]


def result_text(result: Mapping[str, Any]) -> str:
    """Text as it is, one line for any other item, and structured data only if there is no text.

    Raises BackendProtocolError.
    """
    if result.get("resultType") == "input_required":
        return _ASKS
    content = result.get("content", [])
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise BackendProtocolError("sent a result whose content is not a list of items")
    lines = list(_lines(content))
    data = result.get("structuredContent")
    if data is not None and not any(_has_text(each) for each in content):
        lines.insert(0, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return "\n".join(lines)


def is_error(result: Mapping[str, Any]) -> bool:
    """Whether the tool reports a failure, or did not finish."""
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
    """The size of base64 data, in bytes before encoding."""
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    return f"{size} bytes" if size < KIB else f"{size // KIB} KB"


_WORDS: Final[Mapping[str, Callable[[Block], str]]] = {
    "text": _text,
    "image": _media,
    "audio": _media,
    "resource": _embedded,
    "resource_link": _link,
}
