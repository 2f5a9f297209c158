"""A text → groups of so many lines each, numbered as by `Lines`."""

import re
from typing import Final, NamedTuple

from toolbooth.limits import RESULT_LINE

_LINE: Final = rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n"
_MOST: Final = 300_000  # groups; a text of more lines has larger ones


class Group(NamedTuple):
    """Neighbouring lines."""

    start: int
    lines: int
    text: str


class Groups:
    """All groups but the last have the same number of lines."""

    def __init__(self, text: str, lines: int = 1) -> None:
        self.lines = lines + text.count("\n") // _MOST
        # One by one: a single call for all would hold the interpreter, and the event loop, for half a second.
        self.texts = [found[0] for found in re.finditer(rf"(?:{_LINE}){{1,{self.lines}}}", text)]

    def __getitem__(self, index: int) -> Group:
        text = self.texts[index]
        last = index == len(self.texts) - 1
        return Group(index * self.lines + 1, len(re.findall(_LINE, text)) if last else self.lines, text)

    def __len__(self) -> int:
        return len(self.texts)
