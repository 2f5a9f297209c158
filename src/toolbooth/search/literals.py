"""The literals of a query (paths, URLs, quoted names, numbers), separated from its own words."""

import re
from typing import NamedTuple

from toolbooth import limits

_LITERAL = re.compile(
    r'"[^"]*"'
    r"|(?<!\w)'[^']{2,200}?'(?!\w)"
    r"|`[^`]*`"
    r"|“[^“”]*+”"
    r"|https?://\S+"
    # A run with a slash or a digit. It is tried only where a run or a quotation ends, not at each of its characters.
    r"|(?<![^\s\"'`”])\S{0,64}?(?:[/\\]\S|\d)\S*"
)
_EXTENSION = re.compile(r"\.([A-Za-z]{2,5})\b")


class Parts(NamedTuple):
    """The words of a query, and the literal values in it."""

    plain: str
    literal: str


def take_apart(query: str) -> Parts:
    """Literals count less than words, but a file's extension shows which kind of tool is wanted."""
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[0])
        return " "

    plain = _LITERAL.sub(keep, query[: limits.MAX_QUERY])
    literal = " ".join(literals)
    extensions = " ".join(_EXTENSION.findall(literal))
    return Parts(f"{plain} {extensions}".strip(), literal)
