"""Names as clients write them, split only where that is safe."""

import pytest

from toolbooth.suite import score_selection
from toolbooth.suite.adapters import traces_of
from toolbooth.suite.adapters.tool_names import KnownTools


@pytest.mark.parametrize(
    ("written", "servers", "found"),
    [
        ("mcp__brave__web_search", (), ("brave", "web_search")),
        ("mcp__brave__web__search", (), ("brave", "web__search")),
        ("mcp__my__server__tool", ("my__server",), ("my__server", "tool")),
        ("mcp__my_server_tools__run", ("my server/tools",), ("my server/tools", "run")),
        ("mcp__brave", (), ("", "mcp__brave")),
        ("mcp____tool", (), ("", "mcp____tool")),
        ("brave__web_search", (), ("", "brave__web_search")),
        ("brave__web_search", ("brave",), ("brave", "web_search")),
        ("brave.web_search", (), ("", "brave.web_search")),
        ("brave.web_search", ("brave",), ("brave", "web_search")),
        ("brave/web_search", ("brave",), ("brave", "web_search")),
        ("brave_web_search", ("brave",), ("", "brave_web_search")),
        ("brave__", ("brave",), ("", "brave__")),
        ("brave.pro.search", ("brave", "brave.pro"), ("brave.pro", "search")),
        ("read.file", ("fs",), ("", "read.file")),
    ],
)
def test_a_joined_name_is_split_only_by_what_is_known(
    written: str, servers: tuple[str, ...], found: tuple[str, str]
) -> None:
    assert KnownTools.of(servers).split(written) == found


def test_a_name_that_is_left_whole_still_matches_as_a_whole() -> None:
    run = [
        {"role": "assistant", "tool_calls": [{"function": {"name": "brave__web_search", "arguments": "{}"}}]}
    ]
    (whole,) = traces_of(run)
    assert score_selection({"a": ["brave__web_search"]}, [whole.observed]).f1 == 100
    (split,) = traces_of(run, servers=["brave"])
    for member in ("web_search", "brave.web_search"):
        assert score_selection({"a": [member]}, [split.observed]).f1 == 100


def test_a_server_that_is_named_is_not_guessed() -> None:
    (trace,) = traces_of({"tool_calls": [{"name": "a__b", "server": "x"}]}, servers=["a"])
    assert trace.calls[0].id == "x.a__b"


@pytest.mark.parametrize(
    ("written", "tools", "found"),
    [
        ("brave__web_search", ("brave.web_search",), "brave.web_search"),
        ("mcp__brave__web_search", ("brave.web_search",), "brave.web_search"),
        ("brave:web_search", ("brave.web_search",), "brave.web_search"),
        ("brave/web_search", ("brave.web_search",), "brave.web_search"),
        ("brave-web_search", ("brave.web_search",), "brave.web_search"),
        ("brave_web_search", ("brave.web_search",), "brave.web_search"),
        ("mcp__brave_search__find", ("brave-search.find",), "brave-search.find"),
        ("brave__other", ("brave.web_search",), "brave.other"),
        ("com_example_mail__send", ("com.example.mail.send",), "com.example.mail.send"),
        # A bare member of that name means that tool on any server.
        ("brave_web_search", ("brave.web_search", "brave_web_search"), "brave_web_search"),
        # Two known tools are written so: neither is guessed.
        ("a_b_c", ("a.b_c", "a_b.c"), "a_b_c"),
        ("a_b__c", ("a.b_c", "a_b.c"), "a_b.c"),
        ("a_b:c", ("a.b_c", "a_b.d"), "a_b.c"),
        ("functions.brave__web_search", ("brave.web_search",), "brave.web_search"),
        ("functions.mcp__brave__web_search", ("brave.web_search",), "brave.web_search"),
        ("functions.web_search", ("web_search",), "web_search"),
        ("functions.exec", ("brave.web_search",), "functions.exec"),
        ("mcp_brave_web_search", ("brave.web_search",), "brave.web_search"),
        ("mcp_brave_other", ("brave.web_search",), "mcp_brave_other"),
        # A bare member means that tool on any server, however its server is joined to it.
        ("brave__web_search", ("web_search",), "brave.web_search"),
        ("a__web__search", ("web__search", "search"), "a__web__search"),
        ("my_search", ("search",), "my_search"),
        ("web_search", ("brave.web_search",), "web_search"),
        ("brave-other", ("brave.web_search",), "brave-other"),
    ],
)
def test_known_tools_tell_how_a_name_is_joined(written: str, tools: tuple[str, ...], found: str) -> None:
    names = KnownTools.of((), tools)
    assert names.split(written).id == found
    assert dict(names.read_as) == ({} if found == written else {(written, found): 1})
