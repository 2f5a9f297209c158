"""A query → its own words, and the values quoted in it (paths, URLs, names in quotes, numbers)."""

import re
from typing import NamedTuple

from toolbooth.limits import MAX_QUERY

_LITERAL = re.compile(
    r'"[^"]*"'
    r"|(?<!\w)'[^']{2,200}?'(?!\w)"
    r"|`[^`]*`"
    r"|“[^“”]*+”"
    r"|https?://\S+"
    # A run with a slash or a digit. It is tried where a run or a quotation ends, and not at each of its characters.
    r"|(?<![^\s\"'`”])\S{0,64}?(?:[/\\]\S|\d)\S*"
)
_EXTENSION = re.compile(r"\.([A-Za-z]{2,5})\b")


class Parts(NamedTuple):
    """What a query asks for, and the values it names."""

    plain: str
    literal: str


def take_apart(query: str) -> Parts:
    """Literals count less than words, but a file's extension tells what kind of tool is wanted."""
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[0])
        return " "

    plain = _LITERAL.sub(keep, query[:MAX_QUERY])
    literal = " ".join(literals)
    extensions = " ".join(_EXTENSION.findall(literal))
    return Parts(f"{plain} {extensions}".strip(), literal)
