"""What is not shown → the line in its place, with the very call that brings it back."""

from toolbooth.gateway.results.reading.call_text import call_text
from toolbooth.limits import MAX_ANSWER_TEXT, READ_BYTES

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
