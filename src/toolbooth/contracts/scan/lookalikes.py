"""How a text looks to a reader: without hidden characters, and with Latin letters in place of look-alikes."""

import re
import unicodedata
from typing import Final

# Letters of other scripts that are drawn as a Latin one in most fonts, with the Latin one first in each row.
_ROWS: Final = (
    "aаɑ", "bЬᖯ", "cсϲᴄⅽ", "dԁԃⅾ", "eеҽ", "gɡց", "hһհ", "iіıɩӏ", "jјϳ", "kк", "lⅼ", "mмⅿ", "nոռ", "oоοօഠ൦",
    "pрρ", "qԛգ", "rгᴦ", "sѕꜱ", "tт", "uսυ", "vνѵⅴ", "wԝաѡ", "xхⅹ", "yуүγ", "zᴢ",
    "AАΑᎪ", "BВΒᏴ", "CСϹⅭᏟ", "DⅮᎠ", "EЕΕᎬ", "FϜ", "GԌᏀ", "HНΗᎻ", "IІΙӀⅠ", "JЈᎫ", "KКΚᏦ", "LⅬᏞ", "MМΜⅯᎷ",
    "NΝ", "OОΟՕ", "PРΡᏢ", "QԚ", "RᎡᏒ", "SЅᏚՏ", "TТΤᎢ", "UՍ", "VⅤᏙѴ", "WԜᎳ", "XХΧⅩ", "YҮΥ", "ZΖᏃ",
    "-‐‑‒–—−", "'’‘ʼ", "/∕⁄",
)  # fmt: skip
LOOK_ALIKES: Final = {ord(other): row[0] for row in _ROWS for other in row[1:]}
_FOREIGN_LETTER: Final = re.compile(
    "[" + "".join(chr(code) for code in LOOK_ALIKES if chr(code).isalpha()) + "]"
)
_MIXED_WORD: Final = re.compile(r"[^\W\d_]{2,64}+")
_LATIN_END: Final = "\u0250"  # with all accents
_FEWEST_LATIN: Final = 2
# ASCII characters that are mistaken for one another in a name.
_ASCII_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"})


def hidden_ranges() -> str:
    """The inside of a character class: characters that are never drawn, and those that control a terminal or a line."""
    return (
        r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
        r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufdd0-\ufdef"
        r"\ud800-\udfff\ue000-\uf8ff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
        r"\U000f0000-\U0010ffff"
    )


_HIDDEN: Final = re.compile(f"[{hidden_ranges()}]+")
_IN_USE: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
_SHOWN_HIDDEN: Final = 8
_SHORT: Final = 200


def without_hidden(text: str) -> str:
    """Remove everything that a reader does not see. A scan finds nothing hidden in the result."""
    return _HIDDEN.sub("", text)


def visible(text: str) -> str:
    """Write hidden characters as escapes. A joiner or selector in normal use stays."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_as_escapes, text)


def _as_escapes(run: re.Match[str]) -> str:
    before = run.string[max(0, run.start() - 1) : run.start()]
    if run[0] in _IN_USE and before and not before.isascii():
        return run[0]
    shown = "".join(f"\\u{{{ord(sign):x}}}" for sign in run[0][:_SHOWN_HIDDEN])
    return shown if len(run[0]) <= _SHOWN_HIDDEN else f"{shown}…({len(run[0])} in a row)"


def as_it_looks(text: str) -> str:
    """The text as a person reads it and a model understands it: `ｉｇnоre` becomes `ignore`."""
    if text.isascii():
        return text
    shown = without_hidden(text)
    normal = unicodedata.normalize("NFKC", shown)
    # One ligature expands to eighteen letters, so a text of ligatures would cost eighteen times its length.
    return (normal if len(normal) <= 2 * len(shown) + _SHORT else shown).translate(LOOK_ALIKES)


def skeleton(name: str) -> str:
    """A key that is the same for two names that a reader would mistake for one another."""
    plain = unicodedata.normalize("NFKD", as_it_looks(name))
    bare = "".join(sign for sign in plain if sign.isascii()).lower()
    return bare.replace("rn", "m").replace("vv", "w").translate(_ASCII_ALIKE)


def mixed_word(text: str) -> str:
    """The first word that mixes Latin letters with look-alikes of another script; empty if there is none."""
    if text.isascii() or not _FOREIGN_LETTER.search(text):
        return ""
    for word in _MIXED_WORD.findall(text):
        foreign = len(_FOREIGN_LETTER.findall(word))
        if foreign and sum(sign < _LATIN_END for sign in word) == len(word) - foreign >= _FEWEST_LATIN:
            return str(word)
    return ""
