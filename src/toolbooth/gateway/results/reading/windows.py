"""A text × a query → its most relevant lines with those around them, joined where they meet."""

from itertools import takewhile
from typing import Final

from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.reading.best import Best
from toolbooth.gateway.results.reading.entry_around import entry_around
from toolbooth.gateway.results.reading.excerpt import LONG, excerpt
from toolbooth.gateway.results.reading.groups import Groups
from toolbooth.gateway.results.relevance import weigh

_NEIGHBOUR: Final = 0.3  # of a line's relevance goes to each line beside it: a sentence may run over both
_FEW: Final = 5  # places, up to which a whole entry of a listing is shown of each
_SOME: Final = 12  # places, up to which a little is
_SHARE: Final = 4  # the part of the size that goes to these entries: a quarter
_HEADING: Final = 24  # bytes


class Windows:
    """Lines are numbered as by `Lines`."""

    def __init__(self, text: str, query: str) -> None:
        self._query = query
        self._groups = Groups(text)
        self._parts = self._groups.texts
        own, self.held, self.absent = weigh(query, self._parts)
        beside = zip([0.0, *own], own, [*own[1:], 0.0], strict=False)
        self.relevance = [here + _NEIGHBOUR * (a + b) if here else 0.0 for a, here, b in beside]
        self._shown: dict[int, str] = {}
        self._bytes = 0

    def take_all(self, chosen: Best, most: int, cap: int) -> int:
        """Show so many, or as fit, the best first; the fewer match, the more is shown around each."""
        count = len(chosen.matching)
        taken = 0
        for place, index in enumerate(chosen.wanted[:most]):
            around = self._around(index, count, cap) if place < count else range(index, index + 1)
            taken += self._take(index, around, cap) or self._take(index, range(index, index + 1), cap)
        return taken

    def _around(self, index: int, count: int, cap: int) -> range:
        """The lines that are shown with one of so many that match."""
        if self._groups.lines > 1 or count > _SOME:
            return range(index, index + 1)
        if count <= _FEW:
            return entry_around(self._parts, index, cap // _SHARE // count)
        return range(max(0, index - 1), min(len(self._parts), index + 4))

    def _take(self, index: int, around: range, cap: int) -> bool:
        new = {each: self._excerpt(each) for each in self._near(index, around) if each not in self._shown}
        cost = sum(map(size, new.values())) + _HEADING
        if self._bytes + cost > cap and (self._shown or len(around) > 1):
            return False
        self._shown |= new
        self._bytes += cost
        return True

    def _near(self, index: int, around: range) -> list[int]:
        """The part itself and its neighbours, up to the first that is long."""
        before = takewhile(self._is_short, range(index - 1, around.start - 1, -1))
        after = takewhile(self._is_short, range(index + 1, around.stop))
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
