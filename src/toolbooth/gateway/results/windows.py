"""A text × a query → its most relevant lines with those around them, joined where they meet."""

import re
from typing import Final

from toolbooth.gateway.results.excerpt import LONG, excerpt
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.relevance import scores
from toolbooth.limits import RESULT_LINE

_MOST_PARTS: Final = 100_000  # a text of more lines is looked at several lines at a time
_AROUND: Final = 2
_NEIGHBOUR: Final = 0.3  # of a line's relevance goes to each line beside it: a sentence may run over both
_HEADING: Final = 24  # bytes


class Windows:
    """Lines are numbered as by `Lines`."""

    def __init__(self, text: str, query: str) -> None:
        self._query = query
        self._step = 1 + text.count("\n") // _MOST_PARTS
        line = rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n"
        self._parts = re.findall(rf"(?:{line}){{1,{self._step}}}", text)
        self._lines = (
            (len(self._parts) - 1) * self._step + len(re.findall(line, self._parts[-1])) if text else 0
        )
        own = scores(query, self._parts)
        beside = zip([0.0, *own], own, [*own[1:], 0.0], strict=False)
        self.relevance = [here + _NEIGHBOUR * (a + b) if here else 0.0 for a, here, b in beside]
        self._shown: dict[int, str] = {}
        self._bytes = 0

    def take(self, index: int, cap: int) -> bool:
        """Show this part and what is around it; False where it does not fit any more."""
        around = range(max(0, index - _AROUND), min(len(self._parts), index + _AROUND + 1))
        near = [each for each in around if each == index or len(self._parts[each]) <= LONG]
        new = {each: excerpt(self._parts[each], self._query) for each in near if each not in self._shown}
        cost = sum(map(size, new.values())) + _HEADING
        if index in self._shown:
            return True
        if self._bytes + cost > cap:
            new = {index: excerpt(self._parts[index], self._query)}
            cost = size(new[index]) + _HEADING
        if self._bytes + cost > cap and self._shown:
            return False
        self._shown |= new
        self._bytes += cost
        return True

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
        first = before + run[0] * self._step + 1
        last = min(before + (run[-1] + 1) * self._step, before + self._lines)
        where = f"line {first}:" if first == last else f"lines {first}-{last}:"
        return f"{where}\n{''.join(self._shown[index] for index in run).rstrip(chr(10))}"
