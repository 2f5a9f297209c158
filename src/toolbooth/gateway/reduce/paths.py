"""A place inside JSON → the JMESPath expression that reads it, and the label that a reader understands."""

import re
from typing import Final

import orjson

from toolbooth.limits import MAX_PATH
from toolbooth.safetext import for_terminal

Path = tuple[str | int, ...]
ROOT: Final[Path] = ()
_SHOWN_KEY: Final = 40  # characters
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def expression(path: Path, start: int | None = None, stop: int | None = None) -> str:
    """`orders[3].lines`, and with bounds the part of that list from `start` to before `stop`."""
    written = "".join(_step(part, index) for index, part in enumerate(path))
    found = (written or "@") if start is None else f"{written}[{start}:{'' if stop is None else stop}]"
    if len(found) <= MAX_PATH:
        return found
    return expression(path if start is not None else path[:-1])  # what it stands in can still be asked for


def reachable(path: Path) -> bool:
    """Whether `read_result` takes an expression that leads to this very place."""
    return sum(len(_step(part, index)) for index, part in enumerate(path)) <= MAX_PATH


def _step(part: str | int, index: int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    key = part if _PLAIN.fullmatch(part) else orjson.dumps(part).decode()
    return f".{key}" if index else key


def label(path: Path, start: int | None = None, stop: int | None = None) -> str:
    """`results > items > [0-4]`."""
    parts = [f"[{part}]" if isinstance(part, int) else for_terminal(part, _SHOWN_KEY) for part in path]
    if start is not None:
        parts.append(f"[{start}-{stop - 1}]" if stop is not None and stop - start > 1 else f"[{start}]")
    return " > ".join(parts)
