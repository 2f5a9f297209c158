"""Reading a kept result: the placeholders that tell a reader where the rest is, and the request that asks for it.

A placeholder names the call that reads what is missing: a JMESPath expression, or lines. Lines are read here. A path
or a query needs JMESPath and the search, so `by_query.py` is imported only then.
"""

import json
import re
from dataclasses import dataclass
from typing import Final

import orjson

from toolbooth import errors, figures, limits, safetext
from toolbooth.gateway.results.lines import Lines, size
from toolbooth.gateway.results.store import ResultStore

JsonPath = tuple[str | int, ...]
ROOT: Final[JsonPath] = ()
_SHOWN_KEY: Final = 40  # characters
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def expression(path: JsonPath, start: int | None = None, stop: int | None = None) -> str:
    """`orders[3].lines`, and with bounds the part of that list from `start` to before `stop`."""
    written = "".join(_step(part, index) for index, part in enumerate(path))
    found = (written or "@") if start is None else f"{written}[{start}:{'' if stop is None else stop}]"
    if len(found) <= limits.MAX_PATH:
        return found
    return expression(path if start is not None else path[:-1])  # what contains it can still be asked for


def reachable(path: JsonPath) -> bool:
    """Whether `read_result` accepts an expression that leads to this very place."""
    return sum(len(_step(part, index)) for index, part in enumerate(path)) <= limits.MAX_PATH


def _step(part: str | int, index: int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    key = part if _PLAIN.fullmatch(part) else orjson.dumps(part).decode()
    return f".{key}" if index else key


def label(path: JsonPath, start: int | None = None, stop: int | None = None) -> str:
    """`results > items > [0-4]`."""
    parts = [
        f"[{part}]" if isinstance(part, int) else safetext.for_terminal(part, _SHOWN_KEY) for part in path
    ]
    if start is not None:
        parts.append(f"[{start}-{stop - 1}]" if stop is not None and stop - start > 1 else f"[{start}]")
    return " > ".join(parts)


def call_text(
    ref: str, *, path: str = "", query: str = "", start: int = 0, lines: int = 0, max_bytes: int = 0
) -> str:
    """`read_result(ref='…', path='orders[3:]')`; only given arguments are written."""
    texts = {"ref": ref, "path": path, "query": query}
    numbers = {"start": start, "lines": lines, "max_bytes": max_bytes}
    written = [f"{name}={_quoted(text)}" for name, text in texts.items() if text]
    written += [f"{name}={number}" for name, number in numbers.items() if number]
    return f"read_result({', '.join(written)})"


def _quoted(text: str) -> str:
    """In single quotes, which JSON need not escape; in double ones if Python and JSON would read it differently."""
    plain = text.isprintable() and "'" not in text and "\\" not in text
    return f"'{text}'" if plain else json.dumps(text)


_MORE = 4  # times the size, to see more of what was searched for


def placeholder(
    ref: str, start: int, lines: int, inside_a_line: bool, path: str = "", max_bytes: int = limits.READ_BYTES
) -> str:
    """`[760 lines not shown: read_result(ref='…', start=121, lines=760)]`."""
    where = " (cut inside a line)" if inside_a_line else ""
    wider = max_bytes if max_bytes > limits.READ_BYTES else 0
    call = call_text(ref, path=path, start=start, lines=lines, max_bytes=wider)
    return f"[{lines} line{'s' if lines != 1 else ''} not shown{where}: {call}]"


def more_places(ref: str, places: int, query: str, path: str, start: int, cap: int) -> str:
    """`[3 more places match: read_result(ref='…', query='timeout', max_bytes=65536)]`."""
    said = f"{figures.counted(places, 'more place')} {'matches' if places == 1 else 'match'}"
    if cap >= limits.MAX_ANSWER_TEXT:
        return f"[{said}: ask for something narrower]"
    wider = min(limits.MAX_ANSWER_TEXT, max(1, cap) * _MORE)
    begun = start if start > 1 else 0
    return f"[{said}: {call_text(ref, path=path, query=query, start=begun, max_bytes=wider)}]"


@dataclass(frozen=True)
class ReadRequest:
    """`query` searches within what `path` leads to, and both within the lines from `start`."""

    ref: str
    path: str = ""
    query: str = ""
    start: int = 1
    lines: int | None = None
    max_bytes: int = limits.READ_BYTES


def page(whole: Lines, request: ReadRequest) -> str:
    """At least one line is shown whatever its size, or a reader would never get further."""
    start = request.start
    if start > max(1, len(whole)):
        what = "what `path` leads to" if request.path else "this result"
        lines = figures.counted(len(whole), "line")
        raise errors.WrongArguments(f"{what} has {lines}; `start` must be {max(1, len(whole)):,} or less")
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
    from toolbooth.gateway.results import by_query  # imports jmespath and the search

    return by_query.read_part(whole, request)


def is_quick(store: ResultStore, request: ReadRequest) -> bool:
    """Whether reading takes a millisecond at most: lines of a text that is not large, and in memory."""
    size = store.at_hand(request.ref)
    return size is not None and size <= limits.QUICK_READ and not request.path and not request.query
