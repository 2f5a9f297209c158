"""A server spec → a `Channel` over the process's stdin and stdout, with bounded framing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import orjson
from anyio.abc import ByteSendStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from toolbooth.catalog.connect.channel import CLOSED, Channel
from toolbooth.catalog.connect.framing import Frame, Framer, Oversized
from toolbooth.catalog.connect.messages import (
    BrokenMessage,
    answered_id,
    fault_answer,
    looks_like_message,
    read_messages,
)
from toolbooth.catalog.connect.process import LastWords, drain, exited, start_process, stop_process
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import BackendCrashed, BackendFault, BackendProtocolError, FrameTooLarge
from toolbooth.limits import FRAME_DEADLINE, MAX_DISCARD, MAX_FRAME, MAX_NOISE_LINES, MIB, STOP_GRACE

_Inbox = MemoryObjectSendStream[SessionMessage | Exception]
_Outbox = MemoryObjectReceiveStream[SessionMessage]
_CHUNK = 1 * MIB


@asynccontextmanager
async def open_stdio(spec: ServerSpec) -> AsyncIterator[Channel]:
    """Start the server and speak newline-delimited JSON-RPC with it; the process is gone on exit."""
    process = await start_process(spec)
    # No await between the start and the guard below: a cancellation in the gap would leak the process.
    inbox, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outbox = anyio.create_memory_object_stream[SessionMessage](0)
    pump = _Pump(process, inbox)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pump.read_all)
        tasks.start_soon(pump.write_all, outbox)
        tasks.start_soon(pump.listen_to_stderr)
        try:
            yield Channel(read, write, pump.explain)
        finally:
            with anyio.CancelScope(shield=True):
                await stop_process(process)
            tasks.cancel_scope.cancel()
            for stream in (inbox, read, write, outbox):
                stream.close()


class _Pump:
    """Moves messages between a process and its channel, and turns what is broken into typed faults."""

    def __init__(self, process: Process, inbox: _Inbox) -> None:
        self._process, self._inbox = process, inbox
        self._waiting: set[int | str] = set()
        self._words = LastWords()
        self._noise = 0
        self._fault: BackendFault | None = None

    def explain(self, wording: str) -> BackendFault | None:
        """Why the connection ended, for those who hear that it did."""
        return self._fault if wording == CLOSED else None

    async def listen_to_stderr(self) -> None:
        """Keep the last words of the process."""
        if self._process.stderr is not None:
            await drain(self._process.stderr, self._words)

    async def write_all(self, outbox: _Outbox) -> None:
        """Send every message until the channel or the process closes."""
        stdin = self._process.stdin
        if stdin is None:
            return
        async with outbox:
            async for item in outbox:
                if isinstance(item.message, JSONRPCRequest):
                    self._waiting.add(item.message.id)
                if not await _send(stdin, item):
                    return

    async def read_all(self) -> None:
        """Deliver frames until the process ends, a fault ends it, or nobody listens any more."""
        try:
            await self._read_frames()
            self._fault = self._fault or await self._how_it_ended()
        except BackendFault as fault:
            self._fault = fault
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return
        finally:
            self._inbox.close()

    async def _read_frames(self) -> None:
        stdout = self._process.stdout
        if stdout is None:
            return None
        framer = Framer()
        deadline = float("inf")
        while True:
            with anyio.CancelScope(deadline=deadline) as scope:
                try:
                    chunk = await stdout.receive(_CHUNK)
                except anyio.EndOfStream:
                    return self._half_a_line(framer)
            if scope.cancelled_caught:
                raise BackendProtocolError(f"took longer than {FRAME_DEADLINE:.0f} s to send one message")
            whole = b"\n" in chunk
            for event in framer.feed(chunk):
                await self._deliver(event)
            if framer.discarded > MAX_DISCARD:
                raise _too_large()
            if not framer.mid_frame:
                deadline = float("inf")
            elif whole or deadline == float("inf"):
                deadline = anyio.current_time() + FRAME_DEADLINE

    def _half_a_line(self, framer: Framer) -> None:
        rest = framer.remainder
        if looks_like_message(rest):
            self._fault = BackendCrashed("ended in the middle of a message")
        elif rest:
            self._words.add(rest + b"\n")

    async def _deliver(self, event: Frame | Oversized) -> None:
        if isinstance(event, Oversized):
            return await self._fail(_too_large(), answered_id(event.head))
        if not looks_like_message(event.data):
            return self._hear_noise(event.data)
        for message in read_messages(event.data):
            if isinstance(message, BrokenMessage):
                await self._fail(message.fault, message.request_id)
                continue
            self._noise = 0
            if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
                self._waiting.discard(message.id)
            await self._inbox.send(SessionMessage(message))
        return None

    async def _fail(self, fault: BackendFault, request_id: int | None) -> None:
        """Answer the request that a broken frame was meant for; where that is unknown, all that wait."""
        hit = {request_id} if request_id in self._waiting else set(self._waiting)
        for waiting in hit:
            if waiting is not None:
                self._waiting.discard(waiting)
                await self._inbox.send(SessionMessage(fault_answer(waiting, fault)))

    def _hear_noise(self, line: bytes) -> None:
        if not line.strip():
            return
        self._words.add(line[:4096] + b"\n")
        self._noise += 1
        if self._noise > MAX_NOISE_LINES:
            raise BackendProtocolError(
                f"wrote {MAX_NOISE_LINES} lines to stdout that are no messages; a stdio server logs to stderr"
            )

    async def _how_it_ended(self) -> BackendFault:
        await exited(self._process, STOP_GRACE)
        code = self._process.returncode
        how = "closed its output" if code is None else _exit_words(code)
        said = str(self._words)
        return BackendCrashed(f"{how}; it said: {said}" if said else f"{how} and said nothing")


def _exit_words(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"


def _too_large() -> FrameTooLarge:
    return FrameTooLarge(f"sent one message over {MAX_FRAME // MIB} MiB")


async def _send(stdin: ByteSendStream, item: SessionMessage) -> bool:
    body = orjson.dumps(item.message.model_dump(by_alias=True, exclude_unset=True), default=str)
    try:
        await stdin.send(body + b"\n")
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        return False  # the reader sees the end of the process and says why
    return True
