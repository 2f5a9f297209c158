"""A URI leads to its row; one that leads nowhere is refused with those that it may have meant."""

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import IdleGateway

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_resources import (
    PROMPTS,
    RESOURCES,
    SCHEME,
    TEMPLATES,
    completion,
    entries,
    find_resource,
    is_builtin,
    read_builtin,
)
from toolbooth.limits import MAX_ASKED_NAME, MAX_COMPLETIONS


@pytest.mark.parametrize(
    ("uri", "row", "value"),
    [
        ("toolbooth://overview", "toolbooth://overview", ""),
        ("toolbooth://overview/", "toolbooth://overview", ""),
        ("toolbooth://recent", "toolbooth://recent", ""),
        ("toolbooth://recent/5", "toolbooth://recent/{n}", "5"),
        ("toolbooth://tool/github.create_issue", "toolbooth://tool/{name}", "github.create_issue"),
        ("toolbooth://tool/git%20hub.a%2Fb", "toolbooth://tool/{name}", "git hub.a/b"),
        ("toolbooth://tool/a/b", "toolbooth://tool/{name}", "a/b"),
        ("toolbooth://server/files", "toolbooth://server/{name}", "files"),
    ],
)
def test_a_uri_leads_to_its_row(uri: str, row: str, value: str) -> None:
    found = find_resource(uri)
    assert (found.resource.uri, found.value) == (row, value)


@pytest.mark.parametrize(
    ("uri", "nearest"),
    [
        ("toolbooth://stat", "toolbooth://stats"),
        ("toolbooth://tool", "toolbooth://tools"),
        ("toolbooth://server/", "toolbooth://servers"),
        ("toolbooth://", ""),
        ("toolbooth://x\x1b[31m\u202e" + "y" * 5_000, ""),
    ],
)
def test_an_unknown_uri_is_refused_with_the_nearest(uri: str, nearest: str) -> None:
    with pytest.raises(WrongArguments, match="There is no resource toolbooth://") as refused:
        find_resource(uri)
    words = str(refused.value)
    assert nearest in words
    assert "Nearest: toolbooth://" in words
    assert words.isprintable()
    assert len(words) < 400


def test_a_name_without_end_is_not_compared_with_all_others() -> None:
    assert len(find_resource("toolbooth://tool/" + "x" * 1_000_000).value) < MAX_ASKED_NAME


@pytest.mark.parametrize("uri", ["note://1", "inner+toolbooth://overview", "", "toolbooth:overview"])
def test_what_is_not_ours_is_not_taken_for_it(uri: str) -> None:
    assert not is_builtin(uri)


@pytest.mark.anyio
async def test_the_content_has_the_uri_that_was_asked_for(idle_gateway: IdleGateway) -> None:
    content = await read_builtin(
        idle_gateway.view, idle_gateway.session, "toolbooth://tool/files%2Eread_file"
    )
    assert content["uri"] == "toolbooth://tool/files%2Eread_file"
    assert content["mimeType"] == "text/plain"
    assert content["text"].startswith("files.read_file(path)")


def test_what_begins_so_comes_before_what_only_holds_it() -> None:
    values = ["files.unread", "mail.read", "read.mail", "files.Read_all", "other"]
    assert completion(values, "READ") == {
        "values": ["read.mail", "mail.read", "files.Read_all", "files.unread"], "total": 4, "hasMore": False
    }  # fmt: skip


def test_nothing_typed_offers_all_and_no_more_than_the_protocol_allows() -> None:
    values = [f"t{number}" for number in range(MAX_COMPLETIONS + 1)]
    offered = completion(values, "")
    assert (len(offered["values"]), offered["total"], offered["hasMore"]) == (100, 101, True)
    assert completion(values[:100], "")["hasMore"] is False


def test_what_fits_nothing_is_an_empty_list() -> None:
    assert completion(["a"], "x" * 1_000_000) == {"values": [], "total": 0, "hasMore": False}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("template", "typed", "values"),
    [
        ("tool/{name}", "files.", ["files.read_file", "files.write_file", "files.searchFiles"]),
        ("tool/{name}", "inbox", ["mail.search_inbox"]),
        ("server/{name}", "m", ["mail"]),
        ("recent/{n}", "1", ["10", "100"]),
    ],
)
async def test_a_template_knows_the_values_of_its_variable(
    idle_gateway: IdleGateway, template: str, typed: str, values: list[str]
) -> None:
    row = TEMPLATES[f"toolbooth://{template}"]
    assert completion(row.values(idle_gateway.view), typed)["values"] == values


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
