"""Files are read by what they hold, and refused with a place."""

from pathlib import Path

import pytest

from toolbooth.catalog.config import parse_document
from toolbooth.catalog.config.config_file import sniff
from toolbooth.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "suffix", "syntax"),
    [
        ('{"a": 1}', "", "json"),
        ('// c\n/* d */ {"a": 1}', ".txt", "json"),
        ("{a: 1}", ".yaml", "yaml"),
        ("[mcp_servers.x]\n", "", "toml"),
        ("# c\n\nmodel = 'x'\n", ".json", "toml"),
        ('[mcp_servers."a b"] # c\n', "", "toml"),
        ("[1, 2]", "", "json"),
        ("# c\nservers:\n  a: {}\n", "", "yaml"),
        ("---\nservers: {}\n", ".txt", "yaml"),
        ('"servers": {', ".json", "json"),
        ('"servers": {', ".yml", "yaml"),
        ("???", "", "json"),
    ],
)
def test_the_content_says_which_syntax_it_is(text: str, suffix: str, syntax: str) -> None:
    assert sniff(text, suffix) == syntax


def _fault(path: Path) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        parse_document(path)
    return caught.value


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"mcpServers": {}}')
    assert parse_document(path).value == {"mcpServers": {}}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_refused_with_advice(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{"mcpServers": {}}'.encode(encoding))
    assert "save it again as UTF-8" in str(_fault(path))


def test_bad_utf_8_is_placed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{\n "é": "'.encode() + b'\xff"}')
    assert str(_fault(path)) == f"{path}:2:8: is not UTF-8; save it again as UTF-8"


def test_broken_json_names_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{\n  "mcpServers": {\n    "x": {"command": "y"}\n    "z": {}\n  }\n}')
    assert str(_fault(path)).startswith(f"{path}:4:5: broken JSON")


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_file_is_named_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert "empty" in str(_fault(path))


def test_missing_files_and_folders_are_said(tmp_path: Path) -> None:
    assert "no such file" in str(_fault(tmp_path / "none.json"))
    assert "is a directory" in str(_fault(tmp_path))


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": "' + "x" * 3_000_000 + '"}')
    with pytest.raises(ConfigError, match="larger than 2 MiB"):
        parse_document(path, max_bytes=2 * 1024 * 1024)


@pytest.mark.parametrize("name", ["a.json", "a.toml", "a.yaml"])
def test_deep_nesting_is_one_clear_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text({"a.json": "[" * 200_000, "a.toml": "a = " + "[" * 200_000}.get(name, "[" * 5000))
    assert "nested" in str(_fault(path))


def test_a_document_never_shows_its_value(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("servers: {a: {env: {TOKEN: hunter2}}}")
    assert "hunter2" not in repr(parse_document(path))
