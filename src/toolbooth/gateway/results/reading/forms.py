"""A stem × a text → the places where a form of it stands, in identifiers too."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.limits import MAX_WORD

_ENDING: Final = 5  # letters that a form may have beyond its stem, where digits are in it
_SHORTEST_NAME: Final = 3  # letters before a number, as in `server42`
_SHORTEST_PART: Final = 3  # letters of a word that is looked for inside of compounds
_ESCAPES: Final = ("\\n", "\\r", "\\t")  # in JSON as it is written, a word may follow such a letter
# The first part of a compound: `get` of `getUserById`, `HTTP` of `HTTPServer`.
_FIRST: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def beginning(needle: str) -> str:
    """The pattern of a needle at the beginning of a word; what looks back stands second, or it would be slow."""
    literal = re.escape(needle)
    return rf"{literal}(?<![^\W_]{literal})"


def form_pattern(needle: str) -> str:
    """The pattern of a form; what follows is looked at as far as a word goes, or a long run is walked at each place."""
    begun = needle if len(needle) >= _SHORTEST_PART else beginning(needle)
    return rf"{begun}(?=([a-z]{{0,{MAX_WORD}}})([^\W_]{{0,{MAX_WORD}}}))"


class Forms:
    """Of one stem in one text; every form begins with the needle, in ASCII and lower case."""

    def __init__(self, own: str, needle: str, text: str, shadow: str) -> None:
        self._own, self._needle, self._text, self._shadow = own, needle, text, shadow
        self._known: dict[str, bool] = {}

    def places(self) -> Iterator[re.Match[str]]:
        """Where a form may stand; the groups are its other letters, and what follows in the same run."""
        return re.finditer(form_pattern(self._needle), self._shadow)

    def holds(self, place: re.Match[str]) -> bool:
        """Whether it is one: the word, its letters before a number, or the first word of a compound."""
        at = place.start()
        if at and self._shadow[at - 1].isalnum() and not self._begins_inside(at):
            return False
        letters, rest = place.groups()
        word = self._needle + letters
        if self._is_form(word) and (not rest or (word.isalpha() and len(word) >= _SHORTEST_NAME)):
            return True
        if rest and len(word) + len(rest) <= len(self._own) + _ENDING and self._is_form(word + rest):
            return True
        written = self._text[at : at + len(word)]
        if written[1:].islower() or not (first := _FIRST.match(written)):
            return False
        return len(first[0]) < len(written) and self._is_form(first[0].lower())

    def _begins_inside(self, at: int) -> bool:
        """A part of a compound such as the `User` of `getUserById`, or a word behind an escaped line break."""
        if self._text[at].isupper():
            return not self._text[at - 1].isupper() or self._text[at + 1 : at + 2].islower()
        return self._text[at - 2 : at] in _ESCAPES

    def _is_form(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            from toolbooth.search.analysis import stem

            known = self._known[word] = stem(word) == self._own
        return known
