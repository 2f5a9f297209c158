"""`search_tools` answers with lines that can be called from, and never pads."""

import json
from typing import Any

import pytest
from tests.unit.gateway.sample_registry import FORECAST, sample_registry

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_tools.find_tools import search_answer

REGISTRY = sample_registry()


def search(query: Any, **more: Any) -> list[str]:
    return search_answer(REGISTRY, {"query": query, **more}).splitlines()


def test_a_hit_is_one_line_that_can_be_called_from() -> None:
    lines = search("open a new issue in a repository")
    assert lines[0] == "github.create_issue(owner, repo, title, body) — Create a new issue in a repository"


def test_as_many_hits_as_asked_for() -> None:
    assert len([line for line in search("file", limit="2") if " — " in line]) == 2


def test_a_server_keeps_the_hits_to_itself() -> None:
    hits = [line for line in search("create", server="calendar") if " — " in line]
    assert hits
    assert all(line.startswith("calendar.") for line in hits)


def test_a_corrected_word_is_said_first() -> None:
    assert search("create isue")[0] == 'searched for "issue"'


def test_terms_to_try_come_last() -> None:
    last = search("repository")[-1]
    assert last.startswith("try_also: ")
    assert len(last.split(", ")) <= 3


def test_where_nothing_fits_that_is_said_with_the_nearest_terms_and_no_padding() -> None:
    (line,) = search("xyzzy plugh\x1b[0m")
    assert line.startswith('No tool here fits "xyzzy plugh')
    assert "Nearest terms here: " in line
    assert "\x1b" not in line


@pytest.mark.parametrize("name", ["sky.forecast", "sky__forecast"])
def test_an_exact_name_answers_with_the_definition(name: str) -> None:
    assert search(name) == [
        "sky.forecast(city*, days:int, unit:c|f) — Weather of the next days. Needs a city.",
        "  city* — Where.",
        "  days:int = 3",
        "returns: low:num, text",
    ]


def test_a_bare_name_that_is_also_a_word_shows_other_hits_below() -> None:
    lines = search("forecast")
    assert lines[0].startswith("sky.forecast(")
    assert "also:" in lines
    assert any(line.startswith("weather.get_forecast(") for line in lines)


def test_a_name_within_a_server_is_exact_too() -> None:
    assert search("forecast", server="sky")[0].startswith("sky.forecast(city*")


def test_not_brief_adds_the_schema() -> None:
    lines = search("weather of a city", brief="false", limit=1, server="sky")
    schema = json.loads(lines[1])
    assert schema["required"] == FORECAST.input_schema["required"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({}, 'search_tools needs `query`, as in search_tools(query="create an issue")'),
        ({"q": "x"}, "it takes query, limit, brief, server, not q"),
        ({"query": 7}, "`query` of search_tools must be text"),
        ({"query": "x", "limit": "many"}, "`limit` of search_tools must be a whole number"),
        ({"query": "x", "limit": True}, "must be a whole number"),
        ({"query": "x", "brief": "perhaps"}, "must be true or false"),
        ({"query": "x", "server": "nope"}, 'unknown server "nope"; the servers are github, '),
    ],
)
def test_a_wrong_call_is_one_line_that_says_how(arguments: dict[str, Any], hint: str) -> None:
    with pytest.raises(WrongArguments) as caught:
        search_answer(REGISTRY, arguments)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_query_that_is_cut_says_so() -> None:
    (line,) = [line for line in search("create an issue " * 1000) if line.startswith("The query is long")]
    assert "first 4,000 characters" in line
    assert not any(line.startswith("The query is long") for line in search("create an issue"))
