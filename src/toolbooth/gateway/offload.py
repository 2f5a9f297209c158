"""The one place that decides when work leaves the event loop.

Short work is done at once, because a thread costs 0.1 ms. Long work is done in a thread, so that nobody else
waits. Parsing a large result is done in a process: it keeps the interpreter's lock, so a thread would hold up
the event loop all the same.
"""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.lowlevel
import anyio.to_thread

from toolbooth import limits
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.worker_process import WorkerLost, WorkerProcess

Done = TypeVar("Done")
Arguments = TypeVarTuple("Arguments")


def belongs_in_thread(size: int, quick: int = limits.REDUCE_ASIDE) -> bool:
    """Whether work on so many bytes or characters is too long for the event loop."""
    return size >= quick


async def offload(
    size: int, work: Callable[[*Arguments], Done], *arguments: *Arguments, quick: int = limits.REDUCE_ASIDE
) -> Done:
    """Run it here or in a thread, depending on the size of what is worked on."""
    if not belongs_in_thread(size, quick):
        return work(*arguments)
    return await anyio.to_thread.run_sync(work, *arguments)


async def offload_apart(size: int, work: Callable[[*Arguments], Done], *arguments: *Arguments) -> Done:
    """The same for work that parses: in a process if it is very long.

    `work` is a function of a module, and everything that it takes and returns can be pickled. If the process
    ends on the way, it is done once more in a thread.
    """
    if size < limits.PROCESS_ASIDE:
        return await offload(size, work, *arguments)
    try:
        return await anyio.to_thread.run_sync(_in_process, work, *arguments, limiter=_limiter())
    except WorkerLost:
        return await offload(size, work, *arguments)


def size_of(result: object) -> int:
    """Bytes of a result as it came; one that was parsed already was long enough, or is our own and short."""
    return len(result.data) if isinstance(result, RawResult) else 0


_idle: list[WorkerProcess] = []
_limiters = anyio.lowlevel.RunVar[anyio.CapacityLimiter]("toolbooth_workers")


def close_workers() -> None:
    """End the processes that wait for work; one that is at work ends after it."""
    while _idle:
        _idle.pop().close()


def _limiter() -> anyio.CapacityLimiter:
    """Who waits for a worker waits in the event loop, and takes no thread from others."""
    limiter = _limiters.get(None)
    if limiter is None:
        _limiters.set(limiter := anyio.CapacityLimiter(limits.WORKERS))
    return limiter


def _in_process(work: Callable[[*Arguments], Done], *arguments: *Arguments) -> Done:
    worker = _taken()
    try:
        return worker.call(work, *arguments)
    finally:
        if not worker.ended:
            _idle.append(worker)


def _taken() -> WorkerProcess:
    """The worker that was used last, so that the others may end; a new one if there is none."""
    while _idle:
        worker = _idle.pop()
        if not worker.ended:
            return worker
        worker.close()
    try:
        return WorkerProcess()
    except OSError:
        raise WorkerLost from None
