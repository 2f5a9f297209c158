"""Only regular files are read; what would hang or never end is refused in one line."""

import os
from pathlib import Path

import pytest

from toolbooth.catalog.config import find_configs, parse_document
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.errors import ConfigError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.json")
    with pytest.raises(ConfigError, match="is a pipe, not a regular file"):
        parse_document(tmp_path / "x.json")


def test_a_device_is_refused_even_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "x.json").symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match="is a device"):
        parse_document(tmp_path / "x.json")


def test_a_loop_of_links_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to(tmp_path / "b.json")
    (tmp_path / "b.json").symlink_to(tmp_path / "a.json")
    with pytest.raises(ConfigError, match="cannot be read: Too many levels of symbolic links"):
        parse_document(tmp_path / "a.json")


def test_a_file_that_grew_is_read_up_to_the_ceiling_only(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(ConfigError, match="larger"):
        read_regular(path, 4)
    path.write_bytes(bytes(2049))
    with pytest.raises(ConfigError, match="larger than 2 KiB"):
        read_regular(path, 2048)


def test_a_pipe_or_a_loop_in_a_known_place_is_kept_for_a_line(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    os.mkfifo(tmp_path / ".cursor/mcp.json")
    (tmp_path / ".claude.json").symlink_to(tmp_path / ".claude.json")
    found = find_configs(tmp_path, tmp_path, {}, "linux")
    assert [place.client for place in found] == ["Claude Code", "Cursor"]
