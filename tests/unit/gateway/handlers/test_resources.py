"""Resources of several servers: listed together, read at their owners."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller

from toolbooth.gateway.builtin_resources import RESOURCES, TEMPLATES
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.handlers.resources import matches
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.surfaces.view import View


@pytest.mark.parametrize(
    ("template", "uri", "fits"),
    [
        ("note://{id}", "note://1", True),
        ("note://{id}", "note://", False),
        ("note://{id}", "page://1", False),
        ("note://{id}/text", "note://1/text", True),
        ("note://{id}/text", "note://1/blob", False),
        ("note://{a}/{b}", "note://1/2", True),
        ("note://{a}/{b}", "note://12", False),
        ("note://{a}x{b}", "note://xxx", True),
        ("note://{a}{b}", "note://1", False),
        ("note://{a}{b}", "note://12", True),
        ("file://{+path}", "file:///deep/er.txt", True),
        ("list://all{?limit}", "list://all", True),
        ("list://all{?limit}", "list://all?limit=3", True),
        ("list://all{/part}/end", "list://all/end", True),
        ("note://fixed", "note://fixed", True),
        ("note://fixed", "note://fixed2", False),
        ("a.c://{x}", "abc://1", False),
        ("{anything}", "note://1", True),
        ("", "", True),
    ],
)
def test_a_uri_is_matched_with_a_template(template: str, uri: str, fits: bool) -> None:
    assert matches(template, uri) is fits


def test_a_hostile_template_comes_to_an_end() -> None:
    """As a pattern it would take years."""
    assert matches("{a}" * 200 + "!", "x" * 100_000) is False
    assert matches("{a}x" * 200 + "!", "x" * 100_000) is False


def read(result: Any) -> dict[str, Any]:
    value: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
    return value


@pytest.mark.anyio
@pytest.mark.parametrize("modern", [False, True])
async def test_lists_of_all_servers_are_joined_in_the_order_of_the_config(
    view: View, caller: MakeCaller, modern: bool
) -> None:
    listed = read(await answer(view, caller(modern=modern), "resources/list", {}))
    assert [each["uri"] for each in listed["resources"]] == [
        *RESOURCES,
        "note://1",
        "note://watched",
        "talk--new+note://1",
        "talk--new+note://watched",
    ]
    assert view.gateway.uris.owners["note://1"] == "talk", "the first server that lists a URI owns it"
    assert ("ttlMs" in listed) is modern
    templates = read(await answer(view, caller(modern=modern), "resources/templates/list", {}))
    found = [each["uriTemplate"] for each in templates["resourceTemplates"]]
    assert found == [*TEMPLATES, *["page://{book}/{number}"] * 2]


@pytest.mark.anyio
async def test_a_resource_is_read_at_its_owner_also_by_its_template(view: View, caller: MakeCaller) -> None:
    for uri in ("note://1", "page://moby/3"):
        got = read(await answer(view, caller(), "resources/read", {"uri": uri}))
        assert got["contents"][0]["uri"] == uri


@pytest.mark.anyio
async def test_a_resource_that_nobody_has_is_refused_as_its_server_does(
    view: View, caller: MakeCaller
) -> None:
    with pytest.raises(Refusal, match="no such note") as refused:
        await answer(view, caller(), "resources/read", {"uri": "note://none"})
    assert (refused.value.code, refused.value.data) == (-32002, {"uri": "note://none"})


@pytest.mark.anyio
@pytest.mark.parametrize("method", ["resources/read", "resources/subscribe", "resources/unsubscribe"])
async def test_a_missing_uri_is_said(view: View, caller: MakeCaller, method: str) -> None:
    with pytest.raises(Refusal, match="uri is missing"):
        await answer(view, caller(), method, {"uri": 5})


@pytest.mark.anyio
async def test_a_resource_is_watched_until_the_last_session_leaves_it(view: View, caller: MakeCaller) -> None:
    one, other = caller(), caller()
    uri = {"uri": "note://watched"}
    for each in (one, other):
        assert await answer(view, each, "resources/subscribe", uri) == {}
        assert each.session.subscribed == {"note://watched"}
    call = {"name": "call_tool", "arguments": {"name": "talk.seen"}}

    async def watched() -> list[str]:
        reported: list[str] = read(await answer(view, one, "tools/call", call))["structuredContent"][
            "watched"
        ]
        return reported

    assert await watched() == ["note://watched"]
    await answer(view, one, "resources/unsubscribe", uri)
    assert await watched() == ["note://watched"]
    await answer(view, other, "resources/unsubscribe", uri)
    assert await watched() == []
