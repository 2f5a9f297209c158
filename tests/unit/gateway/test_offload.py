"""Where work is done: here, in a thread, or in a process; and what becomes of it if the process ends."""

import json
import operator
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
import pytest
from tests.unit.gateway.daemon.bridges import alive, until

from toolbooth import errors, limits
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.offload import close_workers, in_worker, offload
from toolbooth.gateway.reduce.answer import fit, fit_apart
from toolbooth.gateway.reduce.pipeline import ReduceOptions
from toolbooth.gateway.worker_process import WorkerLate, WorkerLost, WorkerProcess

pytestmark = pytest.mark.anyio
HERE, LONG = limits.REDUCE_ASIDE - 1, limits.REDUCE_ASIDE


@pytest.fixture(autouse=True)
def own_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers that can import this file, and end with the test."""
    close_workers()
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    yield
    close_workers()


async def test_short_work_stays_here_and_long_work_goes_to_a_thread() -> None:
    assert await offload(HERE, threading.get_ident) == threading.get_ident()
    assert await offload(LONG, threading.get_ident) != threading.get_ident()


@pytest.mark.promise("gateway:loop")
async def test_long_work_does_not_wait_behind_much_that_is_longer() -> None:
    end = threading.Event()
    async with anyio.create_task_group() as tasks:
        for _ in range(100):
            tasks.start_soon(partial(offload, limits.PROCESS_ASIDE, end.wait))
        await anyio.wait_all_tasks_blocked()
        try:
            with anyio.fail_after(20):
                assert await offload(LONG, threading.get_ident) != threading.get_ident()
        finally:
            end.set()


def test_work_for_a_worker_goes_to_one_process_that_is_kept() -> None:
    first = in_worker(os.getpid)
    assert first != os.getpid()
    assert in_worker(os.getpid) == first


def test_so_many_processes_work_at_once_and_no_more() -> None:
    with ThreadPoolExecutor(10) as threads:
        found = {each.result() for each in [threads.submit(in_worker, os.getpid) for _ in range(10)]}
    assert 1 <= len(found) <= limits.WORKERS


def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        in_worker(operator.truediv, 1, 0)
    with pytest.raises(json.JSONDecodeError, match="line 1 column 2"):
        in_worker(json.loads, "{")


def test_an_error_of_ours_keeps_its_words() -> None:
    broken = RawResult(memoryview(b"{"))
    with pytest.raises(errors.BackendProtocolError, match="sent JSON that cannot be read"):
        in_worker(operator.attrgetter("value"), broken)


def killed_unless_in(process: int) -> int:
    """Work that ends every other process."""
    if os.getpid() != process:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


@pytest.mark.promise("gateway:worker")
def test_the_work_of_a_killed_process_is_done_here() -> None:
    worker = in_worker(os.getpid)
    assert in_worker(killed_unless_in, os.getpid()) == os.getpid()
    assert in_worker(os.getpid) not in (worker, os.getpid())


def test_a_process_that_ended_while_it_was_idle_is_replaced() -> None:
    worker = in_worker(os.getpid)
    os.kill(worker, signal.SIGKILL)
    assert in_worker(os.getpid) != worker


def test_the_end_of_a_process_is_an_error_of_its_call() -> None:
    worker = WorkerProcess()
    with pytest.raises(WorkerLost):
        worker.call(signal.raise_signal, signal.SIGKILL)
    assert worker.ended


def never() -> None:
    """Work that does not end."""
    threading.Event().wait()


@pytest.mark.promise("gateway:worker")
def test_work_that_takes_too_long_fails_alone_and_its_process_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = in_worker(os.getpid)
    with monkeypatch.context() as hurried:
        hurried.setattr(limits, "WORKER_LIMIT", 0.01)
        with pytest.raises(WorkerLate):
            in_worker(never)
    assert in_worker(os.getpid) not in (worker, os.getpid())


def loud(answer: int) -> int:
    """Work of a library that prints, and of one written in C."""
    print("a line", flush=True)
    os.write(1, b"and another")
    return answer


def test_what_the_work_prints_is_no_part_of_an_answer() -> None:
    worker = in_worker(os.getpid)
    assert [in_worker(loud, each) for each in (1, 2)] == [1, 2]
    assert in_worker(os.getpid) == worker


def test_a_system_without_vectored_reads_has_workers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "readv", raising=False)
    assert in_worker(os.getpid) != os.getpid()


@pytest.mark.parametrize(("name", "value"), [("executable", ""), ("executable", None), ("frozen", True)])
def test_a_program_that_is_no_interpreter_does_the_work_itself(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(sys, name, value, raising=False)
    assert in_worker(os.getpid) == os.getpid()


@pytest.mark.promise("gateway:worker")
def test_a_process_outlives_nobody() -> None:
    start = (
        "from toolbooth.gateway.worker_process import WorkerProcess; print(WorkerProcess().pid, flush=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"{start}; input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert alive(worker)
        parent.kill()
    until(lambda: not alive(worker), "the worker ends")


def test_an_idle_process_ends_by_itself() -> None:
    worker = WorkerProcess(idle=0.01)
    worker.ending.join(60)
    assert worker.ended
    worker.close()


@pytest.mark.parametrize("size", [0, 1, 1 << 20, 5 << 20])
def test_bytes_of_any_size_arrive_as_they_were(size: int) -> None:
    data = b'{"text":"' + os.urandom(size // 2).hex().encode() + b'"}'
    worker = WorkerProcess()
    for payload in (data, memoryview(data)):
        assert worker.call(operator.attrgetter("value"), RawResult(payload)) == json.loads(data)
    worker.close()


def test_a_result_is_cut_there_as_it_is_here() -> None:
    rows = [{"id": number, "name": f"row {number}"} for number in range(20_000)]
    result = {"content": [{"type": "text", "text": json.dumps(rows)}], "isError": False}
    options, kept = ReduceOptions(Reduction(metadata=False)), dict[str, str]()

    def keep(text: str) -> str:
        kept["REF"] = text
        return "REF"

    here, worker = fit(result, options, keep), WorkerProcess()
    there = worker.call(fit_apart, RawResult(json.dumps(result).encode()), options)
    worker.close()
    assert there.fitted.steps == here.steps != ()
    [ref] = there.kept
    assert there.kept[ref] == kept["REF"]
    assert json.dumps(there.fitted.result).replace(ref, "REF") == json.dumps(here.result)


def test_a_short_result_comes_back_without_its_content() -> None:
    whole = RawResult(b'{"content":[{"type":"text","text":"short"}]}')
    assert fit_apart(whole, ReduceOptions(Reduction())) == (({}, ()), {})
