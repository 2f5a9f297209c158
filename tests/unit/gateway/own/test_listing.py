"""Every client sees the same rows in the same order, each with what a person needs to choose it."""

import pytest

from toolbooth.gateway.own import PROMPTS, RESOURCES, SCHEME, TEMPLATES, entries

SHORT = 80  # characters: lists are read by models, too


def test_the_order_is_fixed() -> None:
    assert [each.removeprefix(SCHEME) for each in RESOURCES] == [
        "overview", "servers", "tools", "recent", "stats", "health"
    ]  # fmt: skip
    assert [each.removeprefix(SCHEME) for each in TEMPLATES] == ["tool/{name}", "server/{name}", "recent/{n}"]
    assert list(PROMPTS) == ["discover", "find_tool", "server_status"]


def test_every_row_says_what_it_is_in_a_few_words() -> None:
    for listed, key in ((RESOURCES, "uri"), (TEMPLATES, "uriTemplate")):
        for row in entries(listed):
            assert set(row) == {key, "name", "title", "description", "mimeType"}
            assert all(0 < len(value) <= SHORT for value in row.values())
    for row in entries(PROMPTS):
        assert {"name", "title", "description"} <= set(row)
        assert len(row["description"]) <= SHORT


@pytest.mark.parametrize(("uri", "mime"), [("stats", "application/json"), ("tools", "text/plain")])
def test_the_type_is_that_of_the_content(uri: str, mime: str) -> None:
    assert RESOURCES[SCHEME + uri].entry["mimeType"] == mime


def test_a_prompt_says_which_arguments_it_needs() -> None:
    [argument] = PROMPTS["find_tool"].entry["arguments"]
    assert (argument["name"], argument["required"]) == ("task", True)
    assert "arguments" not in PROMPTS["discover"].entry
