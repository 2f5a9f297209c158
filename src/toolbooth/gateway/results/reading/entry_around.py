"""Lines × the number of one → the lines of the entry it belongs to: a section, or a message of a log with its trace."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

# A heading, or what a message of a log begins with: a date, a time, a level.
_BEGINS: Final = re.compile(
    r"#{1,6} |\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\[?(?:DEBUG|INFO|WARN|ERROR)\b"
)
_BESIDE: Final = 2  # lines before and after, whatever they are
_FOLLOWING: Final = 8  # lines after, where nothing says what belongs together: it mostly follows


def entry_around(lines: Sequence[str], index: int, room: int) -> range:
    """All of it within so many characters, half of them before the line; else what is likely to belong to it."""
    above = _within(lines, range(index, -1, -1), room // 2)
    first = next((each for each in above if _BEGINS.match(lines[each])), None)
    if first is None:
        return range(max(0, index - _BESIDE), min(len(lines), index + _FOLLOWING + 1))
    spent = sum(len(lines[each]) for each in range(first, index + 1))
    below = _within(lines, range(index + 1, len(lines)), room - spent)
    belonging = list(takewhile(lambda each: not _BEGINS.match(lines[each]), below))
    last = max(index + _BESIDE, belonging[-1] if belonging else index)
    return range(max(0, min(first, index - _BESIDE)), min(len(lines), last + 1))


def _within(lines: Sequence[str], wanted: range, room: int) -> list[int]:
    """The first of these lines, as many as fit, and always the very first."""
    fitting: list[int] = []
    for each in wanted:
        room -= len(lines[each])
        if room < 0 and fitting:
            break
        fitting.append(each)
    return fitting
