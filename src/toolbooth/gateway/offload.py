"""The one place that decides when work leaves the event loop.

Short work is done at once, because a thread costs 0.1 ms. Long work is done in a thread, so that nobody else
waits. Where that thread would parse a large result, it has a process do that: a parser keeps the interpreter's
lock, and would hold up the event loop all the same. Work that large waits on the event loop until a worker is
free: if it waited in threads, it would hold all of them, and short work would wait behind it.
"""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from toolbooth import limits
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
    turns = _large_work() if size >= limits.PROCESS_ASIDE else None
    return await anyio.to_thread.run_sync(work, *arguments, limiter=turns)


_turns: RunVar[anyio.CapacityLimiter] = RunVar("large work")  # embedded gateways may have a loop each


def _large_work() -> anyio.CapacityLimiter:
    turns = _turns.get(None)
    if turns is None:
        turns = anyio.CapacityLimiter(limits.WORKERS)
        _turns.set(turns)
    return turns


_idle: list[WorkerProcess] = []
_free = threading.BoundedSemaphore(limits.WORKERS)


def in_worker(work: Callable[[*Arguments], Done], *arguments: *Arguments) -> Done:
    """Do it in a worker process and wait: for threads, with work on PROCESS_ASIDE bytes or more.

    `work` is a function of a module, and all that it takes and returns can be pickled. If the process ends on
    the way, it is done here; if it takes too long, it is ended, and WorkerLate raised.
    """
    with _free, suppress(WorkerLost):
        return _done_by(_taken(), work, *arguments)
    return work(*arguments)


def close_workers() -> None:
    """End the processes that wait for work; one that is at work ends after it."""
    while worker := _idle_worker():
        worker.close()


def _idle_worker() -> WorkerProcess | None:
    try:
        return _idle.pop()  # threads take turns at this without a lock
    except IndexError:
        return None


def _done_by(worker: WorkerProcess, work: Callable[[*Arguments], Done], *arguments: *Arguments) -> Done:
    try:
        return worker.call(work, *arguments)
    finally:
        if not worker.ended:
            _idle.append(worker)


def _taken() -> WorkerProcess:
    """The worker that was used last, so that the others may end; a new one if there is none."""
    while worker := _idle_worker():
        if not worker.ended:
            return worker
        worker.close()
    if not sys.executable or getattr(sys, "frozen", False):  # not an interpreter that could be started
        raise WorkerLost
    try:
        return WorkerProcess()
    except OSError:
        raise WorkerLost from None
