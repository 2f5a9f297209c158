"""Strangers and guests: who goes when there is no room, and what a failing accept costs."""

import asyncio
import errno
import socket
from typing import Any

import anyio
import pytest

from toolbooth.gateway.fronts.listening import listen, raise_descriptor_limit
from toolbooth.gateway.fronts.lobby import Lobby, _Accepting, accept_all
from toolbooth.limits import MAX_GUESTS, MAX_STRANGERS, SPARE_DESCRIPTORS


class Visitor:
    """A connection that remembers that it was dropped."""

    def __init__(self, address: str) -> None:
        self.address, self.dropped = address, False

    def drop(self) -> None:
        self.dropped = True


def entered(lobby: Lobby, count: int, address: str = "127.0.0.1") -> list[Visitor]:
    made = [Visitor(address) for _ in range(count)]
    for each in made:
        lobby.enter(each)
    return made


def guests(lobby: Lobby, count: int, address: str = "127.0.0.1", *, standing: bool = True) -> list[Visitor]:
    """Each shows the key as soon as it is connected."""
    made = []
    for _ in range(count):
        made += entered(lobby, 1, address)
        assert lobby.admit(made[-1], standing=standing)
    return made


def dropped(visitors: list[Visitor]) -> list[int]:
    return [number for number, each in enumerate(visitors) if each.dropped]


def test_the_oldest_stranger_goes_when_another_comes() -> None:
    visitors = entered(Lobby(), MAX_STRANGERS + 3)
    assert [each.dropped for each in visitors] == [True] * 3 + [False] * MAX_STRANGERS


def test_a_guest_is_never_dropped_for_strangers() -> None:
    lobby = Lobby()
    (guest,) = guests(lobby, 1)
    entered(lobby, MAX_STRANGERS * 3)
    lobby.make_room()
    assert not guest.dropped
    assert lobby.admit(guest, standing=True)


def test_guests_at_work_are_counted_apart_and_those_who_leave_make_room() -> None:
    lobby = Lobby()
    crowd = guests(lobby, MAX_GUESTS, standing=False)
    (late,) = entered(lobby, 1)
    assert not lobby.admit(late, standing=False), "all are at work, for one address"
    lobby.leave(crowd[0])
    assert lobby.admit(late, standing=False)
    assert dropped(crowd) == []


def test_streams_that_are_left_open_keep_nobody_out() -> None:
    lobby = Lobby()
    working = guests(lobby, 1, standing=False)
    leaked = guests(lobby, MAX_GUESTS - 1)
    guests(lobby, 3)
    assert dropped(leaked) == [0, 1, 2], "the longest idle go"
    assert dropped(working) == []


def test_a_guest_that_was_used_again_is_not_the_longest_idle() -> None:
    lobby = Lobby()
    crowd = guests(lobby, MAX_GUESTS, standing=False)
    for number in (2, 1, 0):
        lobby.rest(crowd[number])
    assert lobby.admit(crowd[2], standing=False)
    guests(lobby, 1, standing=False)
    assert dropped(crowd) == [1]
    lobby.rest(crowd[2])
    guests(lobby, 2, standing=False)
    assert dropped(crowd) == [0, 1, 2]


def test_the_address_with_the_most_guests_gives_way() -> None:
    lobby = Lobby()
    few = guests(lobby, 10, "192.0.2.1")
    many = guests(lobby, MAX_GUESTS - 10, "192.0.2.2")
    guests(lobby, 5, "192.0.2.3")
    assert (dropped(few), dropped(many)) == ([], [0, 1, 2, 3, 4])


def test_calls_of_one_address_keep_no_other_out() -> None:
    lobby = Lobby()
    many = guests(lobby, MAX_GUESTS, "192.0.2.2", standing=False)
    other = guests(lobby, 1, "192.0.2.3", standing=False)
    assert dropped(many) == [0]
    (late,) = entered(lobby, 1, "192.0.2.2")
    assert not lobby.admit(late, standing=False)
    lobby.rest(many[7])
    assert lobby.admit(late, standing=False)
    assert (dropped(many), dropped(other)) == ([0, 7], [])


def test_who_was_dropped_before_its_request_was_read_takes_no_place() -> None:
    lobby = Lobby()
    first, *_ = entered(lobby, MAX_STRANGERS + 1)
    assert first.dropped
    assert not lobby.admit(first, standing=True)


@pytest.mark.parametrize("descriptors", [64, 300, 1024, 4096])
def test_few_descriptors_are_respected(descriptors: int) -> None:
    lobby = Lobby(descriptors)
    visitors = guests(lobby, 2_000) + entered(lobby, 2_000)
    open_ones = sum(not each.dropped for each in visitors)
    assert 16 <= open_ones <= max(descriptors - SPARE_DESCRIPTORS, 16)


def test_the_limit_of_descriptors_is_told_and_not_lowered() -> None:
    resource = pytest.importorskip("resource", reason="Windows counts no descriptors")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        assert raise_descriptor_limit() >= min(before, 4_096)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= before
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def _not_here(_accepting: object) -> None:
    raise NotImplementedError


class Failing(socket.socket):
    """A listening socket whose first accepts fail."""

    def __init__(self, listening: socket.socket, failures: list[OSError]) -> None:
        super().__init__(fileno=listening.detach())
        self.failures = failures

    def accept(self) -> tuple[socket.socket, Any]:
        if self.failures:
            raise self.failures.pop()
        return super().accept()


@pytest.mark.anyio
@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ECONNABORTED, errno.EPERM])
async def test_an_accept_that_fails_is_tried_again(
    number: int, watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not watched:  # as on Windows
        monkeypatch.setattr(_Accepting, "resume", _not_here)
    came, lobby = anyio.Event(), Lobby()
    visitors = entered(lobby, 8)

    class Greeting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            came.set()
            transport.close()

    (listening,) = listen("127.0.0.1", 0)
    with Failing(listening, [OSError(number, "as told")] * 3) as failing:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(accept_all, failing, Greeting, lobby)
            async with await anyio.connect_tcp(*failing.getsockname()):
                await came.wait()
            tasks.cancel_scope.cancel()
    scarce = not watched or number in (errno.EMFILE, errno.ENFILE)
    assert sum(each.dropped for each in visitors) == (4 + 2 + 1 if scarce else 0)
