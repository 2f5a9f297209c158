"""Characters that nobody sees: terminal escapes, controls, tags, selectors, directions, joiners, private use."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from toolbooth import figures, limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule

_ESCAPE: Final = re.compile(r"[\x1b\x9b\x9d]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c\x9e\x9f]")
_ERASES: Final = frozenset("\x08\x7f")


@text_rule(
    "terminal-escape",
    Level.HIGH,
    "Terminal escapes hide or rewrite what a person sees, while a model reads the original.",
)
def terminal_escape(passage: Passage) -> Iterator[ScanHit]:
    found = _ESCAPE.search(passage.text)
    if found:
        yield ScanHit(Level.HIGH, "an escape sequence for terminals", _from(passage.text, found.start()))


@text_rule(
    "control-character",
    Level.MEDIUM,
    "No definition needs control characters; a backspace erases what was shown.",
)
def control_character(passage: Passage) -> Iterator[ScanHit]:
    found = list(_CONTROL.finditer(passage.text))
    if found:
        erases = any(each[0] in _ERASES for each in found)
        yield ScanHit(
            Level.MEDIUM if erases else Level.LOW,
            figures.counted(len(found), "control character"),
            _from(passage.text, found[0].start()),
        )


def _from(text: str, at: int) -> str:
    return text[max(0, at - 40) : at + limits.SCAN_EVIDENCE]


_TAGS: Final = re.compile("[\U000e0000-\U000e007f]++")
# 🏴 of Scotland
_FLAG_TAGS: Final = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
_FLAG: Final = "\U0001f3f4"
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]++")
_TAKES_SELECTOR: Final = frozenset("#*0123456789")  # keycaps: 1️⃣
_FIRST_SELECTORS, _MORE_SELECTORS = 0xFE00, 0xE0100
_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")
_OVERRIDES: Final = frozenset("\u202d\u202e")
_MARKS: Final = frozenset("\u061c\u200e\u200f")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]++"
)
_JOINERS: Final = frozenset("\u200c\u200d")
# Scripts that are written without spaces: a zero-width space marks where a line may break.
_NO_BLANKS: Final = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MONGOLIAN: Final = re.compile("[\u1800-\u18af]")
_PRIVATE: Final = re.compile("[\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\U000f0000-\U0010ffff]++")
_PAYLOAD: Final = 8  # in one run: enough bits for a character, and more than typing or copying leaves behind
_MANY: Final = 32


def _shown(text: str, start: int, end: int) -> str:
    return text[max(0, start - 30) : min(end, start + limits.SCAN_EVIDENCE) + 30]


@text_rule(
    "tag-characters",
    Level.HIGH,
    "Unicode tag characters are never drawn, but models read them as ordinary letters.",
)
def tag_characters(passage: Passage) -> Iterator[ScanHit]:
    if passage.text.isascii():
        return
    for run in _TAGS.finditer(passage.text):
        flag = passage.text[max(0, run.start() - 1) : run.start()] == _FLAG
        if flag and _FLAG_TAGS.fullmatch(run[0]):
            continue
        read = "".join(chr(ord(sign) - 0xE0000) for sign in run[0] if 0xE0020 <= ord(sign) < 0xE007F)
        yield ScanHit(
            Level.HIGH,
            f"{figures.counted(len(run[0]), 'tag character')} that nobody sees",
            read or run[0],
            read,
        )


@text_rule(
    "variation-payload",
    Level.HIGH,
    "Variation selectors choose how one character is drawn; in a row, or after plain letters, they encode bytes.",
)
def variation_payload(passage: Passage) -> Iterator[ScanHit]:
    if passage.text.isascii():
        return
    idle = []
    for run in _SELECTORS.finditer(passage.text):
        before = passage.text[max(0, run.start() - 1) : run.start()]
        if len(run[0]) > 1:
            read = _selected_bytes(run[0])
            yield ScanHit(Level.HIGH, f"{len(run[0])} variation selectors in a row", read or run[0], read)
        elif not before or (before.isascii() and before not in _TAKES_SELECTOR):
            idle.append(run)
    if idle:
        read = _selected_bytes("".join(run[0] for run in idle))
        level = Level.HIGH if len(idle) >= _PAYLOAD else Level.LOW
        shown = read if level is Level.HIGH and read else _shown(passage.text, *idle[0].span())
        yield ScanHit(
            level, f"{figures.counted(len(idle), 'variation selector')} after plain characters", shown, read
        )


def _selected_bytes(selectors: str) -> str:
    codes = [ord(sign) for sign in selectors]
    values = bytes(
        code - _FIRST_SELECTORS if code < _MORE_SELECTORS else code - _MORE_SELECTORS + 16 for code in codes
    )
    read = values.decode("utf-8", "ignore")
    return read if read and read.isprintable() else ""


@text_rule(
    "bidi-controls",
    Level.HIGH,
    "Controls of writing direction make a text look different from what a model reads.",
)
def bidi_controls(passage: Passage) -> Iterator[ScanHit]:
    if passage.text.isascii():
        return
    found = list(_BIDI.finditer(passage.text))
    if not found:
        return
    signs = {each[0] for each in found}
    if signs & _OVERRIDES:
        level = Level.HIGH
    elif passage.kind.is_name or not (signs <= _MARKS or _RIGHT_TO_LEFT.search(passage.text)):
        level = Level.MEDIUM
    else:
        level = Level.NOTE if _RIGHT_TO_LEFT.search(passage.text) else Level.LOW
    yield ScanHit(
        level,
        f"{figures.counted(len(found), 'control')} of writing direction",
        _shown(passage.text, *found[0].span()),
    )


@text_rule(
    "zero-width",
    Level.HIGH,
    "Zero-width characters hide a message, split words to pass filters, or make two names look the same.",
)
def zero_width(passage: Passage) -> Iterator[ScanHit]:
    text = passage.text
    if text.isascii():
        return
    runs = [run for run in _INVISIBLE.finditer(text) if not _in_use(text, run)]
    if not runs:
        return
    number = sum(len(run[0]) for run in runs)
    worst = max(runs, key=lambda run: len(run[0]))
    yield ScanHit(
        _zero_width_level(passage, runs),
        figures.counted(number, "zero-width character"),
        _shown(text, *worst.span()),
    )


def _in_use(text: str, run: re.Match[str]) -> bool:
    """Whether it is in normal use: a joiner after a non-Latin letter, or a break in a script without spaces."""
    before = text[max(0, run.start() - 1) : run.start()]
    if len(run[0]) > 1 or not before or before.isascii():
        return False
    if run[0] in _JOINERS:
        return unicodedata.category(before)[0] in "LMS"
    if run[0] == "\u200b":
        return _NO_BLANKS.match(before) is not None
    return "\u180b" <= run[0] <= "\u180f" and _MONGOLIAN.match(before) is not None


def _zero_width_level(passage: Passage, runs: list[re.Match[str]]) -> Level:
    if passage.kind.is_name or max(len(run[0]) for run in runs) >= _PAYLOAD:
        return Level.HIGH
    if len(runs) >= _MANY or any(_splits_a_word(passage.text, run) for run in runs):
        return Level.MEDIUM
    bom = len(runs) == 1 and runs[0].start() == 0 and runs[0][0] == "\ufeff"
    return Level.NOTE if bom or all(set(run[0]) <= set("\u00ad\u2028\u2029") for run in runs) else Level.LOW


def _splits_a_word(text: str, run: re.Match[str]) -> bool:
    around = text[max(0, run.start() - 1) : run.start()] + text[run.end() : run.end() + 1]
    return len(around) == 2 and around.isascii() and around.isalpha() and run[0] != "\u00ad"


@text_rule(
    "private-characters",
    Level.MEDIUM,
    "Private-use characters and lone surrogates mean whatever their sender wants; a reader sees a box or nothing.",
)
def private_characters(passage: Passage) -> Iterator[ScanHit]:
    if passage.text.isascii():
        return
    runs = list(_PRIVATE.finditer(passage.text))
    if not runs:
        return
    number = sum(len(run[0]) for run in runs)
    many = number >= _PAYLOAD or passage.kind.is_name
    message = figures.counted(number, "private-use or broken character")
    yield ScanHit(
        Level.MEDIUM if many else Level.LOW,
        message,
        _shown(passage.text, *max(runs, key=lambda run: len(run[0])).span()),
    )
