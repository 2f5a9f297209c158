"""Writes that one chunk of input leads to: the first at once, the others together, all in order."""

import asyncio
from collections.abc import Iterator

import pytest

from toolbooth.catalog.connect import JoinedWrites, take_all

pytestmark = pytest.mark.anyio


class Recorder:
    """What was written, one entry for each system call."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self.writes = JoinedWrites(lambda data: self.calls.append(bytes(data)))

    def taking(self, *pieces: bytes) -> Iterator[bytes]:
        """The events of a chunk with several frames."""
        yield from pieces


def test_without_a_chunk_each_piece_is_a_write() -> None:
    recorder = Recorder()
    for piece in (b"one", b"two"):
        recorder.writes.add(piece)
    assert recorder.calls == [b"one", b"two"]


def test_the_first_piece_of_a_chunk_goes_at_once_and_the_rest_is_one_write() -> None:
    recorder, seen = Recorder(), []

    def take(piece: bytes) -> None:
        recorder.writes.add(piece)
        seen.append(list(recorder.calls))

    take_all(recorder.taking(b"one", b"two", b"three"), take)
    assert seen == [[b"one"]] * 3
    assert recorder.calls == [b"one", b"twothree"]


def test_each_pipe_has_its_own_writes() -> None:
    one, other = Recorder(), Recorder()

    def take(piece: bytes) -> None:
        one.writes.add(piece)
        other.writes.add(piece.upper())

    take_all(one.taking(b"a", b"b", b"c"), take)
    assert (one.calls, other.calls) == ([b"a", b"bc"], [b"A", b"BC"])


def test_a_large_piece_is_not_copied_and_keeps_its_place() -> None:
    recorder, large = Recorder(), bytes(1 << 16)
    take_all(recorder.taking(b"one", b"two", large, b"three"), recorder.writes.add)
    assert recorder.calls == [b"one", b"two", large, b"three"]


def test_an_event_that_fails_keeps_nothing_back() -> None:
    recorder = Recorder()

    def take(piece: bytes) -> None:
        recorder.writes.add(piece)
        if piece == b"two":
            raise KeyError(piece)

    with pytest.raises(KeyError):
        take_all(recorder.taking(b"one", b"two", b"three"), take)
    recorder.writes.add(b"four")
    assert recorder.calls == [b"one", b"two", b"four"]


async def test_a_task_that_a_chunk_has_started_writes_at_once_when_it_is_taken() -> None:
    recorder, tasks = Recorder(), []

    async def later(piece: bytes) -> None:
        recorder.writes.add(piece)

    def take(piece: bytes) -> None:
        recorder.writes.add(piece)
        tasks.append(asyncio.ensure_future(later(piece * 2)))

    take_all(recorder.taking(b"a", b"b", b"c"), take)
    await asyncio.gather(*tasks)
    assert recorder.calls == [b"a", b"bc", b"aa", b"bb", b"cc"]


def test_a_chunk_within_a_chunk_keeps_the_order() -> None:
    recorder = Recorder()

    def take(piece: bytes) -> None:
        recorder.writes.add(piece)
        if piece == b"two":
            take_all(recorder.taking(b"in", b"side"), recorder.writes.add)

    take_all(recorder.taking(b"one", b"two", b"three", b"four"), take)
    assert b"".join(recorder.calls) == b"onetwoinsidethreefour"


def test_a_pipe_that_is_closed_keeps_nothing_of_the_others_back() -> None:
    one, other = Recorder(), Recorder()

    def refuse(_data: object) -> None:
        if len(one.calls):
            raise BrokenPipeError
        one.calls.append(b"first")

    closed = JoinedWrites(refuse)

    def take(piece: bytes) -> None:
        closed.add(piece)
        other.writes.add(piece)

    with pytest.raises(BrokenPipeError):
        take_all(one.taking(b"a", b"b", b"c"), take)
    assert other.calls == [b"a", b"bc"]
