"""Two file descriptors → frames in, bytes out, without a task between them."""

import asyncio
import os
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

from toolbooth.catalog.connect import Frame, Framer, Oversized

OnFrame = Callable[[Frame | Oversized], None]
_CHUNK = 1 << 18


class Pipe(asyncio.Protocol):
    """A client's stdin and stdout. A client that does not read is not read from, either."""

    def __init__(self, on_frame: OnFrame) -> None:
        self._on_frame = on_frame
        self._framer = Framer()
        self._reader: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | None = None
        self.closed = asyncio.Event()

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Take both descriptors over."""
        loop = asyncio.get_running_loop()
        out = os.fdopen(write_fd, "wb", buffering=0)
        writer, _ = await loop.connect_write_pipe(lambda: _Writing(self), out)
        self._writer = writer
        try:
            source = os.fdopen(read_fd, "rb", buffering=0)
            reader, _ = await loop.connect_read_pipe(lambda: self, source)
            self._reader = reader
        except (ValueError, PermissionError):  # a regular file as stdin: no event loop can wait for it
            self._reading = loop.create_task(self._read_file(source))

    async def _read_file(self, source: Any) -> None:
        while chunk := await anyio.to_thread.run_sync(source.read, _CHUNK, abandon_on_cancel=True):
            self.data_received(chunk)
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        """A chunk of the client's stdin."""
        for event in self._framer.feed(data):
            self._on_frame(event)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """The client closed its side."""
        self.closed.set()

    @property
    def unfinished(self) -> bytes:
        """What has come of a frame that is not whole yet."""
        return self._framer.remainder if self._framer.mid_frame else b""

    def write(self, *parts: bytes) -> None:
        """One frame, in parts; to a client that is gone nothing is written."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.writelines(parts) if len(parts) > 1 else self._writer.write(parts[0])

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken yet."""
        return 0 if self._writer is None else self._writer.get_write_buffer_size()

    def hold(self, waiting: bool) -> None:
        """Stop or go on reading."""
        if self._reader is not None and not self._reader.is_closing():
            self._reader.pause_reading() if waiting else self._reader.resume_reading()

    async def drain(self, timeout: float) -> None:
        """Wait until the client has taken what was written."""
        with anyio.move_on_after(timeout):
            while self.unsent:  # noqa: ASYNC110 - transports tell of a low buffer, not of an empty one
                await anyio.sleep(0.005)

    def close(self) -> None:
        """Give the descriptors back."""
        for transport in (self._reader, self._writer):
            if transport is not None:
                transport.close()


class _Writing(asyncio.BaseProtocol):
    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def pause_writing(self) -> None:
        self._pipe.hold(True)

    def resume_writing(self) -> None:
        self._pipe.hold(False)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._pipe.closed.set()
