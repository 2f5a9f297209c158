"""Splitting a byte stream into frames, one per line, in linear time and bounded memory."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect import messages, transport
from toolbooth.catalog.connect.frame_scan import FrameScan
from toolbooth.catalog.connect.joined_writes import take_all
from toolbooth.catalog.connect.process import ServerProcess, exited, start_process, stop_process
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import encode_line

HEAD = 4096  # enough of an oversized frame to find the id in it


class Frame(NamedTuple):
    """One complete line without its line break; a large one is the buffer itself, not a copy."""

    data: bytes | bytearray
    scan: FrameScan | None = None


class Oversized(NamedTuple):
    """The beginning of a line that is longer than the cap; the rest of the line is skipped."""

    head: bytes


class Framer:
    """Takes chunks as they arrive and returns the frames that they complete.

    Unfinished frames are kept in a bytearray, which grows in place: `bytes` would be copied with every chunk, and a
    list of chunks once more at the end.
    """

    def __init__(self, cap: int = limits.MAX_FRAME) -> None:
        self._cap = cap
        self._gathered = bytearray()
        self._scan: FrameScan | None = None
        self.discarded = 0

    @property
    def mid_frame(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._gathered or self.discarded)

    @property
    def head(self) -> bytes:
        """The beginning of an unfinished frame."""
        return bytes(self._gathered[:HEAD])

    @property
    def remainder(self) -> bytes:
        """All that has arrived of an unfinished frame."""
        return bytes(self._gathered)

    def skip_line(self) -> None:
        """Skip everything up to the next newline: it belongs to a frame whose beginning is unknown."""
        self.discarded = max(self.discarded, 1)

    def feed(self, chunk: bytes) -> Iterable[Frame | Oversized]:
        """The frames that this chunk completes. Most chunks are exactly one frame, which is the fast case."""
        if not self._gathered and not self.discarded and chunk.find(b"\n") == len(chunk) - 1 <= self._cap:
            return (Frame(chunk[:-2] if chunk.endswith(b"\r\n") else chunk[:-1]),) if chunk else ()
        return self._split(chunk)

    def _split(self, chunk: bytes) -> Iterator[Frame | Oversized]:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            if not self._gathered and not self.discarded and len(piece) <= self._cap:
                yield Frame(piece[:-1] if piece.endswith(b"\r") else piece)
                continue
            oversized = self._append(piece)
            if oversized:
                yield oversized
            if not self.discarded:
                yield self._whole()
            self.discarded = 0
        if rest and (oversized := self._append(rest)):
            yield oversized

    def _append(self, piece: bytes) -> Oversized | None:
        if self.discarded:
            self.discarded += len(piece)
            return None
        self._gathered += piece
        if len(self._gathered) > self._cap:
            head, self.discarded = self.head, len(self._gathered)
            self._gathered, self._scan = bytearray(), None
            return Oversized(head)
        if self._scan is not None:
            self._scan.add(piece)
        elif len(self._gathered) >= limits.RAW_FRAME:
            self._scan = FrameScan.of(self._gathered)
        return None

    def _whole(self) -> Frame:
        whole, self._gathered = self._gathered, bytearray()
        scan, self._scan = self._scan, None
        if whole.endswith(b"\r"):
            del whole[-1:]
        return Frame(whole, scan) if len(whole) >= limits.RAW_FRAME else Frame(bytes(whole))


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
        self._framer = Framer()
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
            take_all(self._framer.feed(chunk), self._read)
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

    def _read(self, event: Frame | Oversized) -> None:
        if isinstance(event, Oversized):
            self._deliver(messages.BrokenMessage(_too_large(), messages.answered_id(event.head)), None)
        elif not messages.looks_like_message(event.data):
            self._hear_noise(event.data)
        else:
            for message in messages.read_messages(event.data, event.scan):
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
