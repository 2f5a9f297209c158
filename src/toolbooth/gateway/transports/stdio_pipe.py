"""A client's two file descriptors: frames are read from one and bytes written to the other, without a task between."""

import asyncio
import os
import socket
import stat
from collections import deque
from collections.abc import Callable, Sequence

import anyio
import anyio.to_thread

from toolbooth import limits
from toolbooth.catalog.connect import Frame, Framer, Oversized, take_all

OnFrame = Callable[[Frame | Oversized], None]
_CHUNK = 1 << 18


class Pipe(asyncio.Protocol):
    """A client's stdin and stdout. A client that does not read is not read from, either.

    `closed`: it sends no more; `gone`: nobody reads its answers; `full`: it has left too much unread.
    `on_relief` is called when it has read enough to be served again.
    """

    def __init__(self, on_frame: OnFrame, on_chunk: Callable[[bytes], None] | None = None) -> None:
        self._on_frame, self._on_chunk = on_frame, on_chunk
        self._framer = Framer()
        self._reader: asyncio.ReadTransport | None = None
        self._writer: _FileWriter | _DescriptorWriter | None = None
        self._file_reader: asyncio.Task[None] | None = None
        self._held: set[str] = set()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._relieved = asyncio.Event()
        self.on_relief: Callable[[], None] = _nothing
        self.closed = asyncio.Event()
        self.gone = self.full = False
        self._one_socket = False

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Take both descriptors over. Event loops wait for pipes and sockets only; files are read in a thread."""
        loop = asyncio.get_running_loop()
        if read_fd == write_fd:  # event loops refuse to wait for writing where one of their transports reads
            write_fd = os.dup(read_fd)
        if _same_socket(read_fd, write_fd):
            self._one_socket = True
            self._writer = _DescriptorWriter(write_fd, self)
            self._reader, _ = await loop.create_connection(lambda: self, sock=socket.socket(fileno=read_fd))
            return
        if _waitable(write_fd):
            self._writer = _DescriptorWriter(write_fd, self)
        else:
            self._writer = _FileWriter(write_fd)
        if _waitable(read_fd):
            # uvloop closes both the descriptor and the file object: by then the number may be another thread's file
            both = type(loop).__module__.startswith("uvloop")
            stdin = os.fdopen(read_fd, "rb", buffering=0, closefd=not both)
            self._reader, _ = await loop.connect_read_pipe(lambda: self, stdin)
        else:
            self._file_reader = loop.create_task(self._read_file(read_fd))

    async def _read_file(self, read_fd: int) -> None:
        try:
            while chunk := await anyio.to_thread.run_sync(os.read, read_fd, _CHUNK, abandon_on_cancel=True):
                self.data_received(chunk)
                await self._may_read.wait()
        finally:
            os.close(read_fd)
            self.closed.set()

    def skip_line(self) -> None:
        """Ignore everything up to the next newline: it is the rest of a frame whose beginning is lost."""
        self._framer.skip_line()

    def data_received(self, data: bytes) -> None:
        """A chunk of the client's stdin."""
        take_all(self._framer.feed(data), self._on_frame)
        if self._on_chunk is not None:
            self._on_chunk(self._framer.head)

    def eof_received(self) -> bool:
        """The client sends no more; its open requests are still answered."""
        self.closed.set()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Called when the client has closed the pipe."""
        self.closed.set()
        self.gone = self._one_socket

    def write(self, *parts: bytes | memoryview) -> None:
        """One frame, in parts; nothing is written to a client that is gone."""
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

    def when_sent(self, then: Callable[[], None]) -> None:
        """Call `then` once the system has taken everything written so far; never, if the client goes away before."""
        if isinstance(self._writer, _DescriptorWriter) and self._writer.get_write_buffer_size():
            self._writer.when_sent(then)
        else:
            then()

    def hold(self, waiting: bool, why: str = "answers") -> None:
        """Stop reading for a reason, or continue when there is none left."""
        before = bool(self._held)
        (self._held.add if waiting else self._held.discard)(why)
        if before == bool(self._held):
            return
        (self._may_read.clear if self._held else self._may_read.set)()
        if self._reader is not None and not self._reader.is_closing():
            if self._held:
                self._reader.pause_reading()
            else:
                self._reader.resume_reading()

    def pause_writing(self) -> None:
        """Called when too much is unread."""
        self.full = True
        self._relieved.clear()
        self.hold(True)

    def resume_writing(self) -> None:
        """Called when the client reads again."""
        self.full = False
        self._relieved.set()
        self.hold(False)
        self.on_relief()

    async def relief(self) -> None:
        """Wait until the client reads again."""
        await self._relieved.wait()

    async def drain(self, timeout: float) -> None:
        """Wait until the client has taken what was written."""
        with anyio.move_on_after(timeout):
            while self.unsent:  # noqa: ASYNC110 - transports tell of a low buffer, not of an empty one
                await anyio.sleep(0.005)

    def close(self) -> None:
        """Close the descriptors."""
        if self._file_reader is not None:
            self._file_reader.cancel()
        for transport in (self._reader, self._writer):
            if transport is not None:
                transport.close()


class _DescriptorWriter:
    """A pipe or a socket as stdout. Not a transport: that does not show which answers the system has taken."""

    def __init__(self, descriptor: int, pipe: Pipe) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor, self._pipe = descriptor, pipe
        self._loop = asyncio.get_running_loop()
        self._queue: deque[memoryview] = deque()
        self._size = self._sent = 0
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        self._closed = False

    def write(self, data: bytes | memoryview) -> None:
        self.writelines((data,))

    def writelines(self, parts: Sequence[bytes | memoryview]) -> None:
        if self._queue:
            self._keep(parts, 0)
            return
        total = sum(map(len, parts))
        sent = self._send(parts)
        if sent < total and not self._closed:
            self._keep(parts, sent)
            self._loop.add_writer(self._descriptor, self._flush)

    def _send(self, parts: Sequence[bytes | memoryview]) -> int:
        try:
            sent = (
                os.writev(self._descriptor, parts) if len(parts) > 1 else os.write(self._descriptor, parts[0])
            )
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self._lost()
            return 0
        self._sent += sent
        return sent

    def _keep(self, parts: Sequence[bytes | memoryview], sent: int) -> None:
        for part in parts:
            if sent < len(part):
                self._queue.append(memoryview(part)[sent:])
                self._size += len(part) - sent
            sent = max(0, sent - len(part))
        if self._size > limits.MAX_UNREAD_ANSWERS and not self._pipe.full:
            self._pipe.pause_writing()

    def _flush(self) -> None:
        while self._queue and not self._closed:
            sent = self._send((self._queue[0],))
            if self._closed:
                return
            self._size -= sent
            if sent < len(self._queue[0]):
                self._queue[0] = self._queue[0][sent:]
                break
            self._queue.popleft()
        while self._waiting and self._waiting[0][0] <= self._sent:
            self._waiting.popleft()[1]()
        if not self._queue and not self._closed:
            self._loop.remove_writer(self._descriptor)
        if self._pipe.full and self._size <= limits.MAX_UNREAD_ANSWERS // 2:
            self._pipe.resume_writing()

    def when_sent(self, then: Callable[[], None]) -> None:
        self._waiting.append((self._sent + self._size, then))

    def _lost(self) -> None:
        self.close()
        self._pipe.gone = True
        self._pipe.closed.set()

    def is_closing(self) -> bool:
        return self._closed

    def get_write_buffer_size(self) -> int:
        return self._size

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._queue:
            self._loop.remove_writer(self._descriptor)
        self._queue.clear()
        self._waiting.clear()
        self._size = 0
        os.close(self._descriptor)


class _FileWriter:
    """A file or a terminal as stdout: written at once, since neither blocks for long."""

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
    # Windows cannot wait for pipes of others
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _same_socket(one: int, other: int) -> bool:
    first, second = os.fstat(one), os.fstat(other)
    return stat.S_ISSOCK(first.st_mode) and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def _nothing() -> None:
    return None
