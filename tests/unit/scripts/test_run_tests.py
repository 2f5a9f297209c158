"""The script behind `make test`."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from scripts import run_tests


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This test may run inside a measured run: it has data and a hook of its own."""
    monkeypatch.setattr(run_tests, "DATA", tmp_path / "coverage")
    monkeypatch.setattr(run_tests, "HOOK", tmp_path / "hook.pth")
    return tmp_path


@pytest.mark.parametrize(
    ("codes", "wanted"),
    [
        ((0, 0, 0, 0, 0, 0), 0),
        ((1, 0, 0, 0, 0, 0), 1),  # property tests
        ((0, 1, 0, 0, 0, 0), 1),
        ((0, 0, 1, 0, 0, 0), 1),  # the browser's
        ((0, -9, 0, 0, 0, 0), 1),  # killed
        ((0, 5, 0, 0, 0, 0), 1),  # no test was found
        ((0, 0, 0, 1, 0, 0), 0),  # nothing to combine: then the report fails
        ((0, 0, 0, 0, 2, 0), 1),  # below the floor
        ((0, 0, 0, 0, 0, 2), 1),  # below the floor of the path of a call
    ],
)
def test_every_run_is_made_and_one_that_fails_or_is_killed_or_covers_too_little_fails_the_gate(
    codes: tuple[int, ...], wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: Iterator[int] = iter(codes)
    monkeypatch.setattr(run_tests, "run", lambda *_words: next(left))
    assert run_tests.main([]) == wanted
    assert next(left, None) is None


def test_only_the_measured_runs_start_coverage_and_the_hook_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hooked = []

    def run(*words: str) -> int:
        hooked.append((words[2], run_tests.HOOK.exists()))
        return 0

    monkeypatch.setattr(run_tests, "run", run)
    run_tests.main([])
    assert hooked == [
        ("pytest", False),
        ("pytest", True),
        ("pytest", True),
        ("coverage", False),
        ("coverage", False),
        ("coverage", False),
    ]


def test_chosen_tests_run_unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[tuple[str, ...]] = []

    def run(*words: str) -> int:
        commands.append(words)
        return 0

    monkeypatch.setattr(run_tests, "run", run)
    assert run_tests.main(["tests/unit/tokens"]) == 0
    assert [words[-1] for words in commands] == ["tests/unit/tokens"]


def test_a_file_that_a_killed_process_left_half_written_is_put_aside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_tests, "run", lambda *_words: 0)
    run_tests.DATA.mkdir()
    whole, half, empty = (run_tests.DATA / f"measured.{name}" for name in ("whole", "half", "empty"))
    with closing(sqlite3.connect(whole)) as connection:
        connection.executescript("CREATE TABLE meta (a); CREATE TABLE file (a); CREATE TABLE arc (a)")
    half.write_bytes(whole.read_bytes()[:5000])
    empty.touch()
    run_tests.combine()
    assert list(run_tests.DATA.iterdir()) == [whole]
    assert capsys.readouterr().out == "coverage of 1 processes; 2 were killed while they wrote theirs\n"
