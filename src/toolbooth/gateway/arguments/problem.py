"""What is wrong with a call, place by place, in words that a model can act on.

The words quote what the caller sent and what the backend wrote, cleaned: they are for the caller alone,
never for a log or the ledger.
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from toolbooth.safetext import for_terminal

MAX_PLACE = 120  # characters of a place; a longer one is cut in the middle of nowhere anyway
MAX_VALUE, MAX_CHOICES, MAX_CHOICE_TEXT = 40, 12, 200

# The words of the signatures that a model reads, so that both say the same.
TYPE_WORDS = {
    "string": "str",
    "integer": "int",
    "number": "num",
    "boolean": "bool",
    "null": "null",
    "array": "list",
    "object": "object",
}
_KINDS = ((bool, "bool"), (int, "int"), (float, "num"), (str, "str"), (list, "list"), (dict, "object"))
_WORD = re.compile(r"[^\W\d][\w.:/+@-]*")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. `path` is like `labels[2].name`, empty for the whole."""

    path: str
    message: str


class Finding(NamedTuple):
    """A problem on its way, with what a union needs to know to choose or to join: the values it wants."""

    path: str
    message: str
    types: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def member(path: str, name: str) -> str:
    """The place of a member of an object."""
    if name.isidentifier():
        clean = for_terminal(name, MAX_PLACE)
        return for_terminal(f"{path}.{clean}" if path else clean, MAX_PLACE)
    return for_terminal(f"{path}[{json.dumps(name[:MAX_PLACE], ensure_ascii=False)}]", MAX_PLACE)


def item(path: str, index: int) -> str:
    """The place of an item of a list."""
    return f"{path}[{index}]"


def called(path: str) -> str:
    """How a place is named in a sentence."""
    if not path:
        return "the arguments"
    if '"' not in path:
        return f'"{path}"'
    return path[1:-1] if path.startswith("[") and path.count("[") == 1 else path


def kind_of(value: Any) -> str:
    """The type of a value in a word."""
    return next((word for kind, word in _KINDS if isinstance(value, kind)), "null")


def shown(value: Any) -> str:
    """A value as it is named in a sentence: short, clean, one line."""
    if isinstance(value, str):
        text = value[: MAX_VALUE * 8]
        plain = _WORD.fullmatch(text) and text not in ("true", "false", "null")
        return for_terminal(text if plain else json.dumps(text, ensure_ascii=False), MAX_VALUE)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        short = not isinstance(value, int) or abs(value) < 10**30
        return str(value) if short and math.isfinite(value) else "…"
    empty, full = ("{}", "{…}") if isinstance(value, dict) else ("[]", "[…]")
    return full if value else empty


def sent(value: Any) -> str:
    """The type of a value, and the value itself where that helps: `str "5"`."""
    kind = kind_of(value)
    if isinstance(value, str):
        return f"{kind} {for_terminal(json.dumps(value[:MAX_VALUE], ensure_ascii=False), MAX_VALUE)}"
    return f"{kind} {shown(value)}" if kind in ("int", "num", "bool") else kind


def wrong_type(path: str, types: Iterable[str], value: Any) -> Finding:
    """`"limit" must be int, not str "5"`."""
    wanted = tuple(dict.fromkeys(types))
    words = "|".join(TYPE_WORDS[each] for each in wanted)
    as_text = (
        isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and {"object", "array"} & set(wanted)
    )
    hint = "; send JSON, not text" if as_text else ""
    return Finding(path, f"{called(path)} must be {words}, not {sent(value)}{hint}", types=wanted)


def wrong_choice(path: str, choices: Iterable[str]) -> Finding:
    """`"state" must be one of open|closed`."""
    wanted = tuple(dict.fromkeys(choices))
    if len(wanted) == 1:
        return Finding(path, f"{called(path)} must be {wanted[0]}", choices=wanted)
    more = f"|…+{len(wanted) - MAX_CHOICES}" if len(wanted) > MAX_CHOICES else ""
    listed = for_terminal("|".join(wanted[:MAX_CHOICES]), MAX_CHOICE_TEXT)
    return Finding(path, f"{called(path)} must be one of {listed}{more}", choices=wanted)
