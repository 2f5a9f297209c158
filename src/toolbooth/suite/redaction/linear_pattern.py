"""A suite's own pattern × text → the text without all that any match covers, in time linear in its length."""

import re
from itertools import groupby, pairwise

from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_PATTERN, REDACT_STEPS
from toolbooth.safetext import for_terminal
from toolbooth.suite.redaction.nfa import (
    BOUNDARY,
    END,
    LINE_END,
    LINE_START,
    START,
    Nfa,
    NotLinear,
    is_word,
    parse,
)

_Sets = dict[tuple[int, str, int], int]


class LinearPattern:
    """Two walks over a text, one from each end: a character goes if it is on a way from a start to an end.

    So greedy and lazy repeats come to the same: the longest match goes.
    """

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN:
            raise ConfigError(f"a redact pattern has {len(pattern)} characters; {MAX_PATTERN} are allowed")
        try:
            self._nfa = parse(pattern)
        except (re.error, NotLinear, RecursionError) as error:
            shown = for_terminal(pattern, 60)
            raise ConfigError(
                f"the redact pattern {shown} cannot be used: {for_terminal(str(error))}"
            ) from None
        self._back = _backwards(self._nfa)
        self._ahead: _Sets = {}
        self._taken: _Sets = {}
        self._behind: _Sets = {}
        self.steps = 0  # walked so far, for tests that count work

    def without(self, text: str, mark: str) -> str:
        """Each run of covered characters becomes one `mark`."""
        places = self._places(text)
        ahead = self._walk_ahead(text, places)
        if ahead is None:
            return text
        covered = self._walk_back(text, places, ahead)
        parts = []
        for hidden, run in groupby(zip(covered, text, strict=True), key=lambda each: each[0]):
            parts.append(mark if hidden else "".join(sign for _, sign in run))
        return "".join(parts)

    def _places(self, text: str) -> list[int]:
        return _places_of(text) if self._nfa.has_places else [0] * (len(text) + 1)

    def _walk_ahead(self, text: str, places: list[int]) -> list[int] | None:
        """The states that can be reached at each place; None where no match ends anywhere."""
        first = 1 << self._nfa.start
        now = self._closed(first, places[0])
        found, accepted = [now], now & 1
        for place, sign in zip(places[1:], text, strict=True):
            key = (now, sign, place)
            following = self._ahead.get(key)
            if following is None:
                following = _kept(self._ahead, key, self._closed(self._step(now, sign) | first, place))
            found.append(following)
            accepted |= following & 1
            now = following
        self.steps += len(text)
        return found if accepted else None

    def _walk_back(self, text: str, places: list[int], ahead: list[int]) -> list[bool]:
        covered = [False] * len(text)
        wanted = self._reaching(1, places[-1])
        for at in range(len(text) - 1, -1, -1):
            key = (wanted, text[at], 0)
            taken = self._taken.get(key)
            if taken is None:
                taken = _kept(self._taken, key, self._taking(wanted, text[at]))
            covered[at] = bool(taken & ahead[at])
            wanted = self._reaching(taken | 1, places[at])
        self.steps += len(text)
        return covered

    def _step(self, states: int, sign: str) -> int:
        following = 0
        for state in _bits(states):
            takes = self._nfa.takes[state]
            if takes is not None and takes(sign):
                following |= 1 << self._nfa.follows[state]
        return following

    def _taking(self, wanted: int, sign: str) -> int:
        """The states that take this character and are then in a wanted one."""
        return sum(
            1 << state
            for state, takes in enumerate(self._nfa.takes)
            if takes is not None and wanted >> self._nfa.follows[state] & 1 and takes(sign)
        )

    def _closed(self, states: int, place: int) -> int:
        return _spread(states, place, self._nfa.free)

    def _reaching(self, states: int, place: int) -> int:
        key = (states, "", place)
        found = self._behind.get(key)
        return _kept(self._behind, key, _spread(states, place, self._back)) if found is None else found


def _backwards(nfa: Nfa) -> list[list[tuple[int, int]]]:
    edges: list[list[tuple[int, int]]] = [[] for _ in nfa.free]
    for state, free in enumerate(nfa.free):
        for needs, target in free:
            edges[target].append((needs, state))
    return edges


def _spread(states: int, place: int, free: list[list[tuple[int, int]]]) -> int:
    waiting = list(_bits(states))
    while waiting:
        for needs, target in free[waiting.pop()]:
            fits = not needs or (place & needs if needs > 0 else not place & -needs)
            if fits and not states >> target & 1:
                states |= 1 << target
                waiting.append(target)
    return states


def _bits(states: int) -> list[int]:
    return [at for at, bit in enumerate(reversed(f"{states:b}")) if bit == "1"]


def _kept(cache: _Sets, key: tuple[int, str, int], value: int) -> int:
    if len(cache) >= REDACT_STEPS:
        cache.clear()
    cache[key] = value
    return value


def _places_of(text: str) -> list[int]:
    """For each place between characters: which of start, end, line's start, line's end and word's edge it is."""
    words = [False, *map(is_word, text), False]
    places = [BOUNDARY if one != other else 0 for one, other in pairwise(words)]
    for at, sign in enumerate(text):
        if sign == "\n":
            places[at] |= LINE_END
            places[at + 1] |= LINE_START
    places[0] |= START | LINE_START
    places[-1] |= END | LINE_END
    if text.endswith("\n"):
        places[-2] |= END  # as `$` is read
    return places
