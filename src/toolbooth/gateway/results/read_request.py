"""A read request: the part of a kept result that a reader asks for, bounded, and the call that continues.

Lines are read here. A path or a query needs JMESPath and the search, so `by_query.py` is imported only then.
"""

from dataclasses import dataclass

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.lines import Lines, size
from toolbooth.gateway.results.placeholders import placeholder
from toolbooth.gateway.results.store import ResultStore
from toolbooth.limits import QUICK_READ, READ_BYTES


@dataclass(frozen=True)
class ReadRequest:
    """`query` searches within what `path` leads to, and both within the lines from `start`."""

    ref: str
    path: str = ""
    query: str = ""
    start: int = 1
    lines: int | None = None
    max_bytes: int = READ_BYTES


def page(whole: Lines, request: ReadRequest) -> str:
    """At least one line is shown whatever its size, or a reader would never get further."""
    start = request.start
    if start > max(1, len(whole)):
        what = "what `path` leads to" if request.path else "this result"
        plural = "s" if len(whole) != 1 else ""
        raise WrongArguments(f"{what} has {len(whole)} line{plural}; `start` must be at most that")
    wanted = len(whole) if request.lines is None else min(start - 1 + request.lines, len(whole))
    last = start - 1 + whole.fitting_head(request.max_bytes, start, wanted - start + 1)
    if last < wanted:
        budget = request.max_bytes - size(_rest(whole, start, wanted, request)) - 1
        last = start - 1 + max(1, whole.fitting_head(max(0, budget), start, wanted - start + 1))
    text = whole.part(start, last - start + 1)
    if last >= wanted:
        return text
    joint = "\n" if whole.breaks_after(last) else ""
    return f"{text}{joint}{_rest(whole, last, wanted, request)}"


def _rest(whole: Lines, last: int, wanted: int, request: ReadRequest) -> str:
    """The placeholder for what was asked for and comes after a line, with the size that the reader chose."""
    inside = whole.breaks_after(last)
    return placeholder(request.ref, last + 1, wanted - last, inside, request.path, request.max_bytes)


def read(store: ResultStore, session: str, request: ReadRequest) -> str:
    """Raises WrongArguments. What is not quick is better read in a thread."""
    whole = store.get(request.ref, session)
    if not request.path and not request.query:
        return page(whole, request)
    from toolbooth.gateway.results.by_query import read_part  # imports jmespath and the search

    return read_part(whole, request)


def is_quick(store: ResultStore, request: ReadRequest) -> bool:
    """Whether reading takes a millisecond at most: lines of a text that is not large, and in memory."""
    size = store.at_hand(request.ref)
    return size is not None and size <= QUICK_READ and not request.path and not request.query
