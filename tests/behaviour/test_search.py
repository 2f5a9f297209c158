"""What `toolbooth search` promises at the shell."""

import json
from pathlib import Path

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from toolbooth.demo import demo_command


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("catalog")
    servers = {}
    for name in ("tickets", "files", "calendar", "history"):
        command = demo_command(name)
        servers[name] = {"command": command[0], "args": list(command[1:])}
    config = home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}))
    saved = home / "saved.json"
    assert toolbooth("doctor", config, "--save", saved, home=home).code == 0
    return saved


def search(catalog: Path, *words: str) -> CommandResult:
    return toolbooth("search", *words, "--catalog", catalog, home=catalog.parent)


@pytest.mark.promise("search:finds")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("open a new ticket about the login page", "tickets.create_ticket"),
        ("who wrote this line", "history.blame_file"),
        ("set up a meeting with Anna", "calendar.schedule_meeting"),
        ("show me what is in this folder", "files.list_directory"),
        ("get_diff", "history.get_diff"),
    ],
)
def test_a_request_in_plain_words_finds_its_tool(catalog: Path, query: str, found: str) -> None:
    said = search(catalog, query, "--json")
    assert said.code == 0, said.err
    assert said.json["hits"][0]["id"] == found


@pytest.mark.promise("search:nothing")
@pytest.mark.parametrize("query", ["convert euros to dollars", "xyzzy plugh", "🚀🚀"])
def test_that_nothing_fits_is_an_answer(catalog: Path, query: str) -> None:
    said = search(catalog, query)
    assert said.code == 0
    assert "no tool matches" in said.out


@pytest.mark.promise("search:repair")
def test_a_repaired_word_is_said(catalog: Path) -> None:
    said = search(catalog, "read fiel")
    assert "searched for “file” instead of “fiel”" in said.out
    assert "files.read_file(path*" in said.out


@pytest.mark.promise("search:explain")
def test_explain_gives_field_tier_and_score(catalog: Path) -> None:
    said = search(catalog, "close ticket", "--explain", "--limit", "1")
    for word in ("matched name", " · by ", "words ", "meaning "):
        assert word in said.out
    why = search(catalog, "close ticket", "--json").json["hits"][0]["why"]
    assert "name" in why["fields"]
    assert why["lexical"] > 0 < why["semantic"]


@pytest.mark.promise("search:filters")
def test_filters_keep_to_a_server_and_to_what_is_safe(catalog: Path) -> None:
    hits = search(catalog, "delete a file", "--server", "files", "--json").json["hits"]
    assert {hit["server"] for hit in hits} == {"files"}
    safe = search(catalog, "delete a file", "--read-only", "--json").json["hits"]
    assert "files.delete_file" not in {hit["id"] for hit in safe}


def test_without_the_table_words_still_find(catalog: Path) -> None:
    hits = search(catalog, "create ticket", "--words-only", "--json").json["hits"]
    assert hits[0]["id"] == "tickets.create_ticket"
    assert "semantic" not in hits[0]["why"]["tiers"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["  "], "query is empty"),
        (["x", "--server", "nope"], "the servers are"),
        (["x", "--onnx", "/no/such/model"], "no such model"),
        (["x", "--limit", "0"], "above zero"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(catalog: Path, words: list[str], hint: str) -> None:
    said = search(catalog, *words)
    assert said.code == 2
    assert hint in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_live_server_is_searched(tmp_path: Path) -> None:
    said = toolbooth("search", "tide", "--json", "--", *demo_command("weather"), home=tmp_path)
    assert said.json["hits"][0]["name"] == "get_tide_times"


def test_an_enormous_query_is_no_problem(catalog: Path) -> None:
    assert (
        search(catalog, "close the ticket " * 6000, "--json").json["hits"][0]["id"] == "tickets.close_ticket"
    )
