"""What there is and how to use it, cheap to read."""

from pathlib import Path

import pytest
from tests.unit.gateway.own.street import GONE, Street, opened

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.own.about import about
from toolbooth.limits import OVERVIEW_SERVERS
from toolbooth.tokens import count

READ = (Tool("s", "read_file"), Tool("s", "write_file"))


@pytest.mark.anyio
async def test_every_server_has_a_line_and_every_tool_of_the_menu_its_use(street: Street) -> None:
    text = await street.read("overview")
    lines = text.split("\n")
    assert lines[0] == "6 servers, 12 tools:"
    assert "mail: 2 tools — send_email, search_inbox" in lines
    assert f"{GONE}: not up (idle)" in lines
    for job in street.view.surface.jobs:
        assert f"{job}(" in text
    assert count(text) < 300


@pytest.mark.anyio
async def test_where_tools_stand_in_the_menu_themselves_no_search_is_spoken_of(
    tmp_path: Path, ledger: Ledger
) -> None:
    async with opened(tmp_path, ledger, surface="direct") as street:
        text = await street.read("overview")
        assert "named server__tool" in text
        assert "search_tools" not in text
    async with opened(tmp_path, ledger, [ServerTools("s", READ)], surface="direct") as street:
        assert "server__tool" not in await street.read("overview")


@pytest.mark.anyio
async def test_of_many_servers_the_rest_is_counted(tmp_path: Path, ledger: Ledger) -> None:
    known = [ServerTools(f"s{number}", ()) for number in range(OVERVIEW_SERVERS + 3)]
    async with opened(tmp_path, ledger, known) as street:
        text = await street.read("overview")
        assert f"s{OVERVIEW_SERVERS - 1}: 0 tools" in text
        assert "and 3 more: toolbooth://servers" in text


@pytest.mark.parametrize(
    ("offered", "line"),
    [
        (ServerTools("s", READ, description="Files of a project. And more."), "Files of a project"),
        (ServerTools("s", READ, instructions="# Files\n\nReads files. Then writes."), "Reads files"),
        (ServerTools("s", READ, description="  ", instructions="Reads files"), "Reads files"),
        (ServerTools("s", READ), "read_file, write_file"),
        (ServerTools("s", tuple(Tool("s", f"t{number}") for number in range(9))), "t0, t1, t2, t3, …"),
        (ServerTools("s", ()), ""),
        (ServerTools("s", (), description="red \x1b[31m\u202eand\x00 quiet"), "red \\u{202e}and\\x00 quiet"),
    ],
)
def test_what_a_server_is_for_is_one_clean_line(offered: ServerTools, line: str) -> None:
    assert about(offered) == line


def test_a_long_sentence_is_cut_after_a_word() -> None:
    said = about(ServerTools("s", (), description="word " * 100))
    assert said.endswith("word…")
    assert len(said) <= 141
