"""What each client's model is sent: names, cut texts, and what is deferred, by the rules of that client."""

import pytest

from toolbooth.catalog import ClientProfile, FirstTurn, ServerTools, Tool, first_turn, profile_named


def profile(key: str) -> ClientProfile:
    found = profile_named(key)
    assert found is not None
    return found


def server(name: str, *tools: str, title: str = "", said: str = "", **more: object) -> ServerTools:
    raw = [
        {"name": tool, "description": "Does it.", "inputSchema": {"type": "object"}, **more} for tool in tools
    ]
    return ServerTools(name, tuple(Tool.from_raw(name, each) for each in raw), said or None, title)


def names(turn: FirstTurn) -> list[str]:
    return [each.whole_name for each in turn.tools if not each.left_out]


@pytest.mark.promise("doctor:client")
@pytest.mark.parametrize(
    ("client", "name"),
    [
        ("claude-code", "mcp__my_srv__get_it-now"),
        ("codex", "mcp__my_srv.get_it_now"),
        ("cursor", "mcp_my_srv_get_it-now"),
        ("copilot", "my_srv-get_it-now"),
        ("vscode", "mcp_my_srv_get_it-now"),
        ("gemini", "mcp_my.srv_get.it-now"),
    ],
)
def test_a_tool_has_the_name_that_its_client_gives_it(client: str, name: str) -> None:
    assert names(first_turn(profile(client), [server("my.srv", "get.it-now")])) == [name]


@pytest.mark.promise("doctor:client")
@pytest.mark.parametrize(
    ("client", "found"),
    [
        ("claude-code", ["mcp__s__" + "x" * 80]),
        ("codex", ["mcp__s." + "x" * 80]),
        ("cursor", []),
        ("vscode", ["mcp_s_" + "x" * 58]),
        ("gemini", ["mcp_s_" + "x" * 24 + "..." + "x" * 30]),
    ],
)
def test_a_long_name_is_kept_or_cut_or_its_tool_left_out(client: str, found: list[str]) -> None:
    assert names(first_turn(profile(client), [server("s", "x" * 80)])) == found


def test_vs_code_makes_prefixes_of_titles_and_numbers_the_same_ones() -> None:
    two = [server("a", "t", title="Context 7 of Upstash"), server("b", "t", title="Context 7 of others")]
    assert names(first_turn(profile("vscode"), two)) == ["mcp_context_7_of__t", "mcp_context_7_of2_t"]


@pytest.mark.promise("doctor:client")
def test_texts_are_cut_where_the_client_cuts_them() -> None:
    long = [server("s", "t", description="d" * 3000, said="i" * 3000)]
    cut, whole = first_turn(profile("claude-code"), long), first_turn(profile("gemini"), long)
    (tool,) = cut.tools
    assert tool.description == ("d" * 2048 + "… [truncated]", 3000, True)
    assert cut.instructions["s"].is_cut
    assert whole.tools[0].description == ("d" * 3000, 3000, False)


@pytest.mark.promise("doctor:client")
def test_a_client_that_searches_defers_but_what_it_is_told_to_load() -> None:
    always = server("a", "t", _meta={"anthropic/alwaysLoad": True})
    turn = first_turn(profile("claude-code"), [always, server("b", "t"), server("c", "t")], loaded=["c"])
    assert [each.whole_name for each in turn.loaded] == ["mcp__a__t", "mcp__c__t"]
    assert turn.names == ("mcp__b__t",)
    assert not first_turn(profile("claude-code"), [always], searching=False).deferred


def test_of_deferred_tools_codex_names_their_servers_with_the_start_of_their_instructions() -> None:
    turn = first_turn(profile("codex"), [server("s", "t", "u", said="i" * 300), server("mute", "t")])
    assert turn.names == ("mcp__s", "mcp__mute")
    assert turn.instructions == {"s": ("i" * 247 + "...", 300, True)}
    loaded = first_turn(profile("codex"), [server("mute", "t")], searching=False)
    assert loaded.instructions["mute"].text == "Tools in the mcp__mute namespace."


@pytest.mark.parametrize(("client", "most"), [("copilot", 29), ("vscode", 127)])
def test_some_clients_defer_nothing_while_there_are_few_tools(client: str, most: int) -> None:
    few = [server("s", *(f"t{number}" for number in range(most)))]
    assert not first_turn(profile(client), few).deferred
    assert len(first_turn(profile(client), [*few, server("z", "one")]).deferred) == most + 1
