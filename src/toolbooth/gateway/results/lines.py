"""The lines of a text by number, and groups of lines.

A very long line counts as several, so that every part of any text has a number.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from toolbooth import limits

_CONTINUING: Final = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that do not begin a character


class Lines:
    """Numbered from 1; each keeps its own line end, so that joined they are the text again.

    Only every few thousandth character is indexed: 16 MiB take 20 ms, and not seconds, whatever the lines are
    like.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts, self._before = array("Q"), array("Q")  # of each window: its offset, the lines before it
        lines = offset = 0
        while offset < len(text):
            self._starts.append(offset)
            self._before.append(lines)
            newline = text.rfind("\n", offset, offset + limits.RESULT_LINE + 1)
            if newline >= 0:
                lines += text.count("\n", offset, newline + 1)
                offset = newline + 1
            else:  # one piece of a long line, or the last line
                lines += 1
                offset += limits.RESULT_LINE
        self._lines = lines

    def __len__(self) -> int:
        return self._lines

    def part(self, start: int, lines: int) -> str:
        """This many lines from `start`; beyond the last it is empty."""
        return self.text[self.end(start - 1) : self.end(start - 1 + lines)]

    def end(self, number: int) -> int:
        """The offset after a line; 0 before the first."""
        if number <= 0:
            return 0
        if number >= self._lines:
            return len(self.text)
        window = bisect_left(self._before, number) - 1
        end = self._starts[window] - 1
        for _ in range(number - self._before[window]):
            end = self.text.find("\n", end + 1)
        following = self._starts[window + 1] if window + 1 < len(self._starts) else len(self.text)
        return end + 1 if 0 <= end < following else following

    def at(self, offset: int) -> int:
        """The number of the line that contains the character at an offset."""
        return min(self._ended_by(offset) + 1, self._lines)

    def breaks_after(self, number: int) -> bool:
        """Whether the text continues in the same line after this one."""
        end = self.end(number)
        return 0 < end < len(self.text) and self.text[end - 1] != "\n"

    def fitting_head(self, budget: int, start: int = 1, most: int | None = None) -> int:
        """How many whole lines from `start`, at most `most`, fit into so many bytes."""
        first = self.end(start - 1)
        whole = self._ended_by(first + fitting(self.text[first : first + budget], budget)) - (start - 1)
        return whole if most is None else min(whole, most)

    def _ended_by(self, offset: int) -> int:
        """How many lines end at or before an offset."""
        if offset >= len(self.text):
            return self._lines
        window = bisect_right(self._starts, offset) - 1
        return self._before[window] + self.text.count("\n", self._starts[window], offset)


def fitting(text: str, budget: int, from_the_end: bool = False) -> int:
    """How many characters, from either end, fit into so many bytes of UTF-8."""
    if text.isascii():
        return min(len(text), budget)
    data = text.encode("utf-8", "surrogatepass")
    kept = data[max(0, len(data) - budget) :] if from_the_end else data[:budget]
    begun = len(kept.translate(None, _CONTINUING))
    broken = not from_the_end and budget < len(data) and data[budget] in _CONTINUING
    return begun - 1 if broken else begun


def size(text: str) -> int:
    """Bytes of UTF-8; half a surrogate pair counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


_LINE: Final = rf"[^\n]{{1,{limits.RESULT_LINE}}}\n?|\n"
_MOST: Final = 300_000  # groups; a text of more lines has larger ones


class LineGroup(NamedTuple):
    """A run of neighbouring lines."""

    start: int
    lines: int
    text: str


class LineGroups:
    """All groups but the last have the same number of lines."""

    def __init__(self, text: str, lines: int = 1) -> None:
        self.lines = lines + text.count("\n") // _MOST
        # One by one: a single call for all would hold the interpreter, and the event loop, for half a second.
        self.texts = [found[0] for found in re.finditer(rf"(?:{_LINE}){{1,{self.lines}}}", text)]

    def __getitem__(self, index: int) -> LineGroup:
        text = self.texts[index]
        last = index == len(self.texts) - 1
        return LineGroup(index * self.lines + 1, len(re.findall(_LINE, text)) if last else self.lines, text)

    def __len__(self) -> int:
        return len(self.texts)
