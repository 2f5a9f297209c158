"""Names as agents and clients write them find their tool, or say what they may have meant."""

import re

import pytest
from tests.catalogs import recorded_tools

from toolbooth.catalog import Tool
from toolbooth.gateway.public_names import RESERVED, AmbiguousName, ToolNames, nearest, public_name
from toolbooth.limits import MAX_FUNCTION_NAME, MAX_FUZZY_NAME

ISSUE = Tool("github", "create_issue")
READ = Tool("files", "read_file")
DOTTED = Tool("github", "issues.list")
TICKET = Tool("jira", "create_issue")
PUBLIC = re.compile(r"[a-zA-Z0-9_-]{1,48}")


@pytest.mark.parametrize("name", ["files.read_file", "files__read_file", "read_file", " `files.read_file` "])
def test_a_tool_is_found_by_id_by_identifier_and_by_its_bare_name(name: str) -> None:
    assert ToolNames([ISSUE, READ]).find(name) is READ


def test_a_pasted_signature_finds_its_tool() -> None:
    assert ToolNames([ISSUE]).find("github.create_issue(owner*, repo*)") is ISSUE


@pytest.mark.parametrize(
    "name", ["github.issues.list", "github__issues.list", "github__issues_list", "issues.list"]
)
def test_a_tool_name_may_hold_dots(name: str) -> None:
    assert ToolNames([DOTTED]).find(name) is DOTTED


def test_a_bare_name_of_two_servers_is_refused_with_both_ids() -> None:
    found = ToolNames([ISSUE, TICKET]).find("create_issue")
    assert found == AmbiguousName("create_issue", ("github.create_issue", "jira.create_issue"))


def test_an_id_beats_a_bare_name_that_looks_like_it() -> None:
    by_id, bare = Tool("issues", "list"), Tool("github", "issues.list")
    assert ToolNames([bare, by_id]).find("issues.list") is by_id


def test_a_public_name_beats_a_bare_name_that_looks_like_it() -> None:
    public, bare = Tool("x", "y"), Tool("z", "x__y")
    assert ToolNames([bare, public]).find("x__y") is public


@pytest.mark.promise("surface:names")
def test_the_tools_of_a_single_server_carry_its_name_and_are_found_without_it() -> None:
    names = ToolNames([READ])
    assert names.public(READ) == public_name(READ) == "files__read_file"
    assert names.find("read_file") is READ


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_backend_tool_takes_the_name_of_one_of_the_menu(name: str) -> None:
    tool = Tool("files", name)
    names = ToolNames([tool])
    assert names.public(tool) == f"files__{name}"
    assert names.find(name) is None
    assert names.find(f"files.{name}") is tool


def test_a_long_name_is_cut_with_a_hash_and_still_leads_back() -> None:
    one, other = Tool("server", "a" * 200), Tool("server", "a" * 201)
    names = ToolNames([one, other])
    assert len({names.public(one), names.public(other)}) == 2
    assert all(PUBLIC.fullmatch(names.public(tool)) for tool in (one, other))
    assert names.find(names.public(other)) is other


def test_of_a_long_name_the_servers_part_is_cut_first() -> None:
    screens, issues = (
        Tool("browserstack-mcp-server", name) for name in ("fetchAutomationScreenshots", "fetchIssues")
    )
    names = ToolNames([screens, issues])
    assert names.public(issues) == "browserstack-mcp-server__fetchIssues"
    assert re.fullmatch("browserstac__fetchAutomationScreenshots_[0-9a-f]{8}", names.public(screens))


@pytest.mark.parametrize(
    ("tool", "former"),
    [
        (Tool("s" * 20, "t" * 40), "s" * 20 + "__" + "t" * 40),
        (Tool("s" * 20, "t." * 20), "s" * 20 + "__" + "t_" * 20),
        (Tool("s" * 20, "t.x" + "t" * 60), "s" * 20 + "__t_x" + "t" * 30 + "_85a44364"),
        (Tool("s", "t.x" + "t" * 60), "t_x" + "t" * 60),
        (Tool("地图", "搜索"), "_5ac93ada"),
    ],
)
@pytest.mark.promise("surface:names")
def test_a_name_of_up_to_64_characters_from_an_earlier_version_is_still_found(
    tool: Tool, former: str
) -> None:
    assert len(former) <= MAX_FUNCTION_NAME
    assert ToolNames([tool, READ]).find(former) is tool


@pytest.mark.promise("surface:names")
def test_names_of_real_tools_fit_behind_the_prefix_of_a_client() -> None:
    tools = list({tool.id: tool for tool in recorded_tools()}.values())
    names = ToolNames(tools)
    assert len({names.public(tool) for tool in tools}) == len(tools)
    for tool in tools:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", f"mcp__toolbooth__{names.public(tool)}")
        assert names.find(names.public(tool)) is tool


def test_of_two_tools_with_one_identifier_the_one_really_called_so_keeps_it() -> None:
    real, like = Tool("s", "a_b"), Tool("s", "a.b")
    for order in ([real, like], [like, real]):
        names = ToolNames(order)
        assert names.public(real) == "s__a_b"
        assert names.public(like).startswith("s__a_b_")


def test_two_that_are_both_called_so_both_get_a_hash_whatever_came_first() -> None:
    one, other = Tool("a__b", "c"), Tool("a", "b__c")
    there, back = ToolNames([one, other]), ToolNames([other, one])
    assert there.by_public == back.by_public
    assert "a__b__c" not in there.by_public
    assert there.find("a__b__c") == AmbiguousName("a__b__c", ("a.b__c", "a__b.c"))


def test_a_name_of_foreign_letters_becomes_one_that_clients_accept() -> None:
    tool = Tool("地图", "搜索")
    public = ToolNames([tool]).public(tool)
    assert PUBLIC.fullmatch(public)
    assert ToolNames([tool]).find(public) is tool
    assert ToolNames([tool]).find("地图.搜索") is tool


def test_a_name_with_hidden_characters_is_found_as_it_is_shown() -> None:
    tool = Tool("s", "read\u200bfile")
    names = ToolNames([tool])
    assert names.find("s.read\\u{200b}file") is tool
    assert names.certain(tool) == names.public(tool)


@pytest.mark.parametrize("name", ["github.create_isue", "createIssue", "git_hub.create-issue", "create_isue"])
def test_the_nearest_name_is_the_one_spelled_alike(name: str) -> None:
    assert nearest(name, [READ, ISSUE, DOTTED])[0] is ISSUE


def test_what_the_words_found_comes_after_the_most_similar() -> None:
    assert nearest("create_issues", [READ, ISSUE], [READ]) == (ISSUE, READ)
    assert nearest("zzz", [READ, ISSUE]) == ()


def test_a_name_longer_than_any_tools_is_compared_with_none() -> None:
    slip = "create_isue"
    assert nearest(slip, [ISSUE, READ])[0] is ISSUE
    assert nearest(slip + "e" * MAX_FUZZY_NAME, [ISSUE, READ]) == ()
