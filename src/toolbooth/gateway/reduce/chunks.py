"""JSON that is too long → its outline, with the most relevant of its chunks in their places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, Picked, Summary, encoded, in_kb, weight
from toolbooth.gateway.reduce.paths import Path, expression, label
from toolbooth.gateway.reduce.pieces import Pieces
from toolbooth.gateway.reduce.walk import Member, members
from toolbooth.gateway.results.relevance import scores

_DEEPEST: Final = 24  # levels that are taken apart: each weighs once more what is below it
_NAMED: Final = 5  # keys of one object that are not shown and still named one by one
_LISTED: Final = 40  # keys of one object that stay behind together and still are named
_WORDS: Final = 130  # bytes of a placeholder


@dataclass(eq=False)
class Chunk:
    """Neighbours in one container that together are about as long as a chunk should be."""

    rank: int
    members: list[Member] = field(default_factory=list)
    size: int = 0
    cost: int = 0
    chosen: bool = False

    def text(self) -> str:
        return encoded([[each.key, each.value] for each in self.members])


@dataclass(eq=False)
class Branch:
    """A container that is taken apart: its chunks, and members that are branches themselves."""

    value: Any
    path: Path
    size: int
    parts: "list[Chunk | Branch]" = field(default_factory=list)

    @property
    def members(self) -> list[Member]:
        """Itself, as its container sees it."""
        return [Member(self.path[-1], self.value)]

    def chunks(self) -> Iterator[Chunk]:
        for part in self.parts:
            yield from (part,) if isinstance(part, Chunk) else part.chunks()

    @cached_property
    def chosen(self) -> bool:
        """Whether any of its chunks is; asked once all are chosen."""
        return any(part.chosen for part in self.parts)


def outline(value: Any, intent: str, chunk_bytes: int, room: int) -> Any:
    """The same shape, within about so many bytes; neighbours that are not shown share one placeholder."""
    root = _taken_apart(value, (), 0, chunk_bytes, 0)
    chunks = list(root.chunks())
    relevance = scores(intent, [chunk.text() for chunk in chunks]) if intent else [0.0] * len(chunks)
    _choose(chunks, relevance, room)
    return _rebuilt(root, chunk_bytes)


# -- taking apart ------------------------------------------------------------------------------------------
def _taken_apart(value: Any, path: Path, size: int, chunk_bytes: int, depth: int) -> Branch:
    branch = Branch(value, path, size)
    last: Chunk | None = None
    for member in members(value):
        key_size = len(member.key) + 4 if isinstance(member.key, str) else 1
        size = weight(member.value) + key_size
        if size > chunk_bytes and _divisible(member.value) and depth < _DEEPEST:
            inner = (*path, member.key)
            branch.parts.append(_taken_apart(member.value, inner, size, chunk_bytes, depth + 1))
            last = None
            continue
        if last is None or last.size + size > chunk_bytes:
            last = Chunk(rank=len(branch.parts))
            branch.parts.append(last)
        last.members.append(member)
        last.size += size
        last.cost += min(size, chunk_bytes) if isinstance(member.value, str) else size
    return branch


def _divisible(value: Any) -> bool:
    return isinstance(value, (dict, list)) and not isinstance(value, Summary) and bool(value)


# -- choosing ----------------------------------------------------------------------------------------------
def _choose(chunks: Sequence[Chunk], relevance: Sequence[float], room: int) -> None:
    """The most relevant; without an intent the first of every branch before the second of any."""
    room -= _WORDS
    for index in sorted(range(len(chunks)), key=lambda each: (-relevance[each], chunks[each].rank, each)):
        cost = chunks[index].cost + _WORDS
        if cost <= room:
            chunks[index].chosen = True
            room -= cost


# -- putting together --------------------------------------------------------------------------------------
def _rebuilt(branch: Branch, chunk_bytes: int) -> Any:
    return _object(branch, chunk_bytes) if isinstance(branch.value, dict) else _array(branch, chunk_bytes)


def _shown(part: Chunk | Branch, path: Path, chunk_bytes: int) -> Iterator[Member]:
    if isinstance(part, Branch):
        yield Member(part.path[-1], _rebuilt(part, chunk_bytes))
        return
    for key, value in part.members:
        yield Member(key, _cut(value, (*path, key), chunk_bytes) if isinstance(value, str) else value)


def _cut(text: str, path: Path, room: int) -> Any:
    """A long string by its head and its tail; rendered with the ref once there is one."""
    if len(text) <= room // 4:
        return text
    pieces = Pieces.whole(text, expression(path)).truncated(room)
    return text if pieces.complete else pieces


def _object(branch: Branch, chunk_bytes: int) -> dict[str, Any]:
    hidden = [each.key for part in branch.parts if not part.chosen for each in part.members]
    named = set(hidden[:_NAMED]) if len(hidden) <= _NAMED else set()
    shown: dict[str, Any] = {}
    for part in branch.parts:
        if part.chosen:
            shown |= {str(key): value for key, value in _shown(part, branch.path, chunk_bytes)}
            continue
        for key, value in part.members:
            if key in named:
                where = (*branch.path, key)
                shown[str(key)] = Hidden(f"{label(where)} ({in_kb(weight(value))})", expression(where))
    if len(hidden) > len(named):
        shown["…"] = _other_keys(branch, [str(key) for key in hidden])
    return shown


def _other_keys(branch: Branch, keys: list[str]) -> Hidden:
    named = ", ".join(label((key,)) for key in keys[:_LISTED])
    more = ", …" if len(keys) > _LISTED else ""
    where = f" of {label(branch.path)}" if branch.path else ""
    return Hidden(f"{len(keys)} more keys{where} ({named}{more})", expression(branch.path))


def _array(branch: Branch, chunk_bytes: int) -> list[Any]:
    shown: list[Any] = []
    run: list[Member] = []
    size = 0
    for part in branch.parts:
        if part.chosen:
            shown += _run(branch, run, size)
            shown += [value for _, value in _shown(part, branch.path, chunk_bytes)]
            run, size = [], 0
        else:
            run, size = run + part.members, size + part.size
    shown += _run(branch, run, size)
    known = len(branch.value.indices) if isinstance(branch.value, Picked) else len(branch.value)
    return [*shown, *branch.value[known:]]


def _run(branch: Branch, run: list[Member], size: int) -> list[Hidden]:
    """One placeholder for neighbours; a slice only where it loses nothing, for JMESPath drops what is null."""
    if not run:
        return []
    first, last = int(run[0].key), int(run[-1].key) + 1
    sliced = last - first == len(run) and all(each.value is not None for each in run)
    rest = run[-1].value
    if isinstance(rest, Summary):  # it stands for all that follows, as far as its own words lead
        sliced = sliced and rest[NOT_SHOWN].path != expression(branch.path)
        where = expression(branch.path, first) if sliced else expression(branch.path)
        return [Hidden(f"{label(branch.path, first)} and all that follow", where)]
    where = expression(branch.path, first, last) if sliced else expression(branch.path)
    return [Hidden(f"{label(branch.path, first, last)} ({in_kb(size)})", where)]
