"""The result of a call → the blocks of text that a model reads of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog import canonical, texts_in
from toolbooth.economics.runtime import Block

_MUCH_MORE: Final = 2  # times: JSON with blanks for people is up to twice as long as without


def answer_blocks(result: Mapping[str, Any]) -> list[Block]:
    """Text items and the texts of embedded resources. Pictures and sound are priced by their model, not as text."""
    structure = result.get("structuredContent")
    said = "" if structure is None else canonical(structure)
    return with_structure(list(filter(None, texts_in(result))), said)


def with_structure(texts: Sequence[str], structure: str) -> list[Block]:
    """A structure that says much more than the text is read as well; most only repeat it."""
    more = structure not in ("", "null") and len(structure) > _MUCH_MORE * sum(map(len, texts))
    return [text_block(text) for text in ([*texts, structure] if more else texts)]


def text_block(text: str) -> Block:
    """A text as a result holds it."""
    return {"type": "text", "text": text}
