"""Writes of one turn of the event loop: the first at once, the others together, all in order."""

import anyio
import anyio.lowlevel
import pytest

from toolbooth.catalog.connect import JoinedWrites

pytestmark = pytest.mark.anyio


class Wire:
    """What was written, one entry for each system call."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self.writes = JoinedWrites(lambda data: self.calls.append(bytes(data)))


async def test_a_single_piece_waits_for_nothing() -> None:
    wire = Wire()
    wire.writes.add(b"one")
    assert wire.calls == [b"one"]


async def test_the_rest_of_a_turn_is_one_write() -> None:
    wire = Wire()
    for piece in (b"one", b"two", b"three"):
        wire.writes.add(piece)
    assert wire.calls == [b"one"]
    await anyio.lowlevel.checkpoint()
    assert wire.calls == [b"one", b"twothree"]


async def test_the_next_turn_begins_anew() -> None:
    wire = Wire()
    wire.writes.add(b"one")
    await anyio.lowlevel.checkpoint()
    wire.writes.add(b"two")
    assert wire.calls == [b"one", b"two"]


async def test_a_large_piece_is_not_copied_and_keeps_its_place() -> None:
    wire, large = Wire(), bytes(1 << 16)
    for piece in (b"one", b"two", large, b"three"):
        wire.writes.add(piece)
    wire.writes.flush()
    assert wire.calls == [b"one", b"two", large, b"three"]
