"""Two file descriptors → frames in, bytes out, without a task between them."""

import asyncio
import os
import socket
import stat
from collections.abc import Callable

import anyio
import anyio.to_thread

from toolbooth.catalog.connect import Frame, Framer, Oversized

OnFrame = Callable[[Frame | Oversized], None]
_CHUNK = 1 << 18


class Pipe(asyncio.Protocol):
    """A client's stdin and stdout. A client that does not read is not read from, either.

    `closed`: it sends no more; `gone`: nobody reads its answers.
    """

    def __init__(self, on_frame: OnFrame, on_chunk: Callable[[bytes], None] | None = None) -> None:
        self._on_frame, self._on_chunk = on_frame, on_chunk
        self._framer = Framer()
        self._reader: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | _FileWriter | None = None
        self._file_reader: asyncio.Task[None] | None = None
        self.closed = asyncio.Event()
        self.gone = False
        self._one_socket = False

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Take both descriptors over. Event loops wait for pipes and sockets only; files are read in a thread."""
        loop = asyncio.get_running_loop()
        if _same_socket(read_fd, write_fd):
            os.close(write_fd)
            both, _ = await loop.create_connection(lambda: self, sock=socket.socket(fileno=read_fd))
            self._reader = self._writer = both
            self._one_socket = True
            return
        if _waitable(write_fd):
            out = os.fdopen(write_fd, "wb", buffering=0)
            self._writer, _ = await loop.connect_write_pipe(lambda: _Writing(self), out)
        else:
            self._writer = _FileWriter(write_fd)
        if _waitable(read_fd):
            self._reader, _ = await loop.connect_read_pipe(
                lambda: self, os.fdopen(read_fd, "rb", buffering=0)
            )
        else:
            self._file_reader = loop.create_task(self._read_file(read_fd))

    async def _read_file(self, read_fd: int) -> None:
        try:
            while chunk := await anyio.to_thread.run_sync(os.read, read_fd, _CHUNK, abandon_on_cancel=True):
                self.data_received(chunk)
        finally:
            os.close(read_fd)
            self.closed.set()

    def skip_line(self) -> None:
        """What comes up to the next newline is the rest of a frame whose beginning is lost."""
        self._framer.skip_line()

    def data_received(self, data: bytes) -> None:
        """A chunk of the client's stdin."""
        for event in self._framer.feed(data):
            self._on_frame(event)
        if self._on_chunk is not None:
            self._on_chunk(self._framer.head)

    def eof_received(self) -> bool:
        """The client sends no more; what it asked for is still answered."""
        self.closed.set()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """The client is gone."""
        self.closed.set()
        self.gone = self._one_socket

    def write(self, *parts: bytes | memoryview) -> None:
        """One frame, in parts; to a client that is gone nothing is written."""
        writer = self._writer
        if writer is not None and not writer.is_closing():
            if len(parts) == 1:
                writer.write(parts[0])
            else:
                writer.writelines(parts)

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken yet."""
        return 0 if self._writer is None else self._writer.get_write_buffer_size()

    def hold(self, waiting: bool) -> None:
        """Stop or go on reading."""
        if self._reader is not None and not self._reader.is_closing():
            if waiting:
                self._reader.pause_reading()
            else:
                self._reader.resume_reading()

    def pause_writing(self) -> None:
        """On a socket for both ways."""
        self.hold(True)

    def resume_writing(self) -> None:
        """On a socket for both ways."""
        self.hold(False)

    async def drain(self, timeout: float) -> None:
        """Wait until the client has taken what was written."""
        with anyio.move_on_after(timeout):
            while self.unsent:  # noqa: ASYNC110 - transports tell of a low buffer, not of an empty one
                await anyio.sleep(0.005)

    def close(self) -> None:
        """Give the descriptors back."""
        if self._file_reader is not None:
            self._file_reader.cancel()
        for transport in (self._reader, self._writer):
            if transport is not None:
                transport.close()


class _Writing(asyncio.BaseProtocol):
    """The writing side of two pipes."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def pause_writing(self) -> None:
        self._pipe.hold(True)

    def resume_writing(self) -> None:
        self._pipe.hold(False)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._pipe.gone = True
        self._pipe.closed.set()


class _FileWriter:
    """A file or a terminal as stdout: written at once, since neither makes a writer wait for long."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def write(self, data: bytes | memoryview) -> None:
        view = memoryview(data)
        while view and self._descriptor is not None:
            view = view[os.write(self._descriptor, view) :]

    def writelines(self, parts: tuple[bytes | memoryview, ...]) -> None:
        self.write(b"".join(parts))

    def is_closing(self) -> bool:
        return self._descriptor is None

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _waitable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return os.name == "posix" and (
        stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    )  # Windows waits for no pipe of others


def _same_socket(one: int, other: int) -> bool:
    first, second = os.fstat(one), os.fstat(other)
    return stat.S_ISSOCK(first.st_mode) and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
