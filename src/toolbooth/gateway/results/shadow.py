"""A text → its shadow: the same length, in lower case and without accents, so that its places are the text's."""

import unicodedata
from functools import lru_cache
from typing import Final

_WIDENING: Final = "\u0130"  # the one letter whose lower case is longer than itself
_MANY: Final = (
    48  # different letters to replace, above which one pass over all letters is faster than one for each
)


def shadow(text: str) -> str:
    """Letters that fold to one other letter are replaced; the few that fold to several stay as they are."""
    if text.isascii():
        return text.lower()
    lowered = text.replace(_WIDENING, "i").lower()
    plain = {letter: base for letter in set(lowered) if (base := _base(letter)) != letter}
    if len(plain) > _MANY:
        return lowered.translate({ord(letter): base for letter, base in plain.items()})
    for letter, base in plain.items():
        lowered = lowered.replace(letter, base)
    return lowered


@lru_cache(maxsize=1 << 14)
def _base(letter: str) -> str:
    if letter.isascii():
        return letter
    decomposed = unicodedata.normalize("NFKD", letter)
    kept = "".join(each for each in decomposed if not unicodedata.combining(each))
    base = unicodedata.normalize("NFKC", kept).lower()
    return base if len(base) == 1 else letter
