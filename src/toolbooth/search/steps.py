"""The steps of a request that is a task of several.

They are its sentences, and the parts joined by "then", "also" and the like.
"""

import re
from typing import Final

from toolbooth.search.analysis import split, stop_words

# Never split
_HELD: Final = re.compile(
    r'"[^"]*"|“[^“”]*+”|(?<!\w)\'[^\']{2,80}?\'(?!\w)|`[^`]*`|(?<![^\s"“”`\'])[^\s"“`]{1,64}\.\w+'
)
_BETWEEN: Final = re.compile(
    r"(?<=[.!?;])\s+|\n+"
    r"|(?:,|(?<![^\S\n]))[^\S\n]++(?:and\s++)?"
    r"(?:then|finally|afterwards|additionally|also|next(?=,)|lastly|after\s++that)\b,?\s*",
    re.I,
)
_MARK: Final = re.compile("\x00(\\d+)\x00")
_LEAST: Final = 3  # distinctive words of a step: with fewer it belongs to its neighbour
_MOST: Final = 8  # steps: each is a search of its own, and a pasted document is not a task


def steps_of(text: str) -> list[str]:
    """The steps in order; empty where the request is one step."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"\x00{len(held) - 1}\x00"

    marked = _HELD.sub(hold, text.replace("\x00", " "))
    parts = [_MARK.sub(lambda match: held[int(match[1])], part) for part in _BETWEEN.split(marked)]
    found = _joined([part.strip() for part in parts if part.strip()])
    return found if 1 < len(found) <= _MOST else []


def _joined(parts: list[str]) -> list[str]:
    """Join parts that say too little for a step to the one before them, or after."""
    found: list[str] = []
    for part in parts:
        if found and (_distinctive(part) < _LEAST or _distinctive(found[-1]) < _LEAST):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _distinctive(text: str) -> int:
    return sum(word.whole not in stop_words() for word in split(text))
