"""The names of all tools by server, and how to call one."""

from pathlib import Path

import pytest
from tests.unit.gateway.own.street import GONE, Street, opened

from toolbooth.catalog import ServerTools, Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.ledger import Ledger
from toolbooth.limits import LISTED_NAMES

pytestmark = pytest.mark.anyio


async def test_names_are_grouped_by_server_and_a_server_that_is_down_is_named(street: Street) -> None:
    lines = (await street.read("tools")).split("\n")
    assert lines[0] == "github: create_issue, list_issues, delete_branch, merge_pull_request"
    assert lines[1] == "files: read_file, write_file, searchFiles"
    assert lines[-1] == f"not up, so not known: {GONE} (idle)"


def many(server: str, count: int) -> ServerTools:
    return ServerTools(server, tuple(Tool(server, f"t{number}") for number in range(count)))


async def test_what_is_too_much_for_one_page_is_counted_and_said_where_it_stands(
    tmp_path: Path, ledger: Ledger
) -> None:
    known = [many("big", LISTED_NAMES + 7), many("late", 3)]
    async with opened(tmp_path, ledger, known) as street:
        whole = await street.read("tools")
        assert whole.count(", ") >= LISTED_NAMES - 1
        assert whole.endswith(
            "and 10 more, of big (7), late (3); toolbooth://server/NAME names those of one server"
        )
        one = await street.read("server/big")
        assert one.endswith("and 7 more: search_tools finds them by what they do")
        assert "cursor" not in whole + one, "a resource has no pages"


async def test_one_tool_is_told_as_it_is_called(street: Street) -> None:
    text = await street.read("tool/github.create_issue")
    assert text.startswith("github.create_issue(owner, repo, title, body) — Create a new issue")
    assert await street.read("tool/create_issue") == text, "a bare name will do while one server owns it"


async def test_an_unknown_tool_is_refused_with_the_nearest_names(street: Street) -> None:
    with pytest.raises(WrongArguments, match=r'no tool "create_isue".*github\.create_issue'):
        await street.read("tool/create_isue")


async def test_a_tool_of_a_server_that_is_down_is_refused_with_the_reason(street: Street) -> None:
    with pytest.raises(WrongArguments, match=f"{GONE} is configured but not up: idle"):
        await street.read(f"tool/{GONE}.run_query")


async def test_without_any_server_the_user_is_told_what_to_do(tmp_path: Path, ledger: Ledger) -> None:
    async with opened(tmp_path, ledger, []) as street:
        for path in ("tools", "overview", "servers"):
            assert "No MCP server is configured" in await street.read(path)
