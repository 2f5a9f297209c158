"""Placeholders that tell a reader where the rest is: the JMESPath expression of a part, and the call that reads it."""

import json
import re
from typing import Final

import orjson

from toolbooth.limits import MAX_ANSWER_TEXT, MAX_PATH, READ_BYTES
from toolbooth.safetext import for_terminal

JsonPath = tuple[str | int, ...]
ROOT: Final[JsonPath] = ()
_SHOWN_KEY: Final = 40  # characters
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def expression(path: JsonPath, start: int | None = None, stop: int | None = None) -> str:
    """`orders[3].lines`, and with bounds the part of that list from `start` to before `stop`."""
    written = "".join(_step(part, index) for index, part in enumerate(path))
    found = (written or "@") if start is None else f"{written}[{start}:{'' if stop is None else stop}]"
    if len(found) <= MAX_PATH:
        return found
    return expression(path if start is not None else path[:-1])  # what contains it can still be asked for


def reachable(path: JsonPath) -> bool:
    """Whether `read_result` accepts an expression that leads to this very place."""
    return sum(len(_step(part, index)) for index, part in enumerate(path)) <= MAX_PATH


def _step(part: str | int, index: int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    key = part if _PLAIN.fullmatch(part) else orjson.dumps(part).decode()
    return f".{key}" if index else key


def label(path: JsonPath, start: int | None = None, stop: int | None = None) -> str:
    """`results > items > [0-4]`."""
    parts = [f"[{part}]" if isinstance(part, int) else for_terminal(part, _SHOWN_KEY) for part in path]
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
    ref: str, start: int, lines: int, inside_a_line: bool, path: str = "", max_bytes: int = READ_BYTES
) -> str:
    """`[760 lines not shown: read_result(ref='…', start=121, lines=760)]`."""
    where = " (cut inside a line)" if inside_a_line else ""
    wider = max_bytes if max_bytes > READ_BYTES else 0
    call = call_text(ref, path=path, start=start, lines=lines, max_bytes=wider)
    return f"[{lines} line{'s' if lines != 1 else ''} not shown{where}: {call}]"


def more_places(ref: str, places: int, query: str, path: str, start: int, cap: int) -> str:
    """`[3 more places match: read_result(ref='…', query='timeout', max_bytes=65536)]`."""
    said = f"{places} more place{'s' if places != 1 else ''} match{'es' if places == 1 else ''}"
    if cap >= MAX_ANSWER_TEXT:
        return f"[{said}: ask for something narrower]"
    wider = min(MAX_ANSWER_TEXT, max(1, cap) * _MORE)
    begun = start if start > 1 else 0
    return f"[{said}: {call_text(ref, path=path, query=query, start=begun, max_bytes=wider)}]"
