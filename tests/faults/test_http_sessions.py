"""A client with the key that leaves sessions and streams behind, against `toolbooth serve --http`."""

import http.client
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.behaviour.gateway_process import (
    PATIENCE,
    GatewayProcess,
    SteeredServer,
    message,
    read,
    send,
    through_menu,
    until,
)
from tests.faults.test_http_strangers import is_open, limited
from toolbooth.limits import MAX_HTTP_SESSIONS


@pytest.mark.promise("gateway:fair")
def test_sessions_that_are_never_used_keep_no_new_client_out(tmp_path: Path) -> None:
    with limited(tmp_path, 1024) as gateway:
        regular = gateway.client()
        assert regular.call("near.echo", "one").text == "echo says one"
        for _ in range(MAX_HTTP_SESSIONS + 20):
            gateway.client()
        assert gateway.client().call("near.echo", "two").text == "echo says two"
        assert regular.call("near.echo", "three").text == "echo says three", "who works keeps the session"


FEW = 300  # descriptors: 33 guests


def left_open(gateway: GatewayProcess, count: int, stack: ExitStack) -> list[http.client.HTTPResponse]:
    return [stack.enter_context(gateway.client().listening()) for _ in range(count)]


@pytest.mark.promise("serve-http:left-open")
def test_streams_that_are_left_open_keep_nobody_out_and_end_no_call(tmp_path: Path) -> None:
    with limited(tmp_path, FEW) as gateway, ExitStack() as stack:
        regular, call = gateway.client(), gateway.connect()
        body = message("tools/call", through_menu("near.wait", "sign"), 900)
        send(call, "POST", "/mcp", body, gateway.own(regular.headers))
        near = SteeredServer(tmp_path / "near")
        until(lambda: "wait sign" in near.notes("heard"), "the call is at its server")
        streams = left_open(gateway, 60, stack)
        assert [each.status for each in streams] == [200] * 60
        assert gateway.client().call("near.echo", "in").text == "echo says in"
        near.sign("sign")
        assert read(call).text == "wait says sign"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this machine has one address")
@pytest.mark.promise("serve-http:left-open")
def test_who_leaves_streams_open_loses_its_own(tmp_path: Path) -> None:
    with limited(tmp_path, FEW) as gateway, ExitStack() as stack:
        elsewhere = http.client.HTTPConnection(
            "127.0.0.1", gateway.port, timeout=PATIENCE, source_address=("127.0.0.2", 0)
        )
        with closing(elsewhere):
            send(elsewhere, "GET", "/mcp", None, gateway.own(gateway.client().headers))
            assert elsewhere.getresponse().status == 200
            first, *_ = left_open(gateway, 60, stack)
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                first.read()
            assert elsewhere.sock is not None
            assert is_open(elsewhere.sock)
