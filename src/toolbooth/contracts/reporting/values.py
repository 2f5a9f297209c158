"""The values of an entry → lines in which the difference itself is in view."""

import json
from itertools import takewhile
from typing import Any

from toolbooth.contracts.reporting.entry import Entry
from toolbooth.safetext import for_build_log


def detail_lines(entry: Entry, width: int, *, tokens: bool = True) -> list[str]:
    """Clean lines below the message: what was and what is, or what was found, and what mending it saves."""
    lines = []
    path = for_build_log(entry.path, width)
    if path and (entry.before, entry.after) != (None, None):
        before, after = _where_they_differ(_as_text(entry.before), _as_text(entry.after), width)
        lines.append(f"{path}: {_short(before, width)} → {_short(after, width)}")
    if entry.evidence:
        lines.append(f"{path}: {for_build_log(entry.evidence, 2 * width)}".removeprefix(": "))
    if entry.tokens and tokens:
        effect = f"saves {entry.tokens:,}" if entry.tokens > 0 else f"costs {-entry.tokens:,}"
        lines.append(f"mending it {effect} tokens")
    return lines


def _as_text(value: Any) -> str:
    """A value of a definition, foreign and of any size."""
    if value is None:
        return "(nothing)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _where_they_differ(before: str, after: str, width: int) -> tuple[str, str]:
    """Long texts from a little before their first difference: what was added at the end of one is to be seen."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = same - width // 3
    return (before, after) if start <= 0 else (f"…{before[start:]}", f"…{after[start:]}")


def _short(text: str, width: int) -> str:
    return for_build_log(text, width) or '""'
