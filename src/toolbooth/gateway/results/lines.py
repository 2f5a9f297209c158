"""A text → its lines by number; a very long line counts as several, so that every part of any text has a number."""

import re
from array import array
from typing import Final

from toolbooth.limits import RESULT_LINE

_LINE: Final = re.compile(rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n")


class Lines:
    """Numbered from 1; each keeps its own line end, so that joined they are the text again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends = array("Q", (line.end() for line in _LINE.finditer(text)))

    def __len__(self) -> int:
        return len(self._ends)

    def part(self, start: int, lines: int) -> str:
        """This many lines from `start`; what lies beyond the last is empty."""
        return self.text[self.end(start - 1) : self.end(start - 1 + lines)]

    def breaks_after(self, number: int) -> bool:
        """Whether the text goes on in the same line after this one."""
        end = self.end(number)
        return 0 < end < len(self.text) and self.text[end - 1] != "\n"

    def fitting_head(self, budget: int, start: int = 1, most: int | None = None) -> int:
        """How many whole lines from `start`, at most `most`, fit into so many bytes."""
        number, stop = start, len(self) if most is None else min(len(self), start + most - 1)
        while number <= stop and (budget := budget - size(self.part(number, 1))) >= 0:
            number += 1
        return number - start

    def fitting_tail(self, budget: int, after: int) -> int:
        """How many whole lines at the end fit into so many bytes, none of them at or before `after`."""
        number = len(self)
        while number > after and (budget := budget - size(self.part(number, 1))) >= 0:
            number -= 1
        return len(self) - number

    def end(self, number: int) -> int:
        """The offset behind a line; 0 before the first."""
        return self._ends[min(number, len(self)) - 1] if number > 0 and self._ends else 0


def size(text: str) -> int:
    """Bytes of UTF-8; half a surrogate pair counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
