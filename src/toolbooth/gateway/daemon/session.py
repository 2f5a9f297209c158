"""One client of the daemon: its bridge's hello and descriptors, then served until one side is done."""

import json
import os
import socket
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import anyio
from anyio.abc import SocketAttribute, UNIXSocketStream

from toolbooth import errors, limits, safetext
from toolbooth.gateway.daemon.endpoint import LENGTH, PROTOCOL, framed, peer_uid
from toolbooth.gateway.daemon.journal import RequestJournal
from toolbooth.gateway.process import Log, error_summary

_DESCRIPTORS = 3  # stdin, stdout and the journal; none where bytes are copied


@dataclass(frozen=True)
class Hello:
    """What a bridge, or `toolbooth daemon`, asks for. `environ` belongs to the client: it holds secrets."""

    do: str
    words: tuple[str, ...]
    cwd: Path
    environ: Mapping[str, str] = field(repr=False)
    resumed: bool
    descriptors: tuple[int, ...]

    def close_descriptors(self) -> None:
        """Close descriptors that nobody will use."""
        close_all(self.descriptors)


async def read_hello(stream: UNIXSocketStream) -> Hello:
    """Read a hello; ValueError if it is invalid, or comes from another user."""
    if peer_uid(raw_socket(stream)) != os.geteuid():
        raise ValueError("the process belongs to another user")
    first, descriptors = await stream.receive_fds(65_536, _DESCRIPTORS)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    try:
        if descriptors:
            _check(descriptors)
        return _understood(await _rest(stream, first), tuple(descriptors))
    except BaseException:
        close_all(descriptors)
        raise


def _check(descriptors: Sequence[int]) -> None:
    """Check for two pipes or sockets and a journal: libuv aborts the process if it must poll a regular file."""
    if len(descriptors) != _DESCRIPTORS:
        raise ValueError(f"it did not pass {_DESCRIPTORS} descriptors")
    for descriptor in descriptors[:2]:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode):
            raise ValueError("its descriptors are not pipes or sockets")


async def _rest(stream: UNIXSocketStream, received: bytes) -> dict[str, Any]:
    while len(received) < LENGTH:
        received += await stream.receive(LENGTH - len(received))
    length = int.from_bytes(received[:LENGTH], "big")
    if length > limits.MAX_HELLO:
        raise ValueError(f"it is longer than {limits.MAX_HELLO:,} bytes")
    parts = [received[LENGTH:]]
    missing = length - len(parts[0])
    while missing > 0:
        parts.append(await stream.receive(min(missing, 65_536)))
        missing -= len(parts[-1])
    message = json.loads(b"".join(parts))
    if not isinstance(message, dict) or message.get("protocol") != PROTOCOL:
        raise ValueError(f"it is not in protocol {PROTOCOL}")
    return message


def _understood(message: Mapping[str, Any], descriptors: tuple[int, ...]) -> Hello:
    return Hello(
        do=str(message.get("do")),
        words=tuple(map(str, message.get("words", ()))),
        cwd=Path(message.get("cwd", "/")),
        environ=dict(message.get("environ", {})),
        resumed=bool(message.get("resumed", False)),
        descriptors=descriptors,
    )


async def answer(stream: UNIXSocketStream, **message: Any) -> None:
    """Answer the bridge, unless it has ended."""
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(framed(json.dumps(message).encode("ascii")))


def raw_socket(stream: UNIXSocketStream) -> socket.socket:
    """The socket below a stream."""
    return stream.extra(SocketAttribute.raw_socket)  # noqa: S610 - no database here


def close_all(descriptors: Sequence[int]) -> None:
    """Close each once; one that is closed already does no harm."""
    for descriptor in descriptors:
        with suppress(OSError):
            os.close(descriptor)


_POLL = 0.02
_LONGEST_ERROR = 2000


class ServeClient(Protocol):
    """Serves a client until it leaves; both descriptors are its own to close."""

    async def __call__(
        self, read_fd: int, write_fd: int, journal: RequestJournal | None, *, resumed: bool
    ) -> None:
        """`resumed`: another daemon served this client before, and the journal shows what it left behind."""
        ...


class Service(Protocol):
    """A gateway that a daemon serves."""

    async def enter(self, hello: Hello) -> ServeClient:
        """A client connects; ToolboothError if its request cannot be met."""
        ...

    def status(self) -> Mapping[str, Any]:
        """What `toolbooth daemon status` shows, as JSON."""
        ...

    def forget(self) -> None:
        """Configs have changed: close what no client uses."""
        ...

    def idle(self) -> float:
        """After how many seconds without a client the daemon may end; 0 means never."""
        ...


class BridgeSession:
    """One client. It ends by itself, with its bridge, or by `move`."""

    def __init__(self, stream: UNIXSocketStream, hello: Hello, log: Log) -> None:
        self._stream, self._hello, self._log = stream, hello, log
        self._scope = anyio.CancelScope()
        self._journal: RequestJournal | None = None
        self._moving = False
        self._over = anyio.Event()

    async def serve(self, service: Service) -> None:
        """Serve the client; never raises, because an error of one client must not affect another."""
        try:
            await self._serve(service)
        except errors.ToolboothError as error:
            line = safetext.for_terminal(str(error), _LONGEST_ERROR)
            await answer(self._stream, error=line, exit=error.exit_code)
        except Exception as error:
            self._log.note(f"a session failed: {error_summary(error)}")
            await answer(
                self._stream, error="the gateway failed; `toolbooth daemon status` names its log", exit=1
            )
        finally:
            if self._journal is not None:
                self._journal.close()
            self._over.set()

    async def move(self, grace: float) -> None:
        """Let open calls finish, then hand the client over to another daemon."""
        with anyio.move_on_after(grace):
            while self._journal is not None and not self._journal.quiet:  # noqa: ASYNC110 - it is plain memory
                await anyio.sleep(_POLL)
        self._moving = True
        self._scope.cancel()
        await self._over.wait()

    async def _serve(self, service: Service) -> None:
        with self._scope:
            serve_client = await self._entered(service)
            await answer(self._stream, ok=True)
            if self._hello.descriptors:
                await self._with_descriptors(serve_client)
            else:
                await self._with_copies(serve_client)
        if self._hello.descriptors:
            await self._say_goodbye()

    async def _entered(self, service: Service) -> ServeClient:
        try:
            self._journal = RequestJournal(self._hello.descriptors[-1] if self._hello.descriptors else None)
            return await service.enter(self._hello)
        except BaseException:
            self._hello.close_descriptors()
            raise

    async def _with_descriptors(self, serve_client: ServeClient) -> None:
        read, write, journal = self._hello.descriptors
        close_all((journal,))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch_bridge)
            await serve_client(read, write, self._journal, resumed=self._hello.resumed)
            tasks.cancel_scope.cancel()

    async def _with_copies(self, serve_client: ServeClient) -> None:
        """The connection itself is the client from here on.

        Answers go to it through a pipe: uvloop also reads from what it is given to write to, and would
        swallow requests.
        """
        client = os.dup(raw_socket(self._stream).fileno())
        answers, to_client = os.pipe()
        # A transport that is cancelled may still have something to write
        passing = anyio.CancelScope(shield=True)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pass_on, answers, passing)
            try:
                await serve_client(client, to_client, self._journal, resumed=False)
            except BaseException:
                passing.deadline = anyio.current_time() + limits.LAST_WORDS
                raise

    async def _pass_on(self, answers: int, passing: anyio.CancelScope) -> None:
        try:
            with passing, suppress(anyio.BrokenResourceError):
                while part := await _readable_part(answers):
                    await self._stream.send(part)
        finally:
            close_all((answers,))

    async def _watch_bridge(self) -> None:
        """A bridge sends nothing more; when it ends, its session ends."""
        try:
            await self._stream.receive(1)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            self._scope.cancel()

    async def _say_goodbye(self) -> None:
        if not self._scope.cancelled_caught:
            await answer(self._stream, end=0)
        elif self._moving:
            # Not earlier: until its transport had ended, a request could still be read and begun.
            unfinished = self._journal is not None and not self._journal.quiet
            await answer(self._stream, restart="now" if unfinished else "later")


async def _readable_part(descriptor: int) -> bytes:
    await anyio.wait_readable(descriptor)
    return os.read(descriptor, 65_536)
