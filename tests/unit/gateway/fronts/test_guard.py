"""What the guard lets through, and how what it let through ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolbooth.errors import UserMistake
from toolbooth.gateway.fronts import guard as guard_module
from toolbooth.gateway.fronts.guard import Guard

pytestmark = pytest.mark.anyio
Sent = list[dict[str, Any]]


class Peer:
    """The other side of one request: its body comes as it is fed, its answer is kept."""

    def __init__(self, method: str = "POST", path: str = "/mcp", **headers: str) -> None:
        named = {"host": "localhost", **{key.replace("_", "-"): value for key, value in headers.items()}}
        raw = [(key.encode(), value.encode()) for key, value in named.items()]
        self.scope = {"type": "http", "method": method, "path": path, "headers": raw}
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
    guard, peer, late, app = Guard("127.0.0.1", None), Peer(), Peer(), App()
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
    guard, peer, app = Guard("127.0.0.1", None), Peer(), App(begins=begins)
    peer.say()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served, guard, peer, app)
        await app.reached.wait()
        await guard.drain(0.01)
    assert peer.status == (200 if begins else 503)
    assert not peer.sent[-1].get("more_body")


@pytest.mark.parametrize(("method", "asked"), [("GET", "x"), ("POST", "subscriptions/listen")])
async def test_a_standing_stream_holds_up_no_stop(method: str, asked: str) -> None:
    guard, peer, app = Guard("127.0.0.1", None), Peer(method, mcp_method=asked), App(begins=True)
    peer.say()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served, guard, peer, app)
        await app.reached.wait()
        with anyio.fail_after(30):
            await guard.drain(3600)
    assert peer.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_a_body_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_module, "HTTP_BODY_DEADLINE", 0.05)
    peer, app = Peer(), App()
    peer.say(b"{", more=True)
    await served(Guard("127.0.0.1", None), peer, app)
    assert peer.status == 408
    assert not app.reached.is_set()


async def test_a_client_may_wait_long_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline is that of the body."""
    monkeypatch.setattr(guard_module, "HTTP_BODY_DEADLINE", 0.05)
    peer, heard = Peer(), []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await receive()
        with anyio.move_on_after(0.2):
            heard.append(await receive())
        heard.append("still there")

    peer.say()
    await served(Guard("127.0.0.1", None), peer, app)
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
    await served(Guard(host, "key"), peer, app)
    assert peer.status == wanted


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_key_is_refused(blank: str) -> None:
    with pytest.raises(UserMistake, match="the key is blank"):
        Guard("127.0.0.1", blank)


async def test_what_is_not_http_reaches_nothing() -> None:
    app = App()
    await Guard("127.0.0.1", None).around(app)({"type": "websocket"}, Peer().receive, Peer().send)
    assert not app.reached.is_set()
