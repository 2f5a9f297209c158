"""A text → escape sequences and control characters in it, which act on the terminal of whoever looks."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.counted import counted
from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.rule import Hit, text_rule
from toolbooth.limits import SCAN_EVIDENCE

_ESCAPE: Final = re.compile(r"[\x1b\x9b\x9d]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c\x9e\x9f]")
_ERASES: Final = frozenset("\x08\x7f")


@text_rule(
    "terminal-escape",
    Level.HIGH,
    "Terminal escapes hide, rewrite or colour over what a person is shown; models read what is left.",
)
def terminal_escape(passage: Passage) -> Iterator[Hit]:
    found = _ESCAPE.search(passage.text)
    if found:
        yield Hit(Level.HIGH, "an escape sequence for terminals", _from(passage.text, found.start()))


@text_rule(
    "control-character",
    Level.MEDIUM,
    "Control characters have no place in a definition; a backspace takes back what was shown.",
)
def control_character(passage: Passage) -> Iterator[Hit]:
    found = list(_CONTROL.finditer(passage.text))
    if found:
        erases = any(each[0] in _ERASES for each in found)
        yield Hit(
            Level.MEDIUM if erases else Level.LOW,
            counted(len(found), "control character"),
            _from(passage.text, found[0].start()),
        )


def _from(text: str, at: int) -> str:
    return text[max(0, at - 40) : at + SCAN_EVIDENCE]
