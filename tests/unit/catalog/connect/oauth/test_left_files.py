"""What a process that was killed while it wrote secrets has left is removed by the next one that writes."""

import os
from pathlib import Path

import pytest
from tests.unit.catalog.connect.oauth.test_grant import GRANT

from toolbooth.catalog.connect.oauth.grant import record_of
from toolbooth.catalog.connect.oauth.token_store import TokenFolder
from toolbooth.files import replace_if_unchanged

pytestmark = pytest.mark.promise("secrets:left-files")


def left(path: Path, *, old: bool) -> Path:
    path.write_text("half a secret")
    if old:
        os.utime(path, (0, 0))
    return path


def test_half_a_record_of_tokens_is_removed(tmp_path: Path) -> None:
    old, fresh = left(tmp_path / ".new-abc", old=True), left(tmp_path / ".new-def", old=False)
    TokenFolder(tmp_path).write(GRANT.url, record_of(GRANT))
    assert (old.exists(), fresh.exists()) == (False, True)


def test_half_a_config_is_removed_and_nothing_else(tmp_path: Path) -> None:
    old = left(tmp_path / "..mcp.json.toolbooth-abc", old=True)
    others = [
        left(tmp_path / name, old=True) for name in ("..mcp.json.original", ".other.json.toolbooth-abc")
    ]
    path = left(tmp_path / ".mcp.json", old=True)
    replace_if_unchanged(path, b"{}", path.read_bytes())
    assert (old.exists(), [each.exists() for each in others]) == (False, [True, True])
