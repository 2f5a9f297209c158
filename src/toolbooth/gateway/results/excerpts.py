"""The lines of a text that are most relevant to a query, with what belongs to them, joined where they meet."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from toolbooth import figures
from toolbooth.gateway.results.lines import LineGroups, size
from toolbooth.gateway.results.relevance import scores, weigh

_AS_GOOD: Final = 0.8  # of the best relevance: it matches, whichever words it has
_ALL_WORDS: Final = 0.5  # of it, for a part that has as many words of the query as any
_IN_PART: Final = 0.25  # of it; what is below has only the common words
_WEAKER: Final = 10  # places that match in part and are shown


class BestParts(NamedTuple):
    """The indices of the parts that match a query."""

    matching: list[int]
    in_part: list[int]

    @property
    def wanted(self) -> list[int]:
        """Those that may be shown."""
        return self.matching + self.in_part[:_WEAKER]

    def __str__(self) -> str:
        """`[146 places match, 31 in part]`."""
        places = f"{figures.counted(len(self.matching), 'place')} {'matches' if len(self.matching) == 1 else 'match'}"
        return f"[{places}{f', {len(self.in_part):,} in part' if self.in_part else ''}]"


def best(relevance: Sequence[float], held: Sequence[int]) -> BestParts:
    """Nothing matches if nothing is relevant."""
    highest, most = max(relevance, default=0.0), max(held, default=0)
    matching: list[int] = []
    in_part: list[int] = []
    for index, score in enumerate(relevance):
        if score <= 0 or score < _IN_PART * highest:
            continue
        matches = score >= _AS_GOOD * highest or (held[index] == most and score >= _ALL_WORDS * highest)
        (matching if matches else in_part).append(index)
    return BestParts(*(sorted(each, key=lambda index: -relevance[index]) for each in (matching, in_part)))


LONG: Final = 600  # characters; shorter lines are shown whole
_PIECE: Final = 240


def excerpt(line: str, query: str) -> str:
    """The line itself if it is short; its line end stays."""
    if len(line) <= LONG:
        return line
    body = line.rstrip("\n")
    pieces = [body[at : at + _PIECE] for at in range(0, len(body), _PIECE)]
    relevance = scores(query, pieces)
    best = relevance.index(max(relevance)) * _PIECE
    start, end = max(0, best - _PIECE // 4), best + _PIECE + _PIECE // 4
    cut = f"{'…' if start else ''}{body[start:end]}{'…' if end < len(body) else ''}"
    return cut + line[len(body) :]


# A heading, or the beginning of a log message: a date, a time, a level.
_BEGINS: Final = re.compile(
    r"#{1,6} |\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\[?(?:DEBUG|INFO|WARN|ERROR)\b"
)
_BESIDE: Final = 2  # lines before and after, whatever they are
_FOLLOWING: Final = 8  # lines after, if nothing shows what belongs together: it mostly follows


def entry_around(lines: Sequence[str], index: int, budget: int) -> range:
    """All of it within so many characters, half of them before the line; else what is likely to belong to it."""
    above = _within(lines, range(index, -1, -1), budget // 2)
    first = next((each for each in above if _BEGINS.match(lines[each])), None)
    if first is None:
        return range(max(0, index - _BESIDE), min(len(lines), index + _FOLLOWING + 1))
    spent = sum(len(lines[each]) for each in range(first, index + 1))
    below = _within(lines, range(index + 1, len(lines)), budget - spent)
    belonging = list(takewhile(lambda each: not _BEGINS.match(lines[each]), below))
    last = max(index + _BESIDE, belonging[-1] if belonging else index)
    return range(max(0, min(first, index - _BESIDE)), min(len(lines), last + 1))


def _within(lines: Sequence[str], wanted: range, budget: int) -> list[int]:
    """The first of these lines, as many as fit, and always the very first."""
    fitting: list[int] = []
    for each in wanted:
        budget -= len(lines[each])
        if budget < 0 and fitting:
            break
        fitting.append(each)
    return fitting


_NEIGHBOUR: Final = 0.3  # of a line's relevance goes to each line beside it: a sentence may cover both
_FEW: Final = 5  # places, up to which a whole entry of a listing is shown for each
_SOME: Final = 12  # places, up to which a little is
_SHARE: Final = 4  # the part of the size for these entries: a quarter
_HEADING: Final = 24  # bytes


class MatchWindows:
    """Lines are numbered as by `Lines`."""

    def __init__(self, text: str, query: str) -> None:
        self._query = query
        self._groups = LineGroups(text)
        self._parts = self._groups.texts
        line_scores, self.held, self.absent = weigh(query, self._parts)
        beside = zip([0.0, *line_scores], line_scores, [*line_scores[1:], 0.0], strict=False)
        self.relevance = [here + _NEIGHBOUR * (a + b) if here else 0.0 for a, here, b in beside]
        self._shown: dict[int, str] = {}
        self._bytes = 0

    def take_all(self, chosen: BestParts, most: int, cap: int) -> int:
        """Show so many, or as many as fit, the best first; the fewer match, the more is shown around each."""
        count = len(chosen.matching)
        taken = 0
        for place, index in enumerate(chosen.wanted[:most]):
            around = self._around(index, count, cap) if place < count else range(index, index + 1)
            taken += self._take(index, around, cap) or self._take(index, range(index, index + 1), cap)
        return taken

    def _around(self, index: int, count: int, cap: int) -> range:
        """The lines that are shown with one of so many matches."""
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
