"""A parsed pattern → states and edges; what could need backtracking is refused.

Python's own engine backtracks, and the linear ones among our parts only tell whether a text matches, not where.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from toolbooth.limits import MAX_REDACT_STATES

IGNORE_CASE, MULTILINE, DOT_ALL = 2, 8, 16  # as `re` numbers them
START, END, LINE_START, LINE_END, BOUNDARY = (
    1,
    2,
    4,
    8,
    16,
)  # what may be true of a place between two characters
Takes = Callable[[str], bool]
_OVER = "it is too long: count to less in its {…}"
_PLACES = {
    "AT_BEGINNING": START,
    "AT_BEGINNING_STRING": START,
    "AT_END": END,
    "AT_END_STRING": END,
    "AT_BOUNDARY": BOUNDARY,
    "AT_NON_BOUNDARY": -BOUNDARY,
}
_BY_LINE = {"AT_BEGINNING": LINE_START, "AT_END": LINE_END}


class NotLinear(ValueError):
    """The pattern cannot be used; the message says why."""


@dataclass
class Nfa:
    """State 0 accepts. A state takes one character, or has free edges, each with a place it needs (0: anywhere)."""

    takes: list[Takes | None] = field(default_factory=lambda: [None])
    follows: list[int] = field(default_factory=lambda: [0])
    free: list[list[tuple[int, int]]] = field(default_factory=lambda: [[]])
    start: int = 0
    has_places: bool = False

    def add(self, takes: Takes | None, follows: int, free: Iterable[tuple[int, int]] = ()) -> int:
        """A new state."""
        if len(self.takes) >= MAX_REDACT_STATES:
            raise NotLinear(_OVER)
        self.takes.append(takes)
        self.follows.append(follows)
        self.free.append(list(free))
        return len(self.takes) - 1


def parse(pattern: str) -> Nfa:
    """Raises NotLinear, or `re.error` for what is no pattern at all."""
    try:
        tree = import_module("re._parser").parse(pattern)
    except (RecursionError, OverflowError):
        raise NotLinear(_OVER) from None
    nfa = Nfa()
    nfa.start = _sequence(nfa, tree, 0, tree.state.flags)
    return nfa


def _sequence(nfa: Nfa, items: Sequence[Any], end: int, flags: int) -> int:
    for op, what in reversed(list(items)):
        builder = _BUILDERS.get(str(op))
        if builder is None:
            raise NotLinear("look-arounds, back-references and possessive repeats are not available")
        end = builder(nfa, str(op), what, end, flags)
    return end


def _character(nfa: Nfa, op: str, what: Any, end: int, flags: int) -> int:
    takes = _member(op, what, flags)
    if flags & IGNORE_CASE:
        every = all if op == "NOT_LITERAL" or (op == "IN" and _is_negated(what)) else any
        return nfa.add(lambda sign: every(map(takes, {sign, sign.lower(), sign.upper()})), end)
    return nfa.add(takes, end)


def _member(op: str, what: Any, flags: int = 0) -> Takes:
    if op == "ANY":
        return lambda sign: bool(flags & DOT_ALL) or sign != "\n"
    if op == "RANGE":
        return lambda sign: len(sign) == 1 and what[0] <= ord(sign) <= what[1]
    if op == "CATEGORY":
        return _category(str(what))
    if op == "IN":
        negated = _is_negated(what)
        members = [_member(str(kind), value) for kind, value in (what[1:] if negated else what)]
        return lambda sign: any(takes(sign) for takes in members) != negated
    return lambda sign: (sign == chr(what)) != (op == "NOT_LITERAL")


def _is_negated(what: Any) -> bool:
    return bool(what) and str(what[0][0]) == "NEGATE"


def _category(name: str) -> Takes:
    negated = "_NOT_" in name
    is_one: Takes = str.isdecimal
    if name.endswith("SPACE"):
        is_one = str.isspace
    elif name.endswith("WORD"):
        is_one = is_word
    return lambda sign: is_one(sign) != negated


def is_word(sign: str) -> bool:
    """What `\\w` takes."""
    return sign.isalnum() or sign == "_"


def _branch(nfa: Nfa, _op: str, what: Any, end: int, flags: int) -> int:
    return nfa.add(None, 0, [(0, _sequence(nfa, branch, end, flags)) for branch in what[1]])


def _group(nfa: Nfa, _op: str, what: Any, end: int, flags: int) -> int:
    _number, on, off, items = what
    return _sequence(nfa, items, end, (flags | on) & ~off)


def _repeat(nfa: Nfa, _op: str, what: Any, end: int, flags: int) -> int:
    least, most, items = what
    if least > MAX_REDACT_STATES or (str(most) != "MAXREPEAT" and most > MAX_REDACT_STATES):
        raise NotLinear(_OVER)
    if str(most) == "MAXREPEAT":
        loop = nfa.add(None, 0, [(0, end)])
        nfa.free[loop].append((0, _sequence(nfa, items, loop, flags)))
        entry = loop
    else:
        entry = end
        for _ in range(most - least):
            entry = nfa.add(None, 0, [(0, end), (0, _sequence(nfa, items, entry, flags))])
    for _ in range(least):
        entry = _sequence(nfa, items, entry, flags)
    return entry


def _place(nfa: Nfa, _op: str, what: Any, end: int, flags: int) -> int:
    nfa.has_places = True
    by_line = _BY_LINE.get(str(what)) if flags & MULTILINE else None
    return nfa.add(None, 0, [(by_line or _PLACES[str(what)], end)])


_BUILDERS: dict[str, Callable[[Nfa, str, Any, int, int], int]] = {
    **dict.fromkeys(("LITERAL", "NOT_LITERAL", "ANY", "IN"), _character),
    **dict.fromkeys(("MAX_REPEAT", "MIN_REPEAT"), _repeat),
    "BRANCH": _branch,
    "SUBPATTERN": _group,
    "AT": _place,
}
