"""A bridge's hello → one client served, until it, its bridge or the daemon is done."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

import anyio
from anyio.abc import UNIXSocketStream

from toolbooth.errors import ToolboothError
from toolbooth.gateway.daemon.hello import Hello, answer, close_all, raw_socket
from toolbooth.gateway.daemon.log import Log, kind_and_place
from toolbooth.gateway.daemon.notebook import Notebook
from toolbooth.limits import LAST_WORDS
from toolbooth.safetext import for_terminal

_POLL = 0.02
_LONGEST_ERROR = 2000


class Front(Protocol):
    """Serves a client until it leaves; both descriptors are its own to close."""

    async def __call__(
        self, read_fd: int, write_fd: int, notebook: Notebook | None, *, resumed: bool
    ) -> None:
        """`resumed`: another daemon served this client before, and the notebook tells what it left behind."""
        ...


class Service(Protocol):
    """What a daemon is there for."""

    async def enter(self, hello: Hello) -> Front:
        """A client comes; ToolboothError where it asks for what cannot be."""
        ...

    def status(self) -> Mapping[str, Any]:
        """What `toolbooth daemon status` shows, as JSON."""
        ...

    def forget(self) -> None:
        """Configs are no longer what they were: let go of what no client uses."""
        ...

    def idle(self) -> float:
        """After how many seconds without a client the daemon may end; 0 is never."""
        ...


class Session:
    """One client. It ends by itself, with its bridge, or by `move`."""

    def __init__(self, stream: UNIXSocketStream, hello: Hello, log: Log) -> None:
        self._stream, self._hello, self._log = stream, hello, log
        self._scope = anyio.CancelScope()
        self._notebook: Notebook | None = None
        self._moving = False
        self._over = anyio.Event()

    async def serve(self, service: Service) -> None:
        """Never raises: one client's trouble is not another's."""
        try:
            await self._serve(service)
        except ToolboothError as error:
            line = for_terminal(str(error), _LONGEST_ERROR)
            await answer(self._stream, error=line, exit=error.exit_code)
        except Exception as error:
            self._log.note(f"a session failed: {kind_and_place(error)}")
            await answer(
                self._stream, error="the gateway failed; `toolbooth daemon status` names its log", exit=1
            )
        finally:
            if self._notebook is not None:
                self._notebook.close()
            self._over.set()

    async def move(self, grace: float) -> None:
        """Let open calls finish, then hand the client over to another daemon."""
        with anyio.move_on_after(grace):
            while self._notebook is not None and not self._notebook.quiet:  # noqa: ASYNC110 - it is plain memory
                await anyio.sleep(_POLL)
        self._moving = True
        self._scope.cancel()
        await self._over.wait()

    async def _serve(self, service: Service) -> None:
        with self._scope:
            front = await self._entered(service)
            await answer(self._stream, ok=True)
            if self._hello.descriptors:
                await self._with_descriptors(front)
            else:
                await self._with_copies(front)
        if self._hello.descriptors:
            await self._say_goodbye()

    async def _entered(self, service: Service) -> Front:
        try:
            self._notebook = Notebook(self._hello.descriptors[-1] if self._hello.descriptors else None)
            return await service.enter(self._hello)
        except BaseException:
            self._hello.close_descriptors()
            raise

    async def _with_descriptors(self, front: Front) -> None:
        read, write, notebook = self._hello.descriptors
        close_all((notebook,))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch_bridge)
            await front(read, write, self._notebook, resumed=self._hello.resumed)
            tasks.cancel_scope.cancel()

    async def _with_copies(self, front: Front) -> None:
        """The connection itself is the client, from here on.

        Answers take a pipe to it: uvloop also reads from what it is given to write to, and would swallow requests.
        """
        client = os.dup(raw_socket(self._stream).fileno())
        answers, to_client = os.pipe()
        passing = anyio.CancelScope(shield=True)  # a front that is cancelled has last words
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pass_on, answers, passing)
            try:
                await front(client, to_client, self._notebook, resumed=False)
            except BaseException:
                passing.deadline = anyio.current_time() + LAST_WORDS
                raise

    async def _pass_on(self, answers: int, passing: anyio.CancelScope) -> None:
        try:
            with passing, suppress(anyio.BrokenResourceError):
                while part := await _readable_part(answers):
                    await self._stream.send(part)
        finally:
            close_all((answers,))

    async def _watch_bridge(self) -> None:
        """A bridge says nothing more; it only goes, and its session with it."""
        try:
            await self._stream.receive(1)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            self._scope.cancel()

    async def _say_goodbye(self) -> None:
        if not self._scope.cancelled_caught:
            await answer(self._stream, end=0)
        elif self._moving:
            # Not earlier: until its front was over, a request could still be read and begun.
            unfinished = self._notebook is not None and not self._notebook.quiet
            await answer(self._stream, restart="now" if unfinished else "later")


async def _readable_part(descriptor: int) -> bytes:
    await anyio.wait_readable(descriptor)
    return os.read(descriptor, 65_536)
