"""`toolbooth bench tokens` as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.catalogs import RETRIEVAL
from toolbooth.demo import demo_command

READ = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [
    {
        "tool_id": "files:read_file",
        "server": "files",
        "tool": "read_file",
        "description": "Read the contents of a file from disk",
        "schema": READ,
    },
    {
        "tool_id": "sky:get_forecast",
        "server": "sky",
        "tool": "get_forecast",
        "description": "Weather forecast of a city for the next days",
        "schema": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
]
QUERIES = [
    {"id": "q1", "query": "read a file", "labels": [{"tool_id": "files:read_file", "relevance": 2}]},
    {"id": "q2", "query": "fold a paper crane", "labels": []},
]


def written(folder: Path, name: str, document: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return written(tmp_path, "corpus.json", {"version": "tiny-1", "tools": TOOLS})


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return written(tmp_path, "golden.json", {"corpus_version": "tiny-1", "queries": QUERIES})


@pytest.mark.promise("bench:tokens")
def test_json_is_the_section(tmp_path: Path, corpus: Path, golden: Path) -> None:
    said = toolbooth("bench", "tokens", "--catalog", corpus, "--golden", golden, "--json", home=tmp_path)
    assert (said.code, said.err) == (0, "")
    found = said.json
    assert (found["corpus_version"], found["corpus_tools"], found["encoding"]) == ("tiny-1", 2, "cl100k_base")
    assert [each["mode"] for each in found["modes"]] == [
        "baseline",
        "direct",
        "search",
        "code",
        "full",
    ]
    search = next(each for each in found["modes"] if each["mode"] == "search")
    assert search["savings_vs_baseline"] < 0  # two tools need no gateway
    assert found["sessions"][2]["questions"] == 1
    assert found["break_even"][1]["label"] == "estimated"  # more tools than there are here
    assert any("1 question that no tool can serve" in note for note in found["notes"])


@pytest.mark.promise("bench:tokens")
def test_the_table_is_for_people(tmp_path: Path, corpus: Path, golden: Path) -> None:
    said = toolbooth("bench", "tokens", "--catalog", corpus, "--golden", golden, home=tmp_path)
    assert said.code == 0
    assert said.out.startswith("Tokens 2 tools of tiny-1 · cl100k_base")
    for part in ("menu", "session of one call", "break-even", "by size of catalog", "heaviest tools"):
        assert part in said.out


@pytest.mark.promise("bench:tokens")
def test_live_servers_are_listed(tmp_path: Path) -> None:
    said = toolbooth("bench", "tokens", "--json", "--", *demo_command("weather"), home=tmp_path)
    assert said.code == 0
    assert said.json["corpus_version"].startswith("live-")
    assert said.json["sessions"] == []
    assert said.json["authoritative_headline"] is True


@pytest.mark.promise("bench:fixed-points")
@pytest.mark.parametrize(("version", "tokens"), [(1, 1730), (2, 4386)])
def test_the_fixed_points_come_out_of_the_command(tmp_path: Path, version: int, tokens: int) -> None:
    published = RETRIEVAL / "mcpproxy" / f"corpus_v{version}.tools.json"
    said = toolbooth("bench", "tokens", "--catalog", published, "--json", home=tmp_path)
    assert said.json["baseline_tokens"] == tokens


@pytest.mark.promise("bench:tokens-bad-input")
@pytest.mark.parametrize(
    ("text", "complaint", "code"),
    [
        ("{", "this is not JSON", 2),
        ('{"tools": []}', "the corpus has no tools", 3),
        ('{"version": 1}', "not a catalog", 2),
        ('{"tools": [{"name": "a"}, {"name": "a"}]}', "1 duplicate tool: wrong:a; keep one of each", 2),
    ],
)
def test_a_wrong_corpus_is_one_line(tmp_path: Path, text: str, complaint: str, code: int) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    said = toolbooth("bench", "tokens", "--catalog", path, home=tmp_path)
    assert (said.code, said.out) == (code, "")
    assert complaint in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.promise("bench:tokens-bad-input")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--catalog", "nowhere.json"], "there is no such file"),
        (["--encoding", "cl100"], "cl100k_base"),
        (["--golden", "nowhere.json", "--catalog", "corpus.json"], "there is no such file"),
        (["--catalog", "corpus.json", "--", "cat"], "choose one"),
        (["--no-such-option"], "--help"),
    ],
)
@pytest.mark.usefixtures("corpus")
def test_a_wrong_call_is_one_line(tmp_path: Path, words: list[str], complaint: str) -> None:
    said = toolbooth("bench", "tokens", *words, home=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert complaint in said.err
    assert len(said.err.splitlines()) == 1
