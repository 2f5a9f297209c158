"""A tool and what its answers may have → the line of toolbooth.yaml that says so."""

import json
import re
from glob import escape
from typing import Final

from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Thresholds

_PLAIN: Final = re.compile(r"[A-Za-z][\w-]*\.[\w.-]+", re.ASCII)  # without a dot, `no` would be false


def flood_cap(thresholds: Thresholds = DEFAULT_THRESHOLDS) -> int:
    """Bytes: at 3.5 a token, the most that is no flood."""
    return thresholds.medium * 7 // 2


def tool_pattern(tool_id: str) -> str:
    """The pattern that means this tool alone."""
    return escape(tool_id)


def cap_line(pattern: str, max_bytes: int | None = None, limit: int | None = None) -> str:
    """One entry below `tools:`; a name that YAML would read otherwise is quoted, what is invisible in it escaped."""
    name = pattern if _PLAIN.fullmatch(pattern) else _quoted(pattern)
    caps = {"max_bytes": max_bytes, "limit": limit}
    return f"{name}: {{{', '.join(f'{key}: {value}' for key, value in caps.items() if value is not None)}}}"


def _quoted(text: str) -> str:
    """As JSON in ASCII; beyond U+FFFF that has two escapes for one character, which YAML would read as two."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08X}" if code > 0xFFFF else json.dumps(character)[1:-1]
