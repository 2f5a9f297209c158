"""Strangers and guests: who goes when there is no room, and what a failing accept costs."""

import asyncio
import errno
import socket
from typing import Any

import anyio
import pytest

from toolbooth.gateway.fronts.listening import listen, raise_descriptor_limit
from toolbooth.gateway.fronts.lobby import Lobby, _Accepting, accept_all
from toolbooth.limits import MAX_GUESTS, MAX_STRANGERS


class Visitor:
    """A connection that remembers that it was dropped."""

    def __init__(self) -> None:
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def entered(lobby: Lobby, count: int) -> list[Visitor]:
    made = [Visitor() for _ in range(count)]
    for each in made:
        lobby.enter(each)
    return made


def test_the_oldest_stranger_goes_when_another_comes() -> None:
    visitors = entered(Lobby(), MAX_STRANGERS + 3)
    assert [each.dropped for each in visitors] == [True] * 3 + [False] * MAX_STRANGERS


def test_a_guest_is_never_dropped_for_strangers() -> None:
    lobby = Lobby()
    (guest,) = entered(lobby, 1)
    assert lobby.admit(guest)
    entered(lobby, MAX_STRANGERS * 3)
    lobby.make_room()
    assert not guest.dropped
    assert lobby.admit(guest)


def test_guests_are_counted_apart_and_those_who_leave_make_room() -> None:
    lobby = Lobby()
    visitors = entered(lobby, MAX_STRANGERS)
    while len(visitors) < MAX_GUESTS:
        assert lobby.admit(visitors[-1])
        visitors += entered(lobby, 1)
    for each in visitors:
        lobby.admit(each)
    (late,) = entered(lobby, 1)
    assert not lobby.admit(late)
    lobby.leave(visitors[0])
    assert lobby.admit(late)


@pytest.mark.parametrize("descriptors", [64, 300, 1024])
def test_few_descriptors_are_respected(descriptors: int) -> None:
    lobby = Lobby(descriptors)
    visitors = entered(lobby, 2_000)
    strangers = sum(not each.dropped for each in visitors)
    guests = 0
    for each in reversed(visitors):
        guests += lobby.admit(each)
    assert 0 < strangers + guests <= max(descriptors - 256, 16) + strangers


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
