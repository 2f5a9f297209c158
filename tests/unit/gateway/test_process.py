"""The daemon's log: short, clean, and silent about what others said."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolbooth.gateway import process
from toolbooth.gateway.process import Log, LogHandler, error_summary


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def log(path: Path) -> Iterator[Log]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    yield Log(descriptor, limit=4000)
    os.close(descriptor)


def test_a_line_has_time_process_and_clean_text(log: Log, path: Path) -> None:
    log.note("two\nlines and \x1b[31mcolour")
    time = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
    assert re.fullmatch(rf"{time} \[{os.getpid()}\] two lines and colour\n", path.read_text())


def test_it_keeps_the_newer_half_and_whole_lines(log: Log, path: Path) -> None:
    for number in range(1000):
        log.note(f"line {number}")
        assert path.stat().st_size <= 4000
    lines = path.read_text().splitlines()
    assert lines[-1].endswith("line 999")
    assert len(lines) > 20
    assert all(re.search(r"\] line \d+$", line) for line in lines)


def test_a_flood_of_something_else_is_cut_too(log: Log, path: Path) -> None:
    path.write_bytes(b"x" * 1_000_000)
    log.trim()
    assert path.stat().st_size <= 4000


def test_a_terminal_or_a_full_disk_is_no_problem() -> None:
    reader, writer = os.pipe()
    Log(writer).note("said")
    assert os.read(reader, 1000).endswith(b"said\n")
    os.close(reader)
    Log(writer).note("to nobody")
    os.close(writer)


def test_an_error_is_named_by_kind_and_place_only() -> None:
    def inner() -> None:
        raise ValueError("canary")

    try:
        try:
            inner()
        except ValueError as error:
            raise ExceptionGroup("canary", [error]) from None
    except ExceptionGroup as group:
        said = error_summary(group)
    assert re.fullmatch(r"ValueError at test_process\.py:\d+ < test_process\.py:\d+", said)


def test_other_packages_words_stay_out_and_ours_stay(log: Log, path: Path) -> None:
    handler = LogHandler(log)
    for name in ("mcp.client", "toolbooth.gateway.runtime"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        try:
            raise KeyError("canary-one")
        except KeyError:
            logger.warning("%s of %s", "canary-two", name, exc_info=True)
        finally:
            logger.removeHandler(handler)
    foreign, ours = path.read_text().splitlines()
    assert re.search(r"warning mcp\.client: line \d+ \(KeyError\)$", foreign)
    assert ours.endswith(
        "warning toolbooth.gateway.runtime: canary-two of toolbooth.gateway.runtime (KeyError)"
    )


def test_the_heap_is_ours_only_in_a_process_that_runs_our_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_heap", process._Heap())
    for name in ("sys.setswitchinterval", "gc.set_threshold"):  # of the process that runs the tests
        monkeypatch.setattr(name, lambda *_: None)

    async def ours() -> bool:
        return process._heap.ours

    assert not process._heap.ours
    assert process.run(ours)
