"""Recorded calls are read from files and folders of any of the known shapes."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.cli.profile.measured import read_answers
from toolbooth.errors import ConfigError

ROOT = Path(__file__).parents[4]
RECORD = {"server": "files", "tool": "read", "result": {"content": [{"type": "text", "text": "hello"}]}}


def written(path: Path, document: Any) -> Path:
    data = json.dumps(document).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def exchange(**more: Any) -> dict[str, Any]:
    made = [{"server": "files", "name": "read", "arguments": {}}]
    return {"tool": "read", "arguments": {}, "result": "hello", "is_error": False, "made": made, **more}


def cassette(*exchanges: dict[str, Any]) -> dict[str, Any]:
    return {"format": "toolbooth-cassette", "turns": [{"exchanges": list(exchanges)}]}


def test_a_record_a_list_lines_and_their_gzip_are_the_same(tmp_path: Path) -> None:
    lines = tmp_path / "three.jsonl"
    lines.write_text(f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}\n")
    for path, many in (
        (written(tmp_path / "one.json", RECORD), 1),
        (written(tmp_path / "two.json.gz", [RECORD, RECORD]), 2),
        (lines, 2),
    ):
        found = read_answers([path], ())
        assert [(each.server, each.tool, each.origin) for each in found.answers] == [
            ("files", "read", "recorded")
        ] * many


def test_of_a_trace_only_what_is_one_tools_answer_is_taken(tmp_path: Path) -> None:
    call = {"tool": "call_tool"}
    code = {"tool": "call_tool_chain"}
    path = written(
        tmp_path / "run.json",
        cassette(
            exchange(),
            exchange(**call),
            exchange(**code),
            exchange(is_error=True),
            exchange(result=""),
            exchange(made=[]),
            exchange(made=exchange()["made"] * 2),
        ),
    )
    found = read_answers([path], ()).answers
    assert [(each.tool, each.origin, each.result["content"][0]["text"]) for each in found] == [
        ("read", "traces", "hello")
    ] * 2


def test_messages_of_a_provider_are_read_with_the_names_of_the_servers(tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "files__read", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "read it"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "hello"},
    ]
    (found,) = read_answers([written(tmp_path / "chat.json", messages)], ["files"]).answers
    assert (found.server, found.tool) == ("files", "read")


def test_the_cassettes_of_an_example_are_read_with_all_that_stands_beside_them() -> None:
    found = read_answers([ROOT / "examples" / "expect" / "cassettes"], ())
    assert {(each.server, each.tool, each.origin) for each in found.answers} == {
        ("tickets", "create_ticket", "traces")
    }
    assert {path.parent.name for path in found.others} <= {"catalogs"}


def test_in_a_folder_other_files_may_stand_and_are_named(tmp_path: Path) -> None:
    written(tmp_path / "one.json", RECORD)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "notes.txt").write_text("nothing of ours")
    found = read_answers([tmp_path], ())
    assert len(found.answers) == 1
    assert [path.name for path in found.others] == ["broken.json"]


@pytest.mark.promise("profile:bad-answers")
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.json", b"", "empty"),
        ("a.json", b"{", "broken JSON"),
        ("a.json", b'{"tools": []}', "not a recorded answer; expected"),
        ("a.json", b'{"content": []}', "not a recorded answer; expected"),
        ("a.json.gz", b"not gzip", "damaged or not gzip"),
        ("a.json.gz", gzip.compress(b"[]" * 50_000, mtime=0)[:60], "truncated"),
        ("a.json.gz", gzip.compress(b" " * 3_000_000, mtime=0), "more than 1 MiB"),
    ],
)
def test_a_named_file_without_answers_is_one_line_with_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, words: str
) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_TRACE_BYTES", 1 << 20)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError) as raised:
        read_answers([tmp_path / name], ())
    assert str(tmp_path / name) in str(raised.value)
    assert words in str(raised.value)


def test_folders_of_nothing_or_of_too_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="no recorded answers"):
        read_answers([tmp_path], ())
    for number in range(3):
        written(tmp_path / f"{number}.json", RECORD)
    monkeypatch.setattr("toolbooth.limits.MAX_ANSWER_FILES", 2)
    with pytest.raises(ConfigError, match="3 files are too many"):
        read_answers([tmp_path], ())
    with pytest.raises(ConfigError, match="no such file"):
        read_answers([tmp_path / "nowhere.json"], ())
