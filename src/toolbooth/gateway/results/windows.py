"""A text × a query → its most relevant lines with those around them, joined where they meet."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from toolbooth.gateway.results.excerpt import LONG, excerpt
from toolbooth.gateway.results.groups import Groups
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.relevance import weigh

_NEIGHBOUR: Final = 0.3  # of a line's relevance goes to each line beside it: a sentence may run over both
_FEW: Final = 5  # places, up to which two lines around each are shown
_SOME: Final = 12  # places, up to which one is
_HEADING: Final = 24  # bytes


class Windows:
    """Lines are numbered as by `Lines`."""

    def __init__(self, text: str, query: str) -> None:
        self._query = query
        self._groups = Groups(text)
        self._parts = self._groups.texts
        own, self.absent = weigh(query, self._parts)
        beside = zip([0.0, *own], own, [*own[1:], 0.0], strict=False)
        self.relevance = [here + _NEIGHBOUR * (a + b) if here else 0.0 for a, here, b in beside]
        self._shown: dict[int, str] = {}
        self._bytes = 0

    def take_all(self, best: Sequence[int], most: int, cap: int) -> int:
        """Show so many of these parts, or as fit, the first ones first; the fewer they are, the more around each."""
        around = 2 if len(best) <= _FEW else 1 if len(best) <= _SOME else 0
        around = around if self._groups.lines == 1 else 0
        return sum(self._take(index, around, cap) or self._take(index, 0, cap) for index in best[:most])

    def _take(self, index: int, around: int, cap: int) -> bool:
        new = {each: self._excerpt(each) for each in self._near(index, around) if each not in self._shown}
        cost = sum(map(size, new.values())) + _HEADING
        if self._bytes + cost > cap and (self._shown or around):
            return False
        self._shown |= new
        self._bytes += cost
        return True

    def _near(self, index: int, around: int) -> list[int]:
        """The part itself and its neighbours, up to the first that is long."""
        before = takewhile(self._is_short, range(index - 1, max(0, index - around) - 1, -1))
        after = takewhile(self._is_short, range(index + 1, min(len(self._parts), index + around + 1)))
        return [*before, index, *after]

    def _is_short(self, index: int) -> bool:
        return len(self._parts[index]) <= LONG

    def _excerpt(self, index: int) -> str:
        return excerpt(self._parts[index], self._query)

    def blocks(self, before: int) -> list[str]:
        """Each run of neighbouring lines under its numbers."""
        runs: list[list[int]] = []
        for index in sorted(self._shown):
            if runs and runs[-1][-1] == index - 1:
                runs[-1].append(index)
            else:
                runs.append([index])
        return [self._block(run, before) for run in runs]

    def _block(self, run: list[int], before: int) -> str:
        first, last = self._groups[run[0]], self._groups[run[-1]]
        start, end = before + first.start, before + last.start + last.lines - 1
        shown = "".join(self._shown[index] for index in run).rstrip("\n")
        return f"line {start}: {shown}" if start == end else f"lines {start}-{end}:\n{shown}"
