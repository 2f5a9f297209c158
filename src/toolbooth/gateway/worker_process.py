"""A process that does long work in place of a thread.

A parser keeps the interpreter's lock until it is done, 430 ms for 13 MB of JSON objects, and no thread of its
process runs meanwhile, the event loop included. A message is a pickle with the large buffers beside it, so
that they are not copied into it. The process ends with its input, so it outlives nobody, and by itself after
a while without work.
"""

import io
import os
import pickle
import select
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from typing import Any, TypeVar, TypeVarTuple

from toolbooth import limits

Done = TypeVar("Done")
Arguments = TypeVarTuple("Arguments")
_START = "from toolbooth.gateway.worker_process import serve; serve({idle})"
_NUMBER = struct.Struct("<Q")


class WorkerLost(Exception):
    """The process ended before it answered."""


class WorkerLate(Exception):
    """The work took too long, and its process was ended: nobody may try it again in a place that cannot be ended."""


class WorkerProcess:
    """One worker, for one call at a time. A call blocks: make it in a thread."""

    def __init__(self, idle: float = limits.WORKER_IDLE) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(idle=idle)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is the gateway's
        )
        _widen(*self._pipes)
        self._closed = False
        self.ending = threading.Thread(target=self._process.wait, name="toolbooth-worker", daemon=True)
        self.ending.start()  # nothing else waits for a process that ends while it is idle

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether it takes no more work."""
        return self._closed or not self.ending.is_alive()

    def call(self, work: Callable[[*Arguments], Done], *arguments: *Arguments) -> Done:
        """What `work` returns or raises there. All of it must be picklable.

        Raises WorkerLost if the process ends, and WorkerLate if it takes too long.
        """
        request = _packed((work, arguments))
        to_worker, from_worker = self._pipes
        late = threading.Event()
        deadline = threading.Timer(limits.WORKER_LIMIT, self._end_late, (late,))
        deadline.daemon = True
        deadline.start()
        try:
            _send(to_worker, request)
            answer = _receive(from_worker)
        except (OSError, EOFError, ValueError):
            self.close()
            raise (WorkerLate if late.is_set() else WorkerLost) from None
        finally:
            deadline.cancel()
        succeeded, outcome = _unpacked(answer)
        if not succeeded:
            raise outcome
        result: Done = outcome
        return result

    def _end_late(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()  # whoever waits at its pipes hears their end

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._process.kill()
        for pipe in self._pipes:
            pipe.close()

    @property
    def _pipes(self) -> tuple[FileIO, FileIO]:
        to_worker, from_worker = self._process.stdin, self._process.stdout
        if not isinstance(to_worker, FileIO) or not isinstance(from_worker, FileIO):
            raise ValueError("a worker without unbuffered pipes")
        return to_worker, from_worker


def serve(idle: float) -> None:
    """The other side, until its input ends or nothing comes for so many seconds."""
    own = os.dup(1)
    os.dup2(2, 1)  # what a library prints would end up in the middle of an answer
    with os.fdopen(0, "rb", buffering=0) as requests, os.fdopen(own, "wb", buffering=0) as answers:
        while _comes(requests, idle):
            try:
                request = _receive(requests)
            except EOFError:
                return
            _send(answers, _answer(request))


def _comes(requests: FileIO, idle: float) -> bool:
    # Windows waits for sockets only
    return os.name != "posix" or bool(select.select([requests], [], [], idle)[0])


Parts = list[memoryview]


def _answer(request: Parts) -> Parts:
    try:
        work, arguments = _unpacked(request)
        return _packed((True, work(*arguments)))
    except Exception as error:
        return _packed((False, error))


class _Pickler(pickle.Pickler):
    """Puts views of memory, which `RawResult` has, beside the pickle."""

    def __init__(self, body: io.BytesIO) -> None:
        super().__init__(body)
        self.views: Parts = []

    def persistent_id(self, value: object) -> int | None:
        if not isinstance(value, memoryview):
            return None
        self.views.append(value)
        return len(self.views)


class _Unpickler(pickle.Unpickler):
    def __init__(self, parts: Parts) -> None:
        super().__init__(io.BytesIO(parts[0]))
        self._parts = parts

    def persistent_load(self, number: int) -> memoryview:
        return self._parts[number]


def _packed(message: object) -> Parts:
    body = io.BytesIO()
    pickler = _Pickler(body)
    pickler.dump(message)
    return [body.getbuffer(), *pickler.views]


def _unpacked(parts: Parts) -> tuple[Any, Any]:
    first, second = _Unpickler(parts).load()
    return first, second


def _send(pipe: FileIO, parts: Parts) -> None:
    lengths = map(_NUMBER.pack, [len(parts), *map(len, parts)])
    for part in (memoryview(b"".join(lengths)), *parts):
        left = part
        while left:
            left = left[pipe.write(left) :]


def _receive(pipe: FileIO) -> Parts:
    (count,) = _NUMBER.unpack(_read(pipe, _NUMBER.size))
    lengths = [_NUMBER.unpack(_read(pipe, _NUMBER.size))[0] for _ in range(count)]
    return [_read(pipe, length) for length in lengths]


def _read(pipe: FileIO, size: int) -> memoryview:
    whole = left = memoryview(bytearray(size))
    while left:
        count = pipe.readinto(left)
        if not count:
            raise EOFError
        left = left[count:]
    return whole


_PIPE_BYTES = 1 << 20  # one of 64 KiB would wake both sides 250 times for 16 MB


def _widen(*pipes: FileIO) -> None:
    if sys.platform == "linux":
        import fcntl

        for pipe in pipes:
            with suppress(OSError):  # the user has too many wide ones already
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
