"""Names as files write them → names that fit into `server.tool`."""

import re
import unicodedata
from typing import Final

_RUN: Final = re.compile(r"-{2,}")
_KEPT: Final = frozenset("_-@")


def clean_name(raw: str) -> str:
    """Dots become `_`; blanks, slashes, controls and other signs become one `-`; empty if nothing is left."""
    composed = unicodedata.normalize("NFC", raw.strip())
    return _RUN.sub("-", "".join(_fitting(character) for character in composed)).strip("-")


def _fitting(character: str) -> str:
    if character == ".":
        return "_"
    # Letters, marks and numbers of any script; everything invisible or with a meaning elsewhere falls out.
    return character if character in _KEPT or unicodedata.category(character)[0] in "LMN" else "-"


def free_name(name: str, taken: frozenset[str] | set[str]) -> str:
    """`name`, or `name-2`, `name-3`, … : the first that is not taken."""
    number = 2
    candidate = name
    while candidate in taken:
        candidate = f"{name}-{number}"
        number += 1
    return candidate
