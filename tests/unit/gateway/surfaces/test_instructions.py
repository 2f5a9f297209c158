"""What a model reads first: which servers there are and what for, within its tokens at any size."""

import pytest

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.surfaces import surface_instructions
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import INSTRUCTION_TOKENS
from toolbooth.tokens import count


def registry_of(*servers: ServerTools) -> ToolRegistry:
    registry = ToolRegistry([each.server for each in servers])
    for each in servers:
        registry.put(each)
    return registry


def test_servers_are_named_with_what_they_say_they_are_for() -> None:
    github = ServerTools(
        "github", (Tool("github", "x"),), instructions="Issues and pull requests. Long story."
    )
    text = surface_instructions(
        registry_of(github, ServerTools("files", (), description="Read files")), "search"
    )
    assert text.startswith("Servers: github (Issues and pull requests); files (Read files). ")
    assert text.endswith("call_tool with the name and parameters it shows.")


def test_silent_servers_are_known_by_what_their_tools_speak_of() -> None:
    tools = tuple(Tool("s", name) for name in ("create_issue", "listIssues", "get_issue", "merge_branch"))
    assert surface_instructions(registry_of(ServerTools("s", tools, title="S")), "direct").startswith(
        "Servers: s (issue, branch"
    )


def test_a_long_sentence_gives_way_to_the_things_where_there_is_little_space() -> None:
    said = "This server provides a wide range of capabilities around everything that a team might ever need."
    servers = [ServerTools(f"s{at}", (Tool(f"s{at}", "list_notes"),), instructions=said) for at in range(9)]
    assert surface_instructions(registry_of(*servers), "search").startswith(
        "Servers: s0 (notes); s1 (notes); "
    )


def test_a_server_that_was_never_up_is_named_too() -> None:
    assert "Servers: github; files." in surface_instructions(ToolRegistry(["github", "files"]), "full")


def test_no_server_at_all_leaves_only_how_to_use_the_menu() -> None:
    assert surface_instructions(ToolRegistry(), "search").startswith("Find a tool")
    assert (
        surface_instructions(ToolRegistry(["one"]), "direct") == "Servers: one. Tools are named server__tool."
    )


@pytest.mark.parametrize("surface", ["search", "full", "direct"])
@pytest.mark.parametrize("servers", [1, 3, 10, 40, 400, 4000])
@pytest.mark.parametrize("name", ["server-{}", "x9$_{}_zq\u200b", "地图服务器{}", "{} " * 30])
def test_the_ceiling_holds_whatever_servers_are_called(name: str, servers: int, surface: str) -> None:
    offered = [
        ServerTools(name.replace("{}", str(at)), (), instructions="word\x1b[1m " * 50)
        for at in range(servers)
    ]
    text = surface_instructions(registry_of(*offered), surface)
    assert count(text) <= INSTRUCTION_TOKENS
    assert "\x1b" not in text


def test_of_very_many_servers_some_are_named_and_the_others_counted() -> None:
    text = surface_instructions(registry_of(*(ServerTools(f"server{at}", ()) for at in range(300))), "search")
    shown = text.count("server") - 0
    assert f"… and {300 - text.count('; server') - 1} more; search_tools finds them." in text
    assert shown > 15


def test_a_heading_is_not_what_a_server_is_for() -> None:
    heading = ServerTools(
        "everything",
        (),
        instructions="# Everything Server – Instructions\n\n## Use\nTries out all of MCP. More.",
    )
    registry = ToolRegistry(["everything"])
    registry.put(heading)
    assert surface_instructions(registry, "search").startswith("Servers: everything (Tries out all of MCP).")
