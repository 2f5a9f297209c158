"""The text that a model reads of a `tools/call` result: the one reader of its content blocks.

A block has text of its own, or it is a resource with text in it. A picture, sound or link has none; where a reader
has to know of it, one line describes it. Whoever weighs, reduces or shows results reads blocks here. Two readers
differ on purpose: the ledger reads the same texts from the raw bytes of a result, because 10 MB would take 290 ms as
objects (`gateway/ledger/measure.py`), and what structured data adds to the text is decided by the caller.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbooth import limits, safetext

_SHOWN: Final = 120  # characters of a server's text in a description
_MEDIA: Final = ("image", "audio")


def block_text(block: object) -> str | None:
    """The text of a block: its own, or that of the resource in it; None if it has none."""
    if not isinstance(block, Mapping):
        return None
    text = block.get("text")
    if not isinstance(text, str):
        text = _resource(block).get("text")
    return text if isinstance(text, str) else None


def block_line(block: Mapping[str, Any]) -> str:
    """The text of a block, or one line that describes it."""
    text = block_text(block)
    return _described(block) if text is None else text


def blocks_in(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The content blocks of a result; anything else in its place is ignored."""
    content = result.get("content")
    return (each for each in content if isinstance(each, Mapping)) if isinstance(content, list) else iter(())


def texts_in(result: Mapping[str, Any]) -> list[str]:
    """The texts of a result, in order, without descriptions of other blocks."""
    return [text for block in blocks_in(result) if (text := block_text(block)) is not None]


def _described(block: Mapping[str, Any]) -> str:
    kind, inside = block.get("type"), _resource(block)
    if kind in _MEDIA:
        return f"[{kind} {_word(block.get('mimeType'))}, {_size(block.get('data'))}]"
    if kind == "resource":
        return f"[resource {_word(inside.get('uri'))}, {_size(inside.get('blob'))}]"
    if kind == "resource_link":
        return f"[link {_word(block.get('uri'))}]"
    return f"[{_word(kind)}]"


def _resource(block: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = block.get("resource")
    return inside if isinstance(inside, Mapping) else {}


def _word(value: object) -> str:
    return safetext.for_terminal(value, _SHOWN) if isinstance(value, str) and value else "of an unknown kind"


def _size(encoded: object) -> str:
    """The size of base64 data, in bytes before encoding."""
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    return f"{size} bytes" if size < limits.KIB else f"{size // limits.KIB} KB"
