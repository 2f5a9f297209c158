"""The stdio transport: JSON-RPC messages over the stdin and stdout of a server's process, one line each."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect import framing, messages, transport
from toolbooth.catalog.connect.process import ServerProcess, exited, start_process, stop_process
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import encode_line


@asynccontextmanager
async def open_stdio(
    spec: ServerSpec, environ: Mapping[str, str] | None = None
) -> AsyncIterator["ProcessTransport"]:
    """Start the server's process and connect to its pipes; the process has ended when the context exits."""
    process = await start_process(spec, environ)
    # No await between the start and the guard below: a cancellation in the gap would leak the process.
    try:
        yield ProcessTransport(process)
    finally:
        with anyio.CancelScope(shield=True):
            await stop_process(process)


class ProcessTransport:
    """Reads messages from a process's output as it arrives, without a task of its own; broken ones become faults."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._framer = framing.Framer()
        self._deliver: transport.Deliver = _drop
        self._noise = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._fault: asyncio.Future[errors.BackendFault] = asyncio.get_running_loop().create_future()
        process.on_output = self._take

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:  # noqa: ARG002
        """Write one line to the server's stdin."""
        self._process.write(encode_line(message))

    async def run(self, deliver: transport.Deliver) -> errors.BackendFault:
        """Deliver messages until the process ends or sends something unusable; returns the reason."""
        self._deliver = deliver
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._await_end)
            try:
                fault = await asyncio.shield(self._fault)
            finally:
                self._watch_frame(begun=False)
                tasks.cancel_scope.cancel()
        return fault

    def explain(self, wording: str, request_id: int | str | None) -> errors.BackendFault | None:  # noqa: ARG002
        """None: an error that arrives over stdio is always the server's own."""
        return None

    def _take(self, chunk: bytes) -> None:
        if self._fault.done():
            return
        try:
            for event in self._framer.feed(chunk):
                self._read(event)
        except errors.BackendFault as fault:
            self._end(fault)
            return
        if self._framer.discarded > limits.MAX_DISCARD:
            self._end(_too_large())
        elif self._framer.mid_frame:
            if self._deadline is None or b"\n" in chunk:
                self._watch_frame(begun=True)
        elif self._deadline is not None:
            self._watch_frame(begun=False)

    def _watch_frame(self, *, begun: bool) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if begun:
            late = errors.BackendProtocolError(
                f"took longer than {limits.FRAME_DEADLINE:.0f} s to send one message"
            )
            self._deadline = asyncio.get_running_loop().call_later(limits.FRAME_DEADLINE, self._end, late)

    def _read(self, event: framing.Frame | framing.Oversized) -> None:
        if isinstance(event, framing.Oversized):
            self._deliver(messages.BrokenMessage(_too_large(), messages.answered_id(event.head)), None)
        elif not messages.looks_like_message(event.data):
            self._hear_noise(event.data)
        else:
            for message in messages.read_messages(event.data):
                if not isinstance(message, messages.BrokenMessage):
                    self._noise = 0
                self._deliver(message, None)

    def _hear_noise(self, line: bytes | bytearray) -> None:
        if not line.strip():
            return
        self._process.words.add(bytes(line[:4096]) + b"\n")
        self._noise += 1
        if self._noise > limits.MAX_NOISE_LINES:
            raise errors.BackendProtocolError(
                f"wrote {limits.MAX_NOISE_LINES} lines to stdout that are not messages; a stdio server must "
                "log to stderr"
            )

    def _end(self, fault: errors.BackendFault) -> None:
        if not self._fault.done():
            self._fault.set_result(fault)

    async def _await_end(self) -> None:
        """Wait for the end of the output, or of the process itself if a child keeps the output open."""
        async with anyio.create_task_group() as tasks:

            async def first(event: asyncio.Event, grace: float) -> None:
                await event.wait()
                await anyio.sleep(grace)
                tasks.cancel_scope.cancel()

            tasks.start_soon(first, self._process.silent, 0)
            tasks.start_soon(first, self._process.exited, _LAST_OUTPUT)
        self._end(self._half_a_line() or await self._how_it_ended())

    def _half_a_line(self) -> errors.BackendFault | None:
        rest = self._framer.remainder
        if messages.looks_like_message(rest):
            return errors.BackendCrashed("ended in the middle of a message")
        self._process.words.add(rest + b"\n")
        return None

    async def _how_it_ended(self) -> errors.BackendFault:
        await exited(self._process, limits.STOP_GRACE)
        code = self._process.returncode
        how = "closed its output" if code is None else _exit_words(code)
        said = str(self._process.words)
        return errors.BackendCrashed(
            f"{how}; {safetext.IT_SAID}{said}" if said else f"{how} and said nothing"
        )


_LAST_OUTPUT = 0.5  # seconds after the exit, for what is still in the pipe


def _drop(_message: object, _related: object) -> None:
    return None


def _exit_words(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"


def _too_large() -> errors.FrameTooLarge:
    return errors.FrameTooLarge(f"sent one message over {limits.MAX_FRAME // limits.MIB} MiB")
