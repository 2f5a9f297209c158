"""JSON with blanks for people → the same JSON without them, every number and key as it was written."""

import re
from typing import Final

# A string as a whole, or blanks outside of one. Nothing is decoded: digits and repeated keys stay as they are.
_STRINGS_AND_BLANKS: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|\s+')


def compact(text: str) -> str:
    """To be called with JSON only."""
    return _STRINGS_AND_BLANKS.sub(r"\1", text)
