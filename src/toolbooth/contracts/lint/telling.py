"""Texts and names → the words that tell something, and the sentences they stand in."""

import re
from typing import Final

from toolbooth.contracts.word_set import word_set

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD: Final = re.compile(r"[^\W_]+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FILLERS: Final = word_set(
    "a an the of in to for by with from on and or is are be this that it its as at tool function method api mcp use "
    "used using via will can you your given specified provided"
)


def words_of(text: str) -> list[str]:
    """In lower case; `getUserName` and `get_user_name` have three."""
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))]


def telling(text: str) -> frozenset[str]:
    """Words that say something, each without its plural."""
    return frozenset(word.rstrip("s") or word for word in words_of(text) if word not in _FILLERS)


def sentences(text: str) -> list[str]:
    """Sentences and lines, without blanks around them."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
