"""Tokens in files: readable by their owner alone, whole or not there, and refused where that is not so."""

import os
import stat
from pathlib import Path

import pytest

from toolbooth.catalog.connect.oauth.token_folder import TokenFolder, data_folder
from toolbooth.errors import ConfigError

URL = "https://a.example/mcp"
RECORD = {"url": URL, "secret": "CANARY"}


@pytest.mark.promise("auth:owner-only")
def test_only_the_owner_may_read_file_and_folder(folder: TokenFolder) -> None:
    before = os.umask(0)
    try:
        folder.write(URL, RECORD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.file_of(URL).stat().st_mode) == 0o600
    assert [each.name for each in folder.path.iterdir()] == [folder.file_of(URL).name]
    assert folder.read(URL) == RECORD


@pytest.mark.promise("auth:owner-only")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_may_read_is_refused_with_the_fix(folder: TokenFolder, mode: int) -> None:
    folder.write(URL, RECORD)
    folder.file_of(URL).chmod(mode)
    with pytest.raises(ConfigError, match="others may read it: run `chmod 600 ") as refused:
        folder.read(URL)
    assert "CANARY" not in str(refused.value)
    folder.write(URL, RECORD)
    assert folder.read(URL) == RECORD


def test_a_folder_that_stands_open_is_closed(folder: TokenFolder) -> None:
    folder.path.mkdir(parents=True, mode=0o755)
    folder.write(URL, RECORD)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_link_or_a_pipe_is_not_read(folder: TokenFolder, tmp_path: Path) -> None:
    folder.make()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("{}")
    folder.file_of(URL).symlink_to(elsewhere)
    with pytest.raises(ConfigError):
        folder.read(URL)
    folder.file_of(URL).unlink()
    os.mkfifo(folder.file_of(URL), 0o600)
    with pytest.raises(ConfigError, match="no regular file"):
        folder.read(URL)


def test_half_a_file_is_said_without_quoting_it(folder: TokenFolder) -> None:
    folder.write(URL, RECORD)
    folder.file_of(URL).write_bytes(b'{"secret": "CANARY')
    with pytest.raises(ConfigError, match="damaged") as refused:
        folder.read(URL)
    assert "CANARY" not in str(refused.value)


def test_a_record_under_the_name_of_another_server_is_not_used(folder: TokenFolder) -> None:
    folder.write(URL, {**RECORD, "url": "https://b.example/mcp"})
    assert folder.read(URL) is None


def test_what_is_not_there_is_neither_read_nor_forgotten(folder: TokenFolder) -> None:
    assert folder.read(URL) is None
    assert list(folder.all()) == []
    assert folder.forget(URL) is False
    assert not folder.path.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be made"):
        TokenFolder(tmp_path / "file" / "tokens").write(URL, RECORD)


def test_every_platform_has_its_place() -> None:
    home = Path("/h")
    assert data_folder(home, {}, "linux") == Path("/h/.local/share/toolbooth")
    assert data_folder(home, {"XDG_DATA_HOME": "/x"}, "linux") == Path("/x/toolbooth")
    assert data_folder(home, {"XDG_DATA_HOME": "not/absolute"}, "linux") == Path("/h/.local/share/toolbooth")
    assert data_folder(home, {"XDG_DATA_HOME": "/x"}, "darwin") == Path(
        "/h/Library/Application Support/toolbooth"
    )
    assert data_folder(home, {}, "win32") == Path("/h/AppData/Local/toolbooth")
