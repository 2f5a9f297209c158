"""The result of a call → the blocks of text that a model reads of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog import canonical
from toolbooth.economics.runtime import Block

_MUCH_MORE: Final = 2  # times: JSON with blanks for people is up to twice as long as without


def answer_blocks(result: Mapping[str, Any]) -> list[Block]:
    """Text items and the texts of embedded resources. Pictures and sound are priced by their model, not as text."""
    content = result.get("content")
    items = content if isinstance(content, list) else []
    structure = result.get("structuredContent")
    said = "" if structure is None else canonical(structure)
    return with_structure([text for item in items if (text := _text_of(item))], said)


def with_structure(texts: Sequence[str], structure: str) -> list[Block]:
    """A structure that says much more than the text is read as well; most only repeat it."""
    more = structure not in ("", "null") and len(structure) > _MUCH_MORE * sum(map(len, texts))
    return [text_block(text) for text in ([*texts, structure] if more else texts)]


def text_block(text: str) -> Block:
    """A text as a result holds it."""
    return {"type": "text", "text": text}


def _text_of(item: Any) -> str:
    resource = item.get("resource") if isinstance(item, Mapping) else None
    for holder in (item, resource):
        if isinstance(holder, Mapping) and isinstance(holder.get("text"), str):
            return str(holder["text"])
    return ""
