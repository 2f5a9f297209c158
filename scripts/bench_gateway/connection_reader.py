"""A reader of all connections of a contender: it gives the answers as they arrive, with the time of each."""

import os
import selectors
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, Self

from .launcher import Session
from .pipe import PIPE_BYTES, Pipe

FIRST_ID = 1_000_000  # above the ids of a connection's own requests


class Arrived(NamedTuple):
    """One line, and when its last byte was read."""

    pipe: Pipe
    line: bytes
    at: float


class ConnectionReader:
    """Reads all connections of a contender in one thread; nothing else may read them meanwhile."""

    def __init__(self, pipes: Iterable[Pipe]) -> None:
        self._selector = selectors.DefaultSelector()
        self._parts: dict[int, list[bytes]] = {}
        for pipe in pipes:
            self._selector.register(pipe.stdout, selectors.EVENT_READ, pipe)
            self._parts[pipe.stdout] = []

    def arrivals(self, patience: float) -> Iterator[Arrived]:
        """What can be read now, or arrives within `patience` seconds."""
        for key, _ in self._selector.select(max(patience, 0)):
            pipe: Pipe = key.data
            data = os.read(pipe.stdout, PIPE_BYTES)
            if not data:
                raise pipe.failure("it ended")
            at = time.perf_counter()
            *ends, rest = data.split(b"\n")
            for end in ends:
                yield Arrived(pipe, b"".join([*self._parts[pipe.stdout], end]), at)
                self._parts[pipe.stdout] = []
            self._parts[pipe.stdout].append(rest)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._selector.close()


def post(session: Session, server: str, number: int, tool: str, arguments: dict[str, Any]) -> None:
    """Write one call without waiting for its answer."""
    sent, pipe = session.sent(server, tool, arguments), session.pipe(server)
    pipe.write(pipe.request(number, "tools/call", {"name": sent.tool, "arguments": sent.arguments}))
