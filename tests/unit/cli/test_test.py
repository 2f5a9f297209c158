"""`--watch`: a change of a suite or a recording is seen, and a mistake does not end it."""

from argparse import Namespace
from pathlib import Path

import pytest

from toolbooth.cli.test import watch
from toolbooth.errors import UserMistake


def options(folder: Path, record: str | None = None) -> Namespace:
    return Namespace(suite=[str(folder)], record=record)


def test_a_change_runs_it_again_and_a_mistake_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "a.toolbooth.yaml"
    suite.write_text("one")
    seen: list[str] = []

    def once(_options: Namespace) -> int:
        seen.append(suite.read_text())
        suite.write_text(f"{suite.read_text()} more")  # an edit while it runs is not lost
        if len(seen) == 1:
            raise UserMistake("a mistake in it")
        return 0

    assert watch(options(tmp_path), once, rounds=2) == 0
    assert seen == ["one", "one more"]
    assert "a mistake in it" in capsys.readouterr().err


def test_a_new_recording_counts_unless_it_is_our_own(tmp_path: Path) -> None:
    from toolbooth.cli.test import _stamps

    (tmp_path / "a.toolbooth.yaml").touch()
    kept = tmp_path / "cassettes" / "a"
    kept.mkdir(parents=True)
    before, recording = _stamps(options(tmp_path)), _stamps(options(tmp_path, "all"))
    (kept / "x.json").touch()
    assert _stamps(options(tmp_path)) != before
    assert _stamps(options(tmp_path, "all")) == recording
