"""Writing a file leaves the old one or the new one, never half."""

from pathlib import Path

import pytest

from toolbooth.catalog import write_atomically
from toolbooth.errors import ConfigError


def test_the_new_content_takes_the_old_ones_place(tmp_path: Path) -> None:
    target = tmp_path / "catalog.json"
    target.write_text("old")
    write_atomically(target, b"new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_keeps_the_old_file_and_leaves_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "catalog.json"
    target.write_text("old")

    def full_disk(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(ConfigError, match="No space left"):
        write_atomically(target, b"new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        write_atomically(tmp_path / "no" / "catalog.json", b"x")
