"""A long line × a query → the part of the line that answers best, marked where it was cut."""

from typing import Final

from toolbooth.gateway.results.relevance import scores

LONG: Final = 600  # characters; shorter lines are shown whole
_PIECE: Final = 240


def excerpt(line: str, query: str) -> str:
    """The line itself where it is short; its line end stays."""
    if len(line) <= LONG:
        return line
    body = line.rstrip("\n")
    pieces = [body[at : at + _PIECE] for at in range(0, len(body), _PIECE)]
    relevance = scores(query, pieces)
    best = relevance.index(max(relevance)) * _PIECE
    start, end = max(0, best - _PIECE // 4), best + _PIECE + _PIECE // 4
    cut = f"{'…' if start else ''}{body[start:end]}{'…' if end < len(body) else ''}"
    return cut + line[len(body) :]
