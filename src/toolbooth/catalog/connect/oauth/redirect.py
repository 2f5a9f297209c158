"""The redirect at the end of a sign-in: the browser's request to a port of 127.0.0.1 with the authorization code."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, cast
from urllib.parse import parse_qs, urlsplit

import anyio
from anyio.abc import SocketAttribute, SocketListener, SocketStream, TaskGroup
from mcp.shared.auth import AuthorizationCodeResult

from toolbooth import errors, limits, safetext

_PATH = "/callback"
# The page repeats nothing of the request, and its headers keep the code in its address from being passed on.
_PAGE = """\
HTTP/1.1 {status}\r
Content-Type: text/html; charset=utf-8\r
Content-Security-Policy: default-src 'none'\r
Referrer-Policy: no-referrer\r
Cache-Control: no-store\r
Connection: close\r
\r
<!doctype html><meta name="color-scheme" content="light dark"><title>Toolbooth</title><p>{words}</p>
"""


class RedirectAnswer(NamedTuple):
    """The outcome of a redirect: a code, or the fault."""

    result: AuthorizationCodeResult | None = None
    fault: errors.BackendFault | None = None


class RedirectListener:
    """Takes the first request to its path as the answer, and refuses all others."""

    def __init__(self, listener: SocketListener) -> None:
        self._listener = listener
        self._unheard: dict[
            anyio.CancelScope, None
        ] = {}  # connections that have sent no request, the oldest first
        self._host = f"127.0.0.1:{listener.extra(SocketAttribute.local_port)}"  # noqa: S610 - anyio's, not Django's
        self._state = ""
        self._answer: RedirectAnswer | None = None
        self._answered = anyio.Event()

    @property
    def redirect_uri(self) -> str:
        """The address to which the authorization server sends the browser."""
        return f"http://{self._host}{_PATH}"

    async def wait_for(self, state: str) -> AuthorizationCodeResult:
        """Wait for the code that belongs to this state; raises a BackendFault if the answer has none."""
        self._state = state
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._accept, tasks)
            await self._answered.wait()
            tasks.cancel_scope.cancel()
        await self._listener.aclose()
        if self._answer is None or self._answer.result is None:
            raise self._answer.fault if self._answer and self._answer.fault else _strange("no code")
        return self._answer.result

    async def _accept(self, tasks: TaskGroup) -> None:
        while True:
            try:
                stream = await self._listener.accept()
            except anyio.BrokenResourceError:  # no free descriptors, or the connection has closed again
                await anyio.sleep(limits.ACCEPT_PAUSE)
            else:
                tasks.start_soon(self._serve, stream)

    async def _serve(self, stream: SocketStream) -> None:
        async with stream:
            with anyio.CancelScope() as scope:
                self._unheard[scope] = None
                if len(self._unheard) > limits.MAX_REDIRECT_CONNECTIONS:
                    next(iter(self._unheard)).cancel()
                head = await _head(stream)
            self._unheard.pop(scope, None)
            if scope.cancelled_caught:
                return
            query = self._query_of(head)
            if query is None or self._answer is not None:
                await _say(stream, "404 Not Found", "There is nothing here.")
                return
            self._answer = read_answer(query, self._state)
            done = self._answer.result is not None
            words = "Back to the terminal: you can close this page." if done else "The sign-in did not work."
            await _say(stream, "200 OK" if done else "400 Bad Request", words)
            self._answered.set()

    def _query_of(self, head: bytes) -> str | None:
        """The query of a request for our path; None for others. Another `Host` means DNS rebinding."""
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ")
        hosts = [line[5:].strip() for line in lines if line.lower().startswith("host:")]
        if len(words) != 3 or words[0] != "GET" or hosts != [self._host]:
            return None
        path, _, query = words[1].partition("?")
        return query if path == _PATH else None


@asynccontextmanager
async def listening() -> AsyncIterator[RedirectListener]:
    """Open the listener on a free port that only this machine can reach."""
    opened = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    async with opened:
        (listener,) = opened.listeners
        yield RedirectListener(cast("SocketListener", listener))


def state_of(authorization_url: str) -> str:
    """The state that the answer must repeat."""
    return (parse_qs(urlsplit(authorization_url).query).get("state") or [""])[0]


def read_answer(query: str, state: str) -> RedirectAnswer:
    """Check the parameters of the redirect."""
    given = {name: values[0] for name, values in parse_qs(query).items() if len(values) == 1}
    if not state or not secrets.compare_digest(given.get("state", "").encode(), state.encode()):
        return RedirectAnswer(fault=_strange("wrong state"))
    if "error" in given:
        said = safetext.for_terminal(given.get("error_description", ""), 120)
        kind = safetext.for_terminal(given["error"], 60)
        return RedirectAnswer(
            fault=errors.BackendRefused(f"the sign-in was refused: {kind}{said and f' ({said})'}")
        )
    if not given.get("code"):
        return RedirectAnswer(fault=_strange("no code"))
    return RedirectAnswer(AuthorizationCodeResult(code=given["code"], state=state, iss=given.get("iss")))


def _strange(what: str) -> errors.BackendFault:
    return errors.BackendProtocolError(
        f"the browser's answer does not belong to this sign-in ({what}); try again"
    )


async def _head(stream: SocketStream) -> bytes:
    head = b""
    with anyio.move_on_after(limits.REDIRECT_DEADLINE):
        while b"\r\n\r\n" not in head and len(head) < limits.MAX_REDIRECT_BYTES:
            try:
                head += await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return b""
    return head.partition(b"\r\n\r\n")[0] if b"\r\n\r\n" in head else b""


async def _say(stream: SocketStream, status: str, words: str) -> None:
    try:
        await stream.send(_PAGE.format(status=status, words=words).encode())
    except anyio.BrokenResourceError:
        return  # the browser has closed the connection; its answer is still valid
