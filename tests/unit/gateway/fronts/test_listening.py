"""A host and a port → sockets, or one line."""

import socket

import pytest

from toolbooth.errors import UserMistake
from toolbooth.gateway.fronts.listening import listen


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
