"""How relevant the parts of a text are → those that match, and those that match in part, the best first."""

from collections.abc import Sequence
from typing import Final, NamedTuple

_AS_GOOD: Final = 0.8  # of the best relevance: it matches, whichever words it has
_ALL_WORDS: Final = 0.5  # of it, for a part that has as many words of the query as any
_IN_PART: Final = 0.25  # of it; what is below has only the common words
_WEAKER: Final = 10  # places that match in part and are shown


class Best(NamedTuple):
    """Indices of parts."""

    matching: list[int]
    in_part: list[int]

    @property
    def wanted(self) -> list[int]:
        """Those that may be shown."""
        return self.matching + self.in_part[:_WEAKER]

    def __str__(self) -> str:
        """`[146 places match, 31 in part]`."""
        places = f"{len(self.matching)} place{'s' if len(self.matching) != 1 else ''} match"
        ending = "" if len(self.matching) != 1 else "es"
        return f"[{places}{ending}{f', {len(self.in_part)} in part' if self.in_part else ''}]"


def best(relevance: Sequence[float], held: Sequence[int]) -> Best:
    """Nothing matches where nothing is relevant."""
    highest, most = max(relevance, default=0.0), max(held, default=0)
    matching: list[int] = []
    in_part: list[int] = []
    for index, score in enumerate(relevance):
        if score <= 0 or score < _IN_PART * highest:
            continue
        matches = score >= _AS_GOOD * highest or (held[index] == most and score >= _ALL_WORDS * highest)
        (matching if matches else in_part).append(index)
    return Best(*(sorted(each, key=lambda index: -relevance[index]) for each in (matching, in_part)))
