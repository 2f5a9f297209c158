"""An outline of JSON that is too long, with the most relevant of its chunks in their places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, Picked, Summary, encoded, in_kb, weight
from toolbooth.gateway.reduce.pieces import Pieces
from toolbooth.gateway.results.read_request import JsonPath, expression, label, reachable
from toolbooth.gateway.results.relevance import scores

_DEEPEST: Final = 24  # levels that are taken apart: each weighs what is below it once more
_NAMED: Final = 5  # keys of one object that are hidden and still named one by one
_LISTED: Final = 40  # keys of one object that are hidden together and still named
_WORDS: Final = 130  # bytes of a placeholder


Key = str | int


@dataclass(frozen=True)
class Run:
    """Neighbours in one container: their values, and their keys in the whole answer."""

    keys: Sequence[Key]
    values: Sequence[Any]

    def __len__(self) -> int:
        return len(self.values)

    def part(self, start: int, stop: int) -> "Run":
        return Run(self.keys[start:stop], self.values[start:stop])

    @property
    def size(self) -> int:
        names = sum(len(key) + 4 for key in self.keys if isinstance(key, str))
        return weight(self.values) + names


def _members(value: Any) -> Run:
    """The members of an object or an array; placeholders behind picked items belong to nobody."""
    if isinstance(value, dict):
        return Run(list(value), list(value.values()))
    keys = value.indices if isinstance(value, Picked) else range(len(value))
    return Run(keys, value[: len(keys)])


@dataclass(eq=False)
class Chunk:
    """Neighbours that together are about as long as a chunk should be."""

    run: Run
    size: int
    cost: int
    rank: int
    chosen: bool = False

    def text(self) -> str:
        return encoded(list(zip(self.run.keys, self.run.values, strict=True)))


@dataclass(eq=False)
class Branch:
    """A container that is taken apart: its chunks, and members that are branches themselves."""

    value: Any
    path: JsonPath
    size: int
    parts: "list[Chunk | Branch]" = field(default_factory=list)

    @property
    def run(self) -> Run:
        """The branch itself, as its container sees it."""
        return Run([self.path[-1]], [self.value])

    def chunks(self) -> Iterator[Chunk]:
        for part in self.parts:
            yield from (part,) if isinstance(part, Chunk) else part.chunks()

    @cached_property
    def chosen(self) -> bool:
        """Whether any of its chunks is chosen; used after all choices are made."""
        return any(part.chosen for part in self.parts)


class Layout(NamedTuple):
    """How long a chunk is, and whether sizes are shown: not for what an earlier step has cut, since more is read
    there.
    """

    chunk_bytes: int
    sizes: bool = True

    def size(self, count: int) -> str:
        """The size behind a label."""
        return f" ({in_kb(count)})" if self.sizes else ""


def outline(value: Any, intent: str, how: Layout, budget: int) -> Any:
    """The value's shape within about so many bytes; hidden neighbours share one placeholder."""
    root = _taken_apart(value, (), 0, how.chunk_bytes)
    chunks = list(root.chunks())
    relevance = scores(intent, [chunk.text() for chunk in chunks]) if intent else [0.0] * len(chunks)
    _choose(chunks, relevance, budget)
    return _rebuilt(root, how)


# -- taking apart ------------------------------------------------------------------------------------------
def _taken_apart(value: Any, path: JsonPath, size: int, chunk_bytes: int) -> Branch:
    branch = Branch(value, path, size)
    for run, length in _runs(_members(value), chunk_bytes):
        alone = run.values[0] if len(run) == 1 else None
        if length > chunk_bytes and _divisible(alone) and len(path) < _DEEPEST:
            branch.parts.append(_taken_apart(alone, (*path, run.keys[0]), length, chunk_bytes))
        else:
            cost = min(length, chunk_bytes) if isinstance(alone, str) else length
            branch.parts.append(Chunk(run, length, cost, rank=len(branch.parts)))
    return branch


def _runs(whole: Run, chunk_bytes: int) -> Iterator[tuple[Run, int]]:
    """Runs that are short enough, or one member that is not. Weighed together: one by one takes ten times as long."""
    waiting = [whole] if len(whole) else []
    while waiting:
        run = waiting.pop()
        size = run.size
        if size <= chunk_bytes or len(run) == 1:
            yield run, size
            continue
        parts = min(len(run), -(-size // max(1, chunk_bytes * 9 // 10)))
        step = -(-len(run) // max(2, parts))
        waiting.extend(run.part(start, start + step) for start in reversed(range(0, len(run), step)))


def _divisible(value: Any) -> bool:
    return isinstance(value, (dict, list)) and not isinstance(value, Summary) and bool(value)


# -- choosing ----------------------------------------------------------------------------------------------
def _choose(chunks: Sequence[Chunk], relevance: Sequence[float], budget: int) -> None:
    """The most relevant; without an intent the first of every branch before the second of any."""
    budget -= _WORDS
    for index in sorted(range(len(chunks)), key=lambda each: (-relevance[each], chunks[each].rank, each)):
        cost = chunks[index].cost + _WORDS
        if cost <= budget:
            chunks[index].chosen = True
            budget -= cost


# -- putting together --------------------------------------------------------------------------------------
def _rebuilt(branch: Branch, how: Layout) -> Any:
    return _object(branch, how) if isinstance(branch.value, dict) else _array(branch, how)


def _shown(part: Chunk | Branch, path: JsonPath, how: Layout) -> Iterator[tuple[Key, Any]]:
    if isinstance(part, Branch):
        yield part.path[-1], _rebuilt(part, how)
        return
    for key, value in zip(part.run.keys, part.run.values, strict=True):
        yield key, _cut(value, (*path, key), how.chunk_bytes) if isinstance(value, str) else value


def _cut(text: str, path: JsonPath, budget: int) -> Any:
    """Cut a long string to its head and its tail; rendered with the ref once there is one."""
    if len(text) <= budget // 4 or not reachable(path):
        return text
    pieces = Pieces.whole(text, expression(path)).truncated(budget)
    return text if pieces.complete else pieces


def _object(branch: Branch, how: Layout) -> dict[str, Any]:
    hidden = [str(key) for part in branch.parts if not part.chosen for key in part.run.keys]
    one_by_one = len(hidden) <= _NAMED
    shown: dict[str, Any] = {}
    for part in branch.parts:
        if part.chosen:
            shown |= {str(key): value for key, value in _shown(part, branch.path, how)}
        elif one_by_one:
            for key, value in zip(part.run.keys, part.run.values, strict=True):
                where = (*branch.path, key)
                shown[str(key)] = Hidden(f"{label(where)}{how.size(weight(value))}", expression(where))
    if hidden and not one_by_one:
        more = "…"
        while more in branch.value:
            more += "…"
        shown[more] = _other_keys(branch, hidden)
    return shown


def _other_keys(branch: Branch, keys: list[str]) -> Hidden:
    named = ", ".join(label((key,)) for key in keys[:_LISTED])
    more = ", …" if len(keys) > _LISTED else ""
    where = f" of {label(branch.path)}" if branch.path else ""
    return Hidden(f"{len(keys)} more keys{where} ({named}{more})", expression(branch.path))


def _array(branch: Branch, how: Layout) -> list[Any]:
    shown: list[Any] = []
    hidden: list[Chunk | Branch] = []
    for part in branch.parts:
        if not part.chosen:
            hidden.append(part)
            continue
        shown += _gap(branch, hidden, how)
        shown += [value for _, value in _shown(part, branch.path, how)]
        hidden = []
    shown += _gap(branch, hidden, how)
    known = len(branch.value.indices) if isinstance(branch.value, Picked) else len(branch.value)
    return [*shown, *branch.value[known:]]


def _gap(branch: Branch, hidden: Sequence[Chunk | Branch], how: Layout) -> list[Hidden]:
    """One placeholder for neighbours; a slice only if it loses nothing, because JMESPath drops null."""
    if not hidden:
        return []
    runs = [part.run for part in hidden]
    first, last = int(runs[0].keys[0]), int(runs[-1].keys[-1]) + 1
    sliced = last - first == sum(map(len, runs)) and all(None not in run.values for run in runs)
    rest = runs[-1].values[-1]
    if isinstance(rest, Summary):  # it represents all that follows, as far as its own placeholder says
        sliced = sliced and rest[NOT_SHOWN].path != expression(branch.path)
        where = expression(branch.path, first) if sliced else expression(branch.path)
        return [Hidden(f"{label(branch.path, first)} and all that follow", where)]
    where = expression(branch.path, first, last) if sliced else expression(branch.path)
    size = how.size(sum(part.size for part in hidden))
    return [Hidden(f"{label(branch.path, first, last)}{size}", where)]
