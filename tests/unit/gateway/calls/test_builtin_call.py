"""The built-in tools, log levels, and orders about servers."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller, talking

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import Tool
from toolbooth.errors import UserMistake, WrongArguments
from toolbooth.gateway.calls.builtin_call import check_misplaced, manage_servers
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.session import Caller, Refusal
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio


async def call_builtin(view: View, caller: Caller, name: str, /, **given: Any) -> dict[str, Any]:
    result = await answer(view, caller, "tools/call", {"name": name, "arguments": given})
    value: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
    return value


def text_of(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


@pytest.mark.parametrize("modern", [False, True])
async def test_a_builtin_tool_answers_in_the_callers_protocol_version(
    view: View, caller: MakeCaller, modern: bool
) -> None:
    found = await call_builtin(view, caller(modern=modern), "search_tools", query="progress")
    assert "talk.progress" in text_of(found)
    assert found.get("resultType") == ("complete" if modern else None)


async def test_a_tool_that_two_servers_own_is_refused_with_the_candidates(
    view: View, caller: MakeCaller
) -> None:
    result = await call_builtin(view, caller(), "call_tool", name="progress")
    assert result["isError"] is True
    assert "talk.progress" in text_of(result)
    assert "talk__new.progress" in text_of(result)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "name"),
        ({"name": "talk.sample", "arguments": [1]}, "arguments"),
        ({"name": "talk.nothing_like_it"}, "There is no tool"),
    ],
)
async def test_a_call_that_cannot_be_is_answered_with_what_is_wrong(
    view: View, caller: MakeCaller, given: dict[str, Any], words: str
) -> None:
    result = await call_builtin(view, caller(), "call_tool", **given)
    assert result["isError"] is True
    assert words in text_of(result)


async def test_a_server_that_cannot_be_started_is_said_in_words(view: View, caller: MakeCaller) -> None:
    status = text_of(await call_builtin(view, caller(), "manage_servers", server="gone"))
    assert status.startswith("gone: ")
    assert "no-such-command-here" in status


async def test_an_answer_that_is_too_long_is_read_on_by_its_own_session_only(
    view: View, caller: MakeCaller
) -> None:
    someone = caller()
    shown = text_of(
        await call_builtin(view, someone, "call_tool", name="talk.sample", arguments={"kind": "long"})
    )
    ref = shown.split("ref='")[1].split("'")[0]
    assert "isError" not in await call_builtin(view, someone, "read_result", ref=ref)
    assert (await call_builtin(view, caller(), "read_result", ref=ref))["isError"] is True


async def test_the_state_of_servers_names_their_variables_and_never_values(
    view: View, caller: MakeCaller
) -> None:
    said = await manage_servers(view, caller().session, {"action": "status"})
    assert [line.split(":")[0] for line in said.splitlines()] == ["talk", "talk__new", "gone"]
    assert "environment: PYTHONPATH, TOKEN" in said
    assert "canary" not in said


async def test_a_server_comes_and_goes_by_order(view: View, caller: MakeCaller) -> None:
    session = caller().session
    said = await manage_servers(
        view, session, {"action": "register", "server": "late", "config": talking("old")}
    )
    assert said.startswith("late: up, 10 tools")
    with pytest.raises(WrongArguments, match="already a server late"):
        await manage_servers(
            view, session, {"action": "register", "server": "late", "config": talking("old")}
        )
    gone = await manage_servers(view, session, {"action": "deregister", "server": "late"})
    assert gone == "late is removed until the gateway is started again"
    with pytest.raises(WrongArguments, match="unknown server late; the servers are talk, talk__new, gone"):
        await manage_servers(view, session, {"action": "status", "server": "late"})


class AllowsAll:
    """An authorizer all the same."""

    def may(self, principal: Principal, tool: Tool) -> bool:  # noqa: ARG002
        return True


@pytest.mark.promise("access:may")
async def test_servers_are_changed_by_the_local_user_alone_where_access_is_restricted(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view.gateway, "authorizer", AllowsAll())
    session = caller().session
    orders: list[dict[str, Any]] = [
        {"action": "register", "server": "mine", "config": talking("old")},
        {"action": "deregister", "server": "talk"},
    ]
    session.principal = Principal("key-1", "ONE")
    seen = view.seen_by(session.principal)
    for order in orders:
        with pytest.raises(WrongArguments, match="is for the user of this machine only"):
            await manage_servers(seen, session, order)
    assert list(view.gateway.upstreams) == ["talk", "talk__new", "gone"]
    session.principal = LOCAL_USER
    assert (await manage_servers(view, session, orders[0])).startswith("mine: up")
    await manage_servers(view, session, {"action": "deregister", "server": "mine"})


async def test_a_level_reaches_the_servers_that_log(view: View, caller: MakeCaller) -> None:
    someone = caller()
    await call_builtin(view, someone, "call_tool", name="talk.seen")
    assert await answer(view, someone, "logging/setLevel", {"level": "notice"}) == {}
    assert someone.session.log_level == "notice"
    seen = await call_builtin(view, someone, "call_tool", name="talk.seen")
    assert seen["structuredContent"]["level"] == "notice"
    with pytest.raises(Refusal, match="level must be one of debug"):
        await answer(view, someone, "logging/setLevel", {"level": "loud"})


@pytest.mark.parametrize(
    ("params", "words"),
    [({"arguments": {}}, "name is missing"), ({"name": "x", "arguments": []}, "an object")],
)
async def test_a_call_without_a_name_or_with_strange_arguments_is_refused(
    view: View, caller: MakeCaller, params: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        await answer(view, caller(), "tools/call", params)


# What each tool of the menu can be called with, so that nothing but the argument in question is wrong.
VALID: dict[str, dict[str, Any]] = {
    "search_tools": {"query": "progress"},
    "list_tools": {},
    "tool_info": {"name": "talk.progress"},
    "call_tool": {"name": "talk.echo", "arguments": {}},
    "call_tool_chain": {"code": "1 + 1"},
    "read_result": {"ref": "none"},
    "manage_servers": {"action": "status"},
}
WRONG: tuple[Any, ...] = ({"strange": True}, [["strange"]], "neither a number nor a word of the list", -1)


async def test_every_builtin_tool_is_tested_here(view: View) -> None:
    assert set(view.surface.builtin_tools) == set(VALID)


@pytest.mark.promise("gateway:arguments-count")
@pytest.mark.parametrize("name", VALID)
async def test_every_argument_of_a_builtin_tool_has_an_effect(
    view: View, caller: MakeCaller, name: str
) -> None:
    """At least one kind of value in its place must change the answer: it is read."""
    someone, builtin_tool = caller(), view.surface.builtin_tools[name]
    usual = await call_builtin(view, someone, name, **VALID[name])
    for argument in (*builtin_tool.parameters, *builtin_tool.also):
        answers = [
            await call_builtin(view, someone, name, **{**VALID[name], argument: wrong}) for wrong in WRONG
        ]
        assert any(each != usual for each in answers), argument
        assert not any("ignored" in each["content"][-1]["text"] for each in answers), argument


@pytest.mark.promise("gateway:arguments-count")
@pytest.mark.parametrize("name", VALID)
async def test_an_argument_that_a_builtin_tool_does_not_have_is_reported(
    view: View, caller: MakeCaller, name: str
) -> None:
    given = {**VALID[name], "max_results": 3}
    result = await call_builtin(view, caller(), name, **given)
    last = result["content"][-1]["text"]
    refused = result.get("isError") is True and len(result["content"]) == 1
    assert refused or last.startswith(f"note: {name} has no `max_results`: ignored. It takes ")


@pytest.mark.promise("gateway:arguments-count")
async def test_an_argument_of_the_tool_beside_arguments_is_refused() -> None:
    tool = Tool("mail", "send", input_schema={"type": "object", "properties": {"to": {"type": "string"}}})
    check_misplaced(tool, {"name": "mail.send", "arguments": {"to": "ada"}, "reason": "asked"})
    with pytest.raises(WrongArguments, match="`to` belongs inside `arguments`; nothing was called"):
        check_misplaced(tool, {"name": "mail.send", "arguments": {}, "to": "ada"})


async def test_a_filter_that_nothing_would_apply_is_refused(view: View, caller: MakeCaller) -> None:
    order = {"action": "register", "server": "late", "config": {**talking("old"), "disabledTools": ["x"]}}
    with pytest.raises(UserMistake, match="late: disabledTools holds in config files only"):
        await manage_servers(view, caller().session, order)
