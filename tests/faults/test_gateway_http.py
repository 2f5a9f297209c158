"""Servers over HTTP behind the gateway: the same faults, the same words, and back when they are back."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway
from tests.server_process import free_port, running

HOSTILE_HTTP = str(Path(__file__).with_name("hostile_http.py"))


class Remote:
    """A hostile server at an address of its own, which can be taken away and put back."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._port, self._up = folder, free_port(), ExitStack()
        self.put_back()

    def put_back(self) -> None:
        process: AbstractContextManager[None] = running(
            [sys.executable, HOSTILE_HTTP, str(self._port)], self._port
        )
        self._up.enter_context(process)

    def take_away(self) -> None:
        self._up.close()

    def server(self, name: str, **settings: Any) -> HostileServer:
        url = f"http://127.0.0.1:{self._port}/calls"
        return HostileServer(name, self.folder, remote={"url": url, "transport": "http", **settings})


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    made = Remote(tmp_path_factory.mktemp("http"))
    yield made
    made.take_away()


@pytest.fixture(scope="module")
def booth(remote: Remote) -> Iterator[DrivenGateway]:
    silent = remote.server("silent", call_timeout=2)  # never asked for an answer in time
    with gateway(remote.folder, remote.server("far"), silent, HostileServer("good", remote.folder)) as made:
        yield made


@pytest.mark.promise("gateway:http")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("far.failing", "answered HTTP 500"),
        ("far.flood", "sent one message over 16 MiB. Ask for less"),
        ("far.break_off", "closed the connection. The call may have had its effect"),
        ("silent.hang", "did not answer tools/call within 2 s"),
    ],
)
def test_a_call_that_fails_over_http_is_said_and_the_next_one_is_answered(
    booth: DrivenGateway, call: str, words: str
) -> None:
    failing = booth.begin_call(call)
    assert booth.call("good.ok").text == "ok"
    said = booth.said(failing)
    assert said.error
    assert words in said.text
    assert booth.call("far.ok").text == "ok"


@pytest.mark.promise("gateway:http")
def test_a_server_that_went_away_and_came_back_without_its_sessions_is_found_again(
    booth: DrivenGateway, remote: Remote
) -> None:
    assert booth.call("far.ok").text == "ok"
    remote.take_away()
    assert booth.call("far.ok").error
    said = booth.call("far.ok")
    assert "could not be reached" in said.text
    assert booth.call("good.ok").text == "ok"
    remote.put_back()
    assert booth.call("far.ok").text == "ok"


@pytest.mark.promise("gateway:http")
def test_a_server_that_dies_in_a_call_over_http_is_a_crash(tmp_path: Path) -> None:
    remote = Remote(tmp_path)
    try:
        with gateway(tmp_path, remote.server("far")) as booth:
            said = booth.call("far.die")
            assert said.error
            assert "The call may have had its effect: check before you repeat it" in said.text
    finally:
        remote.take_away()


@pytest.mark.promise("gateway:clean-texts")
def test_no_library_writes_what_a_server_said_to_stderr(tmp_path: Path, remote: Remote) -> None:
    with gateway(tmp_path, remote.server("far")) as booth:
        assert "sent invalid JSON" in booth.call("far.not_json").text
    errors = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("stderr")]
    assert not any("oops" in each for each in errors)
