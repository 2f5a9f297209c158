"""The locations of changes and findings in the user's own files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolbooth.contracts import (
    Change,
    Contracts,
    Diff,
    Finding,
    Level,
    Lock,
    ServerContract,
    Severity,
    ToolContract,
)
from toolbooth.contracts.diff import diff_contracts
from toolbooth.contracts.reporting import FileLocation, entries_of, file_locations, lock_locations
from toolbooth.contracts.reporting.locations import key_lines, path_from
from toolbooth.contracts.toolbooth_lock import write_lock

RAW = {
    "name": "find",
    "description": 'Says "servers": {"mail": 1}, \\ and [',
    "inputSchema": {
        "type": "object",
        "properties": {"a/b~c": {"type": "string"}, "n": {"type": "integer", "maximum": 5}},
        "required": ["n"],
    },
}


def contracts(**raw_tools: Mapping[str, Any]) -> Contracts:
    tools = {name: ToolContract("mail", name, {**raw, "name": name}) for name, raw in raw_tools.items()}
    return Contracts({"mail": ServerContract("mail", tools, "Read me.", version="1")})


def change(tool: str, path: str, rule: str = "x", before: object = None, server: str = "mail") -> Change:
    return Change(rule, Severity.RISKY, server, tool, path, "", before)


def lines(folder: Path, *changes: Change) -> list[str]:
    """The text of the lines that were found."""
    lock = folder / "toolbooth.lock"
    write_lock(Lock(contracts(find=RAW, keep=RAW)), lock)
    text = lock.read_text().splitlines()

    locations = lock_locations(lock, folder)(entries_of(Diff(changes)))
    assert {location.path for location in locations if location} == {"toolbooth.lock"}
    return [text[location.line - 1].strip() for location in locations if location and location.line]


def test_a_change_is_located_at_the_closest_key_of_the_lock(tmp_path: Path) -> None:
    assert lines(
        tmp_path,
        change("find", "/inputSchema/properties/n/maximum"),
        change("find", "/inputSchema/properties/a~1b~0c/type"),
        change("find", "/inputSchema/properties/new/type"),
        change("find", "/inputSchema/required/0"),
        change("gone", "/description"),
        change("new", "/name", "tool-renamed", "keep"),
        change("", "/instructions"),
        change("", "", server="other"),
        change("", "", server=""),
    ) == [
        '"maximum": 5,',
        '"type": "string"',
        '"properties": {',
        '"required": [',
        '"tools": {',
        '"name": "keep"',
        '"instructions": "Read me.",',
        '"servers": {',
        '"budgets": {},',
    ]


def test_a_line_belongs_to_the_same_tool_and_not_to_a_similar_one(tmp_path: Path) -> None:
    lock = tmp_path / "toolbooth.lock"
    before, after = contracts(find=RAW, keep=RAW), contracts(find=RAW, keep={**RAW, "description": "x"})
    write_lock(Lock(before), lock)
    found = lock_locations(lock, tmp_path)(entries_of(diff_contracts(before, after)))
    text = lock.read_text()
    expected = text[: text.index('"description"', text.index('"keep": {'))].count("\n") + 1
    assert found == [FileLocation("toolbooth.lock", expected)]


def test_keys_are_found_in_any_layout_of_a_file() -> None:
    value = {"a": [{"b": 1}, {"c": {"d": "}"}}], 'e"\n': {"f": None}}
    for indent in (None, 2, 8):
        text = json.dumps(value, indent=indent)
        found = key_lines(text, [("a",), ('e"\n', "f"), ("a", "nothing")])
        assert set(found) == {("a",), ('e"\n', "f")}
        assert '"f"' in text.splitlines()[found[('e"\n', "f")] - 1]


@pytest.mark.parametrize(
    "text",
    [
        '{\n "mcpServers": {\n  "mail": {"command": "x"}}}',
        "servers:\n\n  mail:\n    command: x",
        '# mailbox\n\n[mcp_servers.mail]\ncommand = "x"',
        '{"servers": [\n {"tools": 1},\n {"server": "mail"}]}',
    ],
    ids=["json", "yaml", "toml", "catalog"],
)
def test_a_server_is_found_where_a_config_names_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    finding = Finding("x", Level.HIGH, "mail", "", "", "")

    found = file_locations([file], tmp_path)(entries_of(Diff(), [finding]))
    assert found == [FileLocation("mcp.json", 3)]


def test_a_tool_is_found_after_its_server_in_the_file_that_names_it(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text('[{"server": "files",\n"tools": ["find"]}]')
    second.write_text('[{"server": "other",\n"tools": ["find"]},\n{"server": "mail",\n"tools": ["find"]}]')
    findings = [Finding("x", Level.HIGH, server, "find", "", "") for server in ("mail", "files", "no")]
    assert file_locations([first, second], tmp_path)(entries_of(Diff(), findings)) == [
        FileLocation("second.json", 4),
        FileLocation("first.json", 2),
        FileLocation("first.json"),
    ]
    assert file_locations([], tmp_path)(entries_of(Diff(), findings)) == [None, None, None]


def test_a_missing_file_has_no_lines(tmp_path: Path) -> None:

    entries = entries_of(Diff((change("find", "/description"),)))
    assert lock_locations(tmp_path / "no.lock", tmp_path)(entries) == [FileLocation("no.lock")]


def test_paths_are_relative_to_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app").mkdir()
    monkeypatch.chdir(tmp_path / "app")
    assert path_from(Path("toolbooth.lock"), tmp_path) == "app/toolbooth.lock"
    assert path_from(Path("/elsewhere/x.lock"), tmp_path) == "/elsewhere/x.lock"
