"""What the guard lets through, and how what it let through ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolbooth.access import LOCAL_USER, AccessKey, AccessKeys, Principal
from toolbooth.gateway.transports.http_guard import (
    CONNECTION,
    PRINCIPAL,
    Guard,
    LoginThrottle,
    network_of,
)
from toolbooth.limits import LOGIN_FREE, MAX_LOGIN_ADDRESSES, MAX_LOGIN_DELAY

pytestmark = pytest.mark.anyio
Sent = list[dict[str, Any]]
KEYS = AccessKeys([AccessKey("key", "ONE"), AccessKey("another key", "TWO")])


class Peer:
    """The other side of one request: its body comes as it is fed, its answer is kept."""

    def __init__(self, method: str = "POST", path: str = "/mcp", **headers: str) -> None:
        named = {"host": "localhost", **{key.replace("_", "-"): value for key, value in headers.items()}}
        raw = [(key.encode(), value.encode()) for key, value in named.items()]
        self.scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": raw}
        self._body: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: Sent = []

    async def receive(self) -> dict[str, Any]:
        return await self._body.get()

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None

    def say(self, body: bytes = b"{}", *, more: bool = False) -> None:
        self._body.put_nowait({"type": "http.request", "body": body, "more_body": more})


class App:
    """Reads the body, begins an answer if it is to, then waits for a sign."""

    def __init__(self, *, begins: bool = False) -> None:
        self.begins = begins
        self.reached, self.sign = anyio.Event(), anyio.Event()

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        if self.begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        self.reached.set()
        await self.sign.wait()
        if not self.begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})


async def served(guard: Guard, peer: Peer, app: Callable[..., Awaitable[None]]) -> None:
    await guard.around(app)(peer.scope, peer.receive, peer.send)


async def test_a_stop_waits_for_a_call_and_takes_no_new_one() -> None:
    guard, peer, late, app = Guard("127.0.0.1", None, LoginThrottle(print)), Peer(), Peer(), App()
    peer.say()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served, guard, peer, app)
        await app.reached.wait()
        drained = anyio.Event()

        async def drain() -> None:
            await guard.drain(60)
            drained.set()

        tasks.start_soon(drain)
        while not guard.draining:
            await anyio.lowlevel.checkpoint()
        await served(guard, late, app)
        assert (late.status, drained.is_set()) == (503, False)
        app.sign.set()
    assert peer.sent[-1]["body"] == b"done"


@pytest.mark.parametrize("begins", [False, True])
async def test_a_call_that_never_ends_gets_a_proper_end_after_the_grace(begins: bool) -> None:
    guard, peer, app = Guard("127.0.0.1", None, LoginThrottle(print)), Peer(), App(begins=begins)
    peer.say()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served, guard, peer, app)
        await app.reached.wait()
        await guard.drain(0.01)
    assert peer.status == (200 if begins else 503)
    assert not peer.sent[-1].get("more_body")


@pytest.mark.parametrize(("method", "asked"), [("GET", "x"), ("POST", "subscriptions/listen")])
async def test_an_open_stream_delays_no_stop(method: str, asked: str) -> None:
    guard, peer, app = (
        Guard("127.0.0.1", None, LoginThrottle(print)),
        Peer(method, mcp_method=asked),
        App(begins=True),
    )
    peer.say()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served, guard, peer, app)
        await app.reached.wait()
        with anyio.fail_after(240):
            await guard.drain(3600)
    assert peer.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_a_body_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.HTTP_BODY_DEADLINE", 0.05)
    peer, app = Peer(), App()
    peer.say(b"{", more=True)
    await served(Guard("127.0.0.1", None, LoginThrottle(print)), peer, app)
    assert peer.status == 408
    assert not app.reached.is_set()


async def test_a_client_may_wait_long_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline is that of the body."""
    monkeypatch.setattr("toolbooth.limits.HTTP_BODY_DEADLINE", 0.05)
    peer, heard = Peer(), []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await receive()
        with anyio.move_on_after(0.2):
            heard.append(await receive())
        heard.append("still there")

    peer.say()
    await served(Guard("127.0.0.1", None, LoginThrottle(print)), peer, app)
    assert heard == ["still there"]


@pytest.mark.parametrize(
    ("host", "asked", "wanted"),
    [
        ("127.0.0.1", "127.0.0.1:8808", 200),
        ("127.0.0.1", "mybox", 403),
        ("MyBox.local", "mybox.LOCAL:1", 200),
        ("0:0::1", "[::1]", 200),
        ("fe80::1", "[FE80:0::1]:9", 200),
        ("0.0.0.0", "anything.example", 200),  # noqa: S104
        ("127.0.0.1", "127.0.0.1 evil", 403),
        ("127.0.0.1", "127.0.0.1:80:80", 403),
        ("127.0.0.1", "１２７.0.0.1", 403),
    ],
)
async def test_a_host_is_known_by_any_spelling_and_no_other(host: str, asked: str, wanted: int) -> None:
    peer, app = Peer(path="/health", host=asked), App()
    app.sign.set()
    peer.say()
    await served(Guard(host, KEYS, LoginThrottle(print)), peer, app)
    assert peer.status == wanted


async def test_what_is_not_http_reaches_nothing() -> None:
    app = App()
    await Guard("127.0.0.1", None, LoginThrottle(print)).around(app)(
        {"type": "websocket"}, Peer().receive, Peer().send
    )
    assert not app.reached.is_set()


@pytest.mark.parametrize("swallow", [False, True])
async def test_a_slow_body_is_408_whatever_the_app_makes_of_failures(
    monkeypatch: pytest.MonkeyPatch, swallow: bool
) -> None:
    monkeypatch.setattr("toolbooth.limits.HTTP_BODY_DEADLINE", 0.05)
    peer = Peer()

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        try:
            while (await receive()).get("more_body"):
                pass
        except Exception:
            assert swallow
            await send({"type": "http.response.start", "status": 500, "headers": []})

    peer.say(more=True)
    await served(Guard("127.0.0.1", None, LoginThrottle(print)), peer, app)
    assert peer.status == 408
    assert (b"connection", b"close") in peer.sent[0]["headers"]


@pytest.mark.parametrize(
    ("keys", "shown", "name"),
    [(KEYS, "Bearer key", "ONE"), (KEYS, "bearer another key", "TWO"), (None, "", "")],
)
async def test_the_app_is_told_whose_key_a_request_has(
    keys: AccessKeys | None, shown: str, name: str
) -> None:
    heard: list[Principal] = []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        heard.append(scope["state"][PRINCIPAL])

    peer = Peer(authorization=shown)
    peer.scope["state"] = {"mine": 1}
    await served(Guard("127.0.0.1", keys, LoginThrottle(print)), peer, app)
    assert [each.name for each in heard] == [name]
    assert (heard[0] is LOCAL_USER) == (keys is None)
    assert peer.scope["state"] == {"mine": 1}  # the state of the connection is not one request's


class StubConnection:
    """A connection that counts how often it is admitted."""

    def __init__(self, admits: bool = True) -> None:
        self.admits, self.admissions = admits, 0
        self.standing: bool | None = None

    def admit(self, *, standing: bool) -> bool:
        self.admissions, self.standing = self.admissions + 1, standing
        return self.admits


@pytest.mark.parametrize(
    ("path", "key", "admits", "status", "admissions"),
    [
        ("/mcp", "Bearer key", True, 200, 1),
        ("/mcp", "Bearer key", False, 503, 1),
        ("/mcp", "Bearer no", True, 401, 0),
        ("/mcp", "", True, 401, 0),
        ("/health", "Bearer key", True, 200, 1),
        ("/health", "Bearer no", True, 401, 0),
        ("/health", "", True, 200, 0),
    ],
)
async def test_only_who_shows_the_key_counts_as_a_guest(
    path: str, key: str, admits: bool, status: int, admissions: int
) -> None:
    peer, app, connection = (
        Peer(path=path, **({"authorization": key} if key else {})),
        App(),
        StubConnection(admits),
    )
    peer.scope["state"] = {CONNECTION: connection}
    app.sign.set()
    peer.say()
    await served(Guard("127.0.0.1", KEYS, LoginThrottle(print)), peer, app)
    assert (peer.status, connection.admissions) == (status, admissions)
    closes = (b"connection", b"close") in peer.sent[0]["headers"]
    assert closes == (admissions == 0 or status != 200)


@pytest.mark.parametrize(
    ("method", "headers", "standing"),
    [
        ("GET", {}, True),
        ("POST", {}, False),
        ("POST", {"mcp_method": "tools/call"}, False),
        ("POST", {"mcp_method": "subscriptions/listen"}, True),
    ],
)
async def test_a_stream_that_stays_open_is_distinguished_from_a_call(
    method: str, headers: dict[str, str], standing: bool
) -> None:
    peer, app, connection = Peer(method, authorization="Bearer key", **headers), App(), StubConnection()
    peer.scope["state"] = {CONNECTION: connection}
    app.sign.set()
    peer.say()
    await served(Guard("127.0.0.1", KEYS, LoginThrottle(print)), peer, app)
    assert (peer.status, connection.standing) == (200, standing)


@pytest.mark.parametrize("path", ["/api/v1/tools", "/mcp", "/health"])
async def test_a_wrong_key_is_noted_and_slowed_on_every_path(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    notes: list[str] = []
    guard, app = Guard("127.0.0.1", KEYS, LoginThrottle(notes.append)), App()
    app.sign.set()
    for shown in ["Bearer no", "", "Basic eA=="] * 7:
        peer = Peer("GET", path, authorization=shown)
        peer.say(b"")
        await served(guard, peer, app)
        assert peer.status == 401
    assert len(notes) == 1
    assert max(waited) == waited[-1] == 2.0


async def test_a_wrong_key_is_noted_without_it_and_a_missing_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    notes: list[str] = []
    guard, app = Guard("127.0.0.1", KEYS, LoginThrottle(notes.append)), App()
    for shown in ({}, {"authorization": "Bearer canary"}, {"x_api_key": "canary"}):
        peer = Peer(path="/api/v1/tools", **shown)
        peer.scope["client"] = ("192.0.2.7", 1)
        await served(guard, peer, app)
        assert peer.status == 401
    assert notes == ["a request with a wrong key was refused, from 192.0.2.7"]
    assert "canary" not in str(notes)
    for _ in range(20):
        peer = Peer(authorization="Bearer no")
        peer.scope["client"] = ("192.0.2.7", 1)
        await served(guard, peer, app)
    assert waited[:6] == [0.0] * 6
    assert max(waited) == waited[-1] == 2.0


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_first_few_are_answered_at_once_and_then_ever_later_up_to_a_bound() -> None:
    throttle = LoginThrottle(lambda _line: None, Clock())
    delays = [throttle.failed("192.0.2.1") for _ in range(100)]
    assert delays[:LOGIN_FREE] == [0.0] * LOGIN_FREE
    assert delays == sorted(delays)
    assert delays[LOGIN_FREE] > 0
    assert delays[-1] == MAX_LOGIN_DELAY


def test_another_address_is_not_slowed_and_one_of_ipv6_is_its_network() -> None:
    throttle = LoginThrottle(lambda _line: None, Clock())
    for number in range(20):
        throttle.failed(f"2001:db8::{number}")
    assert throttle.failed("192.0.2.1") == 0.0
    assert throttle.failed("2001:db8::ffff") > 0
    assert throttle.failed("2001:db8:0:1::1") == 0.0


def test_an_address_that_was_quiet_begins_anew() -> None:
    clock = Clock()
    throttle = LoginThrottle(lambda _line: None, clock)
    for _ in range(20):
        throttle.failed("192.0.2.1")
    clock.now += 61
    assert throttle.failed("192.0.2.1") == 0.0


def test_a_flood_of_wrong_keys_is_a_few_lines_and_a_bounded_table() -> None:
    clock, lines = Clock(), list[str]()
    throttle = LoginThrottle(lines.append, clock)
    for number in range(5_000):
        clock.now += 0.0100001
        throttle.failed(f"10.0.{number // 250}.{number % 250}")
    assert len(lines) == 5  # 50 seconds
    assert lines[0] == "a request with a wrong key was refused, from 10.0.0.0"
    assert lines[1].endswith("(1000 since the last such line)")
    assert len(throttle._failures) == MAX_LOGIN_ADDRESSES


def test_addresses_of_ipv4_in_ipv6_are_not_one_network() -> None:
    assert network_of("::ffff:192.0.2.1") != network_of("::ffff:192.0.2.2")
    assert network_of("2001:db8::1") == network_of("2001:db8::2") != network_of("2001:db8:0:1::1")
