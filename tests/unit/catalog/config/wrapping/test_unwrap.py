"""The way back, whatever has become of the file."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.unit.catalog.config.conftest import Unwrap, Wrap, Write

from toolbooth.catalog.config import WrapOptions, read_config
from toolbooth.catalog.config.originals import all_kept
from toolbooth.errors import ConfigError

CONFIG = (
    '{\n  "mcpServers": {\n    "a": {"command": "x"}, // mine\n    "b": {"command": "y"}\n  },\n  "n": 1\n}\n'
)
BOTH = {"a": {"command": "x"}, "b": {"command": "y"}}


@pytest.fixture
def path(write: Write, wrapped: Wrap) -> Path:
    """A wrapped file."""
    made = write(".cursor/mcp.json", CONFIG)
    wrapped(made)
    return made


def value_of(path: Path) -> Any:
    return json.loads(path.read_text())


def test_an_untouched_file_gets_its_bytes_back_and_keeps_its_mode(
    path: Path, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    path.chmod(0o640)
    done = unwrapped(path)
    assert (done.state, done.servers) == ("restored", ("a", "b"))
    assert path.read_text() == CONFIG
    assert path.stat().st_mode & 0o777 == 0o640
    assert not list(all_kept(gateway.data))


def test_a_client_that_writes_its_own_file_anew_loses_nothing(path: Path, unwrapped: Unwrap) -> None:
    value = value_of(path)
    path.write_text(json.dumps({**value, "n": 2, "new": []}, indent=4))
    assert unwrapped(path).state == "servers put back"
    text = path.read_text()
    assert '"a": {"command": "x"}, // mine' in text
    assert '"new": []' in text
    assert '"n": 2' in text


def test_servers_that_were_added_since_stay(path: Path, unwrapped: Unwrap) -> None:
    value = value_of(path)
    value["mcpServers"] = {"first": {"command": "f"}, **value["mcpServers"], "last": {"command": "l"}}
    path.write_text(json.dumps(value))
    unwrapped(path)
    found = read_config(path, {})
    assert [spec.name for spec in found.servers] == ["first", "a", "b", "last"]


def test_a_server_of_the_same_name_that_was_added_since_keeps_it(path: Path, unwrapped: Unwrap) -> None:
    value = value_of(path)
    value["mcpServers"] |= {"a": {"command": "newer"}, "b": BOTH["b"]}
    path.write_text(json.dumps(value))
    done = unwrapped(path)
    assert (dict(done.renamed), done.servers) == ({"a": "a-2"}, ("a",))
    found = read_config(path, {})
    assert {spec.name: spec.command for spec in found.servers} == {"a": "newer", "a-2": "x", "b": "y"}


@pytest.mark.parametrize("text", ['{"n": 1}', '{"mcpServers": {}, "n": 1}', "{}"])
def test_an_entry_or_a_section_that_was_taken_out_by_hand_is_no_obstacle(
    path: Path, unwrapped: Unwrap, text: str
) -> None:
    path.write_text(text)
    assert unwrapped(path).state == "servers put back"
    assert [spec.name for spec in read_config(path, {}).servers] == ["a", "b"]


def test_servers_that_were_put_back_by_hand_are_left_alone(
    path: Path, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    path.write_text(json.dumps({"mcpServers": BOTH}))
    assert unwrapped(path).state == "already back"
    assert value_of(path) == {"mcpServers": BOTH}
    assert not list(all_kept(gateway.data))


def test_a_file_that_was_deleted_is_written_anew(path: Path, unwrapped: Unwrap) -> None:
    path.unlink()
    assert unwrapped(path).state == "restored"
    assert path.read_text() == CONFIG


def test_what_was_edited_in_the_kept_copy_comes_back_too(
    path: Path, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    (kept,) = all_kept(gateway.data)
    kept.copy.write_text(CONFIG.replace('"b": {"command": "y"}', '"c": {"command": "z"}'))
    assert [spec.name for spec in read_config(kept.copy, {}).servers] == ["a", "c"]
    assert unwrapped(path).state == "servers put back"
    assert [spec.name for spec in read_config(path, {}).servers] == ["a", "c"]


def test_a_missing_backup_is_one_line_and_changes_nothing(
    path: Path, unwrapped: Unwrap, wrapped: Wrap, gateway: WrapOptions
) -> None:
    before = path.read_text()
    (kept,) = all_kept(gateway.data)
    kept.copy.unlink()
    shutil.rmtree(gateway.data / "originals")
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"its kept copy .* is missing, .*; nothing was changed"):
            unwrapped(path)
        (kept.folder / "manifest.json").unlink(missing_ok=True)
    with pytest.raises(ConfigError, match=r"is wrapped, but its kept copy .* is missing"):
        wrapped(path)
    assert path.read_text() == before


def test_a_damaged_manifest_says_where_the_original_is(
    path: Path, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    (kept,) = all_kept(gateway.data)
    (kept.folder / "manifest.json").write_text('{"format": "toolbooth-wrapped", "version": 1}')
    shutil.rmtree(gateway.data / "originals")
    with pytest.raises(ConfigError, match="the kept file beside it is the original"):
        unwrapped(path)


def test_a_broken_file_is_left_alone_with_its_backup(
    path: Path, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    path.write_text("{")
    with pytest.raises(ConfigError, match="broken JSON"):
        unwrapped(path)
    assert len(list(all_kept(gateway.data))) == 1


def test_a_file_that_was_never_wrapped_says_so(write: Write, unwrapped: Unwrap) -> None:
    with pytest.raises(ConfigError, match="is not wrapped"):
        unwrapped(write("mcp.json", CONFIG))
    with pytest.raises(ConfigError, match="there is no such file"):
        unwrapped(write("mcp.json", CONFIG).with_name("absent.json"))


def test_a_copy_of_a_wrapped_file_does_not_take_the_backup_with_it(
    path: Path, write: Write, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    copied = write(".lmstudio/mcp.json", path.read_text())
    assert unwrapped(copied).state == "restored"
    assert len(list(all_kept(gateway.data))) == 1
    assert unwrapped(path).state == "restored"
