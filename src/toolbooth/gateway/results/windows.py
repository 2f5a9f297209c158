"""A text × a query → its most relevant lines with those around them, joined where they meet."""

from itertools import takewhile
from typing import Final, NamedTuple

from toolbooth.gateway.results.best import Best
from toolbooth.gateway.results.excerpt import LONG, excerpt
from toolbooth.gateway.results.groups import Groups
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.relevance import weigh

_NEIGHBOUR: Final = 0.3  # of a line's relevance goes to each line beside it: a sentence may run over both
_FEW: Final = 5  # places, up to which a whole entry of a listing is shown of each
_SOME: Final = 12  # places, up to which a little is
_HEADING: Final = 24  # bytes


class _Around(NamedTuple):
    """Lines shown with a place; what belongs to it mostly follows."""

    before: int
    after: int


_ALONE: Final = _Around(0, 0)


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
        around = _Around(2, 8) if count <= _FEW else _Around(1, 3) if count <= _SOME else _ALONE
        around = around if self._groups.lines == 1 else _ALONE
        taken = 0
        for place, index in enumerate(chosen.wanted[:most]):
            fits = place < count and self._take(index, around, cap)
            taken += fits or self._take(index, _ALONE, cap)
        return taken

    def _take(self, index: int, around: "_Around", cap: int) -> bool:
        new = {each: self._excerpt(each) for each in self._near(index, around) if each not in self._shown}
        cost = sum(map(size, new.values())) + _HEADING
        if self._bytes + cost > cap and (self._shown or around != _ALONE):
            return False
        self._shown |= new
        self._bytes += cost
        return True

    def _near(self, index: int, around: "_Around") -> list[int]:
        """The part itself and its neighbours, up to the first that is long."""
        before = takewhile(self._is_short, range(index - 1, max(0, index - around.before) - 1, -1))
        after = takewhile(self._is_short, range(index + 1, min(len(self._parts), index + around.after + 1)))
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
