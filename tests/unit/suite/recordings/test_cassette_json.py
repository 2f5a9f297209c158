"""A recording is a file of stable bytes; what is not what was written is refused in one line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette, cassette_bytes, read_cassette
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage

HERE = Path("x.json")
MADE = MadeCall("add", "calendar", {"when": "noon", "id": 10**25})
TRACE = Trace(
    prompt="Add lunch — “soon”\n",
    system_prompt="Be brief.",
    model="openai:gpt-x",
    surface="search",
    menu="sha256:" + "a" * 64,
    catalog="sha256:" + "0" * 64,
    turns=(
        Turn(
            "I add it.",
            (Exchange("call_tool", {"name": "calendar.add", "n": 1.5}, "done", False, (MADE,)),),
            Usage(100, 20, 5, 6, True),
            0.25,
        ),
        Turn("Done."),
    ),
    ended="max_turns",
    error="it took too long",
    seconds=1.25,
)
CASSETTE = Cassette(CellKey("lunch", "gpt-x", "search"), TRACE, 3, "padded", ("calendar", "mail"))


def refusal(data: bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        read_cassette(data, HERE)
    message = str(caught.value)
    assert message.startswith("x.json: ")
    assert "\n" not in message
    assert "--record" in message
    return message


def changed(**values: Any) -> bytes:
    return json.dumps({**json.loads(cassette_bytes(CASSETTE)), **values}).encode()


def test_what_is_written_is_read_back_whole() -> None:
    assert read_cassette(cassette_bytes(CASSETTE), HERE) == CASSETTE


def test_the_same_run_gives_the_same_bytes_in_sorted_lines() -> None:
    data = cassette_bytes(CASSETTE)
    assert data == cassette_bytes(read_cassette(data, HERE))
    assert data.decode() == json.dumps(json.loads(data), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def test_the_file_says_what_it_is_by_plain_names() -> None:
    document = json.loads(cassette_bytes(CASSETTE))
    assert (document["format"], document["version"]) == ("toolbooth-cassette", 1)
    assert (document["test"], document["model"], document["run"]) == ("lunch", "gpt-x", 3)
    assert document["turns"][0]["exchanges"][0]["made"] == [
        {"server": "calendar", "name": "add", "arguments": {"when": "noon", "id": 10**25}}
    ]
    assert "date" not in document


def test_a_formatter_and_windows_line_ends_do_no_harm() -> None:
    data = cassette_bytes(CASSETTE)
    assert read_cassette(data.replace(b"\n", b"\r\n"), HERE) == CASSETTE
    assert (
        read_cassette(json.dumps(json.loads(data), indent=4, ensure_ascii=False).encode(), HERE) == CASSETTE
    )


def test_a_cut_recording_is_refused() -> None:
    data = cassette_bytes(CASSETTE)
    assert "cut off or damaged" in refusal(data[: len(data) // 2])
    assert "cut off or damaged" in refusal(b"")
    assert "cut off or damaged" in refusal(b"<<<<<<< HEAD\n" + data)


@pytest.mark.parametrize("data", [b"{}", b"[]", b"null", b'{"format": "other"}', b'{"format": {"a": 1}}'])
def test_a_foreign_file_is_refused(data: bytes) -> None:
    assert "not a recording of toolbooth" in refusal(data)


def test_another_version_is_refused_even_if_it_is_whole() -> None:
    assert "update toolbooth" in refusal(changed(version=2))


@pytest.mark.parametrize(
    "values",
    [
        {"prompt": "another"},
        {"run": 4},
        {"digest": "sha256:" + "0" * 64},
        {"digest": None},
        {"turns": []},
        {"ended": "won"},
        {"more": 1},
    ],
)
def test_an_edited_recording_is_refused(values: dict[str, Any]) -> None:
    assert "was edited" in refusal(changed(**values))


def test_what_no_reader_would_take_is_written_as_the_nearest_that_it_takes() -> None:
    nested: Any = "end"
    for _ in range(400):
        nested = {"in": nested}
    arguments = {"a": float("inf"), "b": "\ud800", "c": 10**5000, "d": nested, "e": ("x", {1: b"y"})}
    trace = replace(TRACE, turns=(Turn("\ud83d\ude00", (Exchange("t", arguments),)),))
    read = read_cassette(cassette_bytes(replace(CASSETTE, trace=trace)), HERE).trace.turns[0]
    assert read.text == "😀"
    found = read.exchanges[0].arguments
    assert (found["a"], found["b"], found["e"]) == ("inf", "\ufffd", ["x", {"1": "b'y'"}])
    assert found["c"].startswith("0x")


@pytest.mark.parametrize("inside", ['"digest": "sha256:' + "0" * 64 + '"', "0" * 64])
def test_a_run_that_holds_what_looks_like_a_digest_is_read_back(inside: str) -> None:
    trace = replace(TRACE, model=inside, prompt=inside)
    arguments = {"digest": "sha256:" + "0" * 64, "ended": 1}
    trace = replace(trace, turns=(Turn(inside, (Exchange("t", arguments),)),))
    cassette = replace(CASSETTE, trace=trace)
    assert read_cassette(cassette_bytes(cassette), HERE) == cassette
