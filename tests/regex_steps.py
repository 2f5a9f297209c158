"""A backtracking matcher that counts its steps.

`re` has no counter, its clock is the machine's, and its inner loops run in C without a hook. So the parse tree of a
pattern is run here by a matcher of our own, in the order in which `re` tries things, and each character looked at,
each alternative and each retreat is one step. It finds what `re` finds (a test compares them), so its steps grow as
the work of `re` does, on every machine alike.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from re import _compiler as compiler, _constants as op, _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

_ONE_CHARACTER: Final = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
_REPEATS: Final = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
Text = str | bytes


class TooManySteps(Exception):
    pass


@dataclass
class Counter:
    most: int
    steps: int = 0

    def add(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise TooManySteps


@dataclass
class Program:
    """Instructions of one pattern, or of one group in it that is matched without a retreat into it."""

    state: Any
    flags: int
    code: list[tuple[Any, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, pattern: "re.Pattern[Any]") -> "Program":
        tree = parser.parse(
            pattern.pattern, pattern.flags & ~re.UNICODE if _is_bytes(pattern) else pattern.flags
        )
        return cls(tree.state, pattern.flags)._with(tree)

    def _with(self, tree: Any) -> "Program":
        self._sequence(tree)
        self.code.append(("end",))
        return self

    def _part(self, tree: Any, flags: int | None = None) -> "Program":
        return Program(self.state, self.flags if flags is None else flags)._with(tree)

    def _sequence(self, tree: Any) -> None:
        for node in tree:
            self._node(*node)

    def _node(self, kind: Any, value: Any) -> None:
        if kind in _ONE_CHARACTER:
            self.code.append(("one", self._compiled((kind, value))))
        elif kind in _REPEATS:
            self._repeat(kind, *value)
        elif kind is op.SUBPATTERN:
            self._group(*value)
        elif kind is op.BRANCH:
            self._branches(value[1])
        elif kind is op.AT:
            self.code.append(("at", self._compiled((kind, value))))
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            direction, tree = value
            width = tree.getwidth()[0] if direction < 0 else 0
            self.code.append(("look", kind is op.ASSERT, width, self._part(tree)))
        elif kind is op.ATOMIC_GROUP:
            self.code.append(("atomic", self._part(value)))
        elif kind is op.GROUPREF:
            self.code.append(("same", value))
        else:
            raise NotImplementedError(str(kind))

    def _compiled(self, node: tuple[Any, Any]) -> "re.Pattern[Any]":
        """One character or one place, as `re` itself judges it."""
        found: re.Pattern[Any] = compiler.compile(parser.SubPattern(self.state, [node]), self._plain_flags)
        return found

    @property
    def _plain_flags(self) -> int:
        return self.flags & ~re.DEBUG

    def _group(self, number: int | None, added: int, removed: int, tree: Any) -> None:
        before, self.flags = self.flags, (self.flags | added) & ~removed
        if number is None:
            self._sequence(tree)
        else:
            self.code.append(("begin", number))
            self._sequence(tree)
            self.code.append(("close", number))
        self.flags = before

    def _branches(self, branches: list[Any]) -> None:
        ends = []
        for branch in branches[:-1]:
            split = len(self.code)
            self.code.append(())
            self._sequence(branch)
            ends.append(len(self.code))
            self.code.append(())
            self.code[split] = ("split", split + 1, len(self.code))
        self._sequence(branches[-1])
        for end in ends:
            self.code[end] = ("jump", len(self.code))

    def _repeat(self, kind: Any, least: int, most: int, tree: Any) -> None:
        if kind is op.POSSESSIVE_REPEAT:
            inner = Program(self.state, self.flags)
            inner._repeat(op.MAX_REPEAT, least, most, tree)
            inner.code.append(("end",))
            self.code.append(("atomic", inner))
        elif len(tree) == 1 and tree[0][0] in _ONE_CHARACTER:
            run = [(op.MAX_REPEAT, (0, most, tree))]
            scan = compiler.compile(parser.SubPattern(self.state, run), self._plain_flags)
            self.code.append(("run", scan, least, kind is op.MAX_REPEAT))
        else:
            for _ in range(least):
                self._sequence(tree)
            self._optional(kind is op.MAX_REPEAT, None if most is op.MAXREPEAT else most - least, tree)

    def _optional(self, greedy: bool, most: int | None, tree: Any) -> None:
        if most is None:
            head = len(self.code)
            self.code += [(), ("mark", head)]
            self._sequence(tree)
            self.code.append(("again", head))
            self.code[head] = self._split(greedy, head)
            return
        heads = []
        for _ in range(most):
            heads.append(len(self.code))
            self.code.append(())
            self._sequence(tree)
        for head in heads:
            self.code[head] = self._split(greedy, head)

    def _split(self, greedy: bool, head: int) -> tuple[str, int, int]:
        into, past = head + 1, len(self.code)
        return ("split", into, past) if greedy else ("split", past, into)

    # -- running it ----------------------------------------------------------------------------------------
    def match(
        self,
        text: Text,
        start: int,
        counter: Counter,
        groups: dict[Any, Any] | None = None,
        must_advance: bool = False,
    ) -> int | None:
        """Where the match ends that begins at `start`."""
        code, at, position = self.code, 0, start
        now: dict[Any, Any] = {} if groups is None else dict(groups)
        stack: list[tuple[Any, ...]] = []
        while True:
            counter.add(1)
            kind, *rest = code[at]
            fits, at = kind != "end", at + 1
            if kind == "end" and not (must_advance and position == start):
                if groups is not None:
                    groups.update(now)
                return position
            if kind == "one":
                fits = rest[0].match(text, position) is not None
                position += fits
            elif kind == "run":
                scan, least, greedy = rest
                run = scan.match(text, position).end() - position
                if greedy:
                    counter.add(run)
                fits = run >= least
                first = run if greedy else least
                if fits and run > least:
                    stack.append(("run", at, position, now, least, run, first, greedy))
                position += first
            elif kind == "split":
                stack.append(("at", rest[1], position, now))
                at = rest[0]
            elif kind == "jump":
                at = rest[0]
            elif kind == "mark":
                now = {**now, ("loop", rest[0]): position}
            elif kind == "again":
                at = rest[0] if now["loop", rest[0]] != position else at
            elif kind in ("begin", "close"):
                now = self._marked(now, kind, rest[0], position)
            elif kind == "at":
                fits = rest[0].match(text, position) is not None
            elif kind == "look":
                wanted, width, part = rest
                found = None
                if position >= width:
                    found = part.match(text, position - width, counter, now if wanted else dict(now))
                fits = (found is not None) is wanted
            elif kind == "atomic":
                end = rest[0].match(text, position, counter, now)
                fits, position = end is not None, position if end is None else end
            elif kind == "same":
                span = now.get(("group", rest[0]))
                said = None if span is None else text[span[0] : span[1]]
                fits = said is not None and text.startswith(said, position)  # type: ignore[arg-type]
                position += len(said or "") if fits else 0
            if not fits:
                if not stack:
                    return None
                at, position, now = self._back(stack, text, counter)

    @staticmethod
    def _marked(now: dict[Any, Any], kind: str, number: int, position: int) -> dict[Any, Any]:
        if kind == "begin":
            return {**now, ("from", number): position}
        return {**now, ("group", number): (now["from", number], position)}

    def _back(
        self, stack: list[tuple[Any, ...]], text: Text, counter: Counter
    ) -> tuple[int, int, dict[Any, Any]]:
        kind, at, position, now, *rest = stack.pop()
        if kind == "run":
            least, run, last, greedy = rest
            step, end = (-1, least) if greedy else (1, run)
            last += step
            if self.code[at][0] == "one":  # as `re` does: only to places where the next character fits
                fits, before = self.code[at][1].match, last
                while last != end and fits(text, position + last) is None:
                    last += step
                counter.add(abs(last - before))
            if last != end:
                stack.append((kind, at, position, now, least, run, last, greedy))
            position += last
        return at, position, now


def _is_bytes(pattern: "re.Pattern[Any]") -> bool:
    return isinstance(pattern.pattern, bytes)


def found_in(pattern: "re.Pattern[Any]", text: Text, most: int) -> list[tuple[int, int]]:
    """What `finditer` finds."""
    program, counter = Program.of(pattern), Counter(most)
    return [span for span in _attempts(program, text, counter) if span[1] is not None]  # type: ignore[misc]


def _attempts(program: Program, text: Text, counter: Counter) -> Iterator[tuple[int, int | None]]:
    """Each place that `finditer` tries, and where the match there ends."""
    at, must_advance = 0, False
    while at <= len(text):
        end = program.match(text, at, counter, must_advance=must_advance)
        yield at, end
        must_advance = end == at  # after an empty match `re` looks for a longer one at the same place
        at = at + 1 if end is None else end


def steps(pattern: "re.Pattern[Any]", piece: Text, tail: Text, size: int, most: int, once: bool) -> int:
    """Steps through `size` characters of a repeated piece; `once` for a match at the beginning only.

    What an attempt finds in the middle depends on its place within the piece alone. So when `finditer` comes to the
    same place of a piece again, the steps of one round are multiplied instead of made.
    """
    text = piece * (size // len(piece)) + tail  # type: ignore[operator]
    program, counter = Program.of(pattern), Counter(most)
    if once:
        program.match(text, 0, counter)
        return counter.steps
    seen: dict[int, tuple[int, int]] = {}
    middle = size // 4
    for at, _ in _attempts(program, text, counter):
        place = at % len(piece)
        if place in seen and seen[place][0] < at < middle:
            before, spent = seen[place]
            rounds = (len(text) - at) // (at - before)
            counter.add(rounds * (counter.steps - spent))
            return counter.steps
        if at >= 4 * len(piece):
            seen.setdefault(place, (at, counter.steps))
    return counter.steps


def own_pieces(pattern: "re.Pattern[Any]") -> list[str]:
    """What leads up to each part of the pattern, as one piece: the texts on which it begins often and fails late."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if _is_bytes(pattern) else pattern.flags)
    found = {piece for piece in _beginnings(tree) if 0 < len(piece) <= 256}
    return sorted(found)


def _beginnings(tree: Any) -> Iterator[str]:
    before = ""
    for kind, value in tree:
        for inner in _inner(kind, value):
            for piece in _beginnings(inner):
                yield piece
                yield before + piece
        before += _sample(kind, value)
        yield before


def _inner(kind: Any, value: Any) -> list[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.BRANCH:
        return list(value[1])
    return [value] if kind is op.ATOMIC_GROUP else []


def _sample(kind: Any, value: Any) -> str:
    """A short text that this part takes."""
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.IN:
        return str(next(filter(None, (_in_set(*each) for each in value)), "~"))
    if kind in _REPEATS:
        return "".join(_sample(*each) for each in value[2]) * max(int(value[0]), 1)
    inner = _inner(kind, value)
    if inner:
        return "".join(_sample(*each) for each in inner[0])
    return "~" if kind in (op.ANY, op.NOT_LITERAL) else ""


_OF_CATEGORY: Final = {
    op.CATEGORY_DIGIT: "1",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_NOT_DIGIT: "a",
    op.CATEGORY_NOT_WORD: "-",
}


def _in_set(kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.RANGE:
        return chr(value[0])
    return str(_OF_CATEGORY[value]) if kind is op.CATEGORY else ""
