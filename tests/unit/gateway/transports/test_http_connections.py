"""Connections with and without the key: which is closed at the limit, and what a failing accept costs."""

import asyncio
import errno
import socket
from typing import Any

import anyio
import pytest

from toolbooth.errors import UserMistake
from toolbooth.gateway.transports.http_connections import (
    ConnectionAdmission,
    _Accepting,
    accept_all,
    listen,
    raise_descriptor_limit,
)
from toolbooth.limits import MAX_AUTHENTICATED, MAX_UNAUTHENTICATED, SPARE_DESCRIPTORS


class Visitor:
    """A connection that remembers that it was dropped."""

    def __init__(self, address: str) -> None:
        self.address, self.dropped = address, False

    def drop(self) -> None:
        self.dropped = True


def entered(admission: ConnectionAdmission, count: int, address: str = "127.0.0.1") -> list[Visitor]:
    made = [Visitor(address) for _ in range(count)]
    for each in made:
        admission.enter(each)
    return made


def guests(
    admission: ConnectionAdmission, count: int, address: str = "127.0.0.1", *, standing: bool = True
) -> list[Visitor]:
    """Each shows the key as soon as it is connected."""
    made = []
    for _ in range(count):
        made += entered(admission, 1, address)
        assert admission.admit(made[-1], standing=standing)
    return made


def dropped(visitors: list[Visitor]) -> list[int]:
    return [number for number, each in enumerate(visitors) if each.dropped]


def test_the_oldest_stranger_goes_when_another_comes() -> None:
    visitors = entered(ConnectionAdmission(), MAX_UNAUTHENTICATED + 3)
    assert [each.dropped for each in visitors] == [True] * 3 + [False] * MAX_UNAUTHENTICATED


def test_a_guest_is_never_dropped_for_strangers() -> None:
    admission = ConnectionAdmission()
    (guest,) = guests(admission, 1)
    entered(admission, MAX_UNAUTHENTICATED * 3)
    admission.evict_idle()
    assert not guest.dropped
    assert admission.admit(guest, standing=True)


def test_authenticated_connections_are_counted_apart_and_those_that_leave_free_a_slot() -> None:
    admission = ConnectionAdmission()
    crowd = guests(admission, MAX_AUTHENTICATED, standing=False)
    (late,) = entered(admission, 1)
    assert not admission.admit(late, standing=False), "all are at work, for one address"
    admission.leave(crowd[0])
    assert admission.admit(late, standing=False)
    assert dropped(crowd) == []


def test_streams_that_are_left_open_keep_nobody_out() -> None:
    admission = ConnectionAdmission()
    working = guests(admission, 1, standing=False)
    leaked = guests(admission, MAX_AUTHENTICATED - 1)
    guests(admission, 3)
    assert dropped(leaked) == [0, 1, 2], "the longest idle go"
    assert dropped(working) == []


def test_a_guest_that_was_used_again_is_not_the_longest_idle() -> None:
    admission = ConnectionAdmission()
    crowd = guests(admission, MAX_AUTHENTICATED, standing=False)
    for number in (2, 1, 0):
        admission.rest(crowd[number])
    assert admission.admit(crowd[2], standing=False)
    guests(admission, 1, standing=False)
    assert dropped(crowd) == [1]
    admission.rest(crowd[2])
    guests(admission, 2, standing=False)
    assert dropped(crowd) == [0, 1, 2]


def test_the_address_with_the_most_guests_gives_way() -> None:
    admission = ConnectionAdmission()
    few = guests(admission, 10, "192.0.2.1")
    many = guests(admission, MAX_AUTHENTICATED - 10, "192.0.2.2")
    guests(admission, 5, "192.0.2.3")
    assert (dropped(few), dropped(many)) == ([], [0, 1, 2, 3, 4])


def test_calls_of_one_address_keep_no_other_out() -> None:
    admission = ConnectionAdmission()
    many = guests(admission, MAX_AUTHENTICATED, "192.0.2.2", standing=False)
    other = guests(admission, 1, "192.0.2.3", standing=False)
    assert dropped(many) == [0]
    (late,) = entered(admission, 1, "192.0.2.2")
    assert not admission.admit(late, standing=False)
    admission.rest(many[7])
    assert admission.admit(late, standing=False)
    assert (dropped(many), dropped(other)) == ([0, 7], [])


def test_who_was_dropped_before_its_request_was_read_takes_no_place() -> None:
    admission = ConnectionAdmission()
    first, *_ = entered(admission, MAX_UNAUTHENTICATED + 1)
    assert first.dropped
    assert not admission.admit(first, standing=True)


@pytest.mark.parametrize("descriptors", [64, 300, 1024, 4096])
def test_few_descriptors_are_respected(descriptors: int) -> None:
    admission = ConnectionAdmission(descriptors)
    visitors = guests(admission, 2_000) + entered(admission, 2_000)
    open_ones = sum(not each.dropped for each in visitors)
    assert 16 <= open_ones <= max(descriptors - SPARE_DESCRIPTORS, 16)


def test_the_limit_of_descriptors_is_returned_and_not_lowered() -> None:
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
    came, admission = anyio.Event(), ConnectionAdmission()
    visitors = entered(admission, 8)

    class Greeting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            came.set()
            transport.close()

    (listening,) = listen("127.0.0.1", 0)
    with Failing(listening, [OSError(number, "as told")] * 3) as failing:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(accept_all, failing, Greeting, admission)
            async with await anyio.connect_tcp(*failing.getsockname()):
                await came.wait()
            tasks.cancel_scope.cancel()
    scarce = not watched or number in (errno.EMFILE, errno.ENFILE)
    assert sum(each.dropped for each in visitors) == (4 + 2 + 1 if scarce else 0)


def test_all_addresses_of_a_host_get_the_same_port() -> None:
    sockets = listen("localhost", 0)
    try:
        assert len({each.getsockname()[1] for each in sockets}) == 1
        for each in sockets:
            host, port = each.getsockname()[:2]
            socket.create_connection((host, port), 5).close()
    finally:
        for each in sockets:
            each.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_port_in_use_at_one_address_is_refused_at_all(host: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        pytest.raises(UserMistake, match=r"address already in use.*--port"),
    ):
        listen(host, other.getsockname()[1])


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "x" * 300])
def test_a_host_that_is_not_this_machine_is_refused(host: str) -> None:
    with pytest.raises(UserMistake, match="--host"):
        listen(host, 0)
