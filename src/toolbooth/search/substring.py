"""The search for catalog words that contain an unknown word, or of which it is composed."""

from collections.abc import Collection
from typing import NamedTuple

_SHORTEST_INSIDE = 4  # `port` inside `report` is already chance; three letters are inside everything
_SHORTEST_PART = 3
_MOST = 8


class Near(NamedTuple):
    """A word of the catalog and how much of it is covered, 0 to 1."""

    word: str
    cover: float


class Substrings:
    """Scans all words as one text, in 30 µs at 4,400 words; a trigram index would have to be built and maintained."""

    def __init__(self, words: Collection[str]) -> None:
        self._words = words
        self._text = "\n" + "\n".join(sorted(words)) + "\n"

    def containing(self, word: str, prefix_only: bool = False) -> list[Near]:
        """Words that contain this one (or begin with it), the shortest first."""
        if len(word) < _SHORTEST_INSIDE:
            return []
        wanted = f"\n{word}" if prefix_only else word
        found: dict[str, float] = {}
        at = self._text.find(wanted)
        while at != -1 and len(found) < 20 * _MOST:
            start = self._text.rfind("\n", 0, at + 1) + 1
            end = self._text.find("\n", at + 1)
            found[self._text[start:end]] = len(word) / (end - start)
            at = self._text.find(wanted, end - 1)
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return [Near(*item) for item in best[:_MOST]]

    def composing(self, word: str) -> tuple[str, str] | None:
        """`readfile` gives `read` and `file`: the split into two catalog words with the longest first part."""
        for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            if word[:cut] in self._words and word[cut:] in self._words:
                return word[:cut], word[cut:]
        return None
