"""The words that a client's own search finds a tool by: none that it has already, short, and always the same."""

from typing import Any

from hypothesis import given, strategies as st
from tests.catalogs import recorded_tools

from toolbooth.catalog import Tool
from toolbooth.limits import SEARCH_HINT
from toolbooth.search import search_hint, stem

ISSUE = Tool(
    "github",
    "create_issue",
    "Open a ticket in a repository.",
    {"type": "object", "properties": {"repo": {}, "bodyText": {}, "assignee_ids": {}}},
)


def test_a_hint_has_synonyms_of_the_name_and_the_words_of_parameters() -> None:
    words = search_hint(ISSUE).split()
    assert words[:3] == ["add", "new", "make"]
    assert "bug" in words
    assert words[-5:] == ["repo", "body", "text", "assignee", "ids"]


def test_what_the_name_and_the_description_say_is_not_repeated() -> None:
    assert not {"create", "issue", "open", "ticket", "github"} & set(search_hint(ISSUE).split())


def test_a_description_in_another_language_gives_english_words_first() -> None:
    assert {"query", "weather"} < set(search_hint(Tool("amap", "lookup", "查询天气")).split()[:5])


def test_a_tool_that_says_all_itself_has_no_hint() -> None:
    assert search_hint(Tool("s", "frobnicate")) == ""


def test_hints_of_real_tools_are_short_and_say_something_new() -> None:
    for tool in recorded_tools():
        hint = search_hint(tool)
        stems = [stem(word) for word in hint.split()]
        assert len(hint) <= SEARCH_HINT
        assert len(set(stems)) == len(stems)


@given(st.text(max_size=80), st.text(max_size=300), st.dictionaries(st.text(max_size=20), st.just({})))
def test_whatever_a_tool_is_called_its_hint_is_short_plain_and_the_same(
    name: str, description: str, properties: dict[str, Any]
) -> None:
    tool = Tool("s", name or "x", description, {"type": "object", "properties": properties})
    hint = search_hint(tool)
    assert len(hint) <= SEARCH_HINT
    assert hint == " ".join(hint.split()) == search_hint(tool)
