"""The last calls: which, how they ended, what they cost; never what they carried."""

import json

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import IdleGateway, called

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_resources.ledger_pages import row_text
from toolbooth.gateway.ledger import Ledger
from toolbooth.limits import MAX_RECENT_CALLS, RECENT_CALLS, STATS_ROWS
from toolbooth.store import Row

ROW = Row(1_800_000_000.0, "files", "read_file", "s", "call", 12.4, "ok", 900, 90, 300, 30)


def test_a_row_is_a_line() -> None:
    assert row_text(ROW) == "08:00:00 files.read_file ok, 12 ms, 300 → 30 tokens"


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"tokens_after": 300}, " 300 tokens"),
        ({"ms": 0.34}, " ok, 0.34 ms, 300 → 30 tokens"),
        ({"estimated": True}, " ~300 → 30 tokens"),
        ({"server": "", "tool": "search_tools"}, " search_tools ok, 12 ms, 300 → 30 tokens"),
        ({"tool": "a\x1b[31m\u202eb"}, " files.a\\u{202e}b ok, 12 ms, 300 → 30 tokens"),
    ],
)
def test_a_row_says_what_was_exact_and_whose_it_was(change: dict[str, object], end: str) -> None:
    assert row_text(ROW._replace(**change)).endswith(end)  # type: ignore[arg-type]


@pytest.mark.anyio
async def test_the_last_calls_come_first_and_without_what_they_carried(
    idle_gateway: IdleGateway, ledger: Ledger
) -> None:
    assert await idle_gateway.read("recent") == "No calls yet."
    for number in range(RECENT_CALLS + 5):
        called(ledger, "files", f"t{number}", before="canary " * 90, after="canary")
    lines = (await idle_gateway.read("recent")).split("\n")
    assert len(lines) == RECENT_CALLS + 1
    assert f" files.t{RECENT_CALLS + 4} ok, 12 ms, " in lines[1]
    assert "canary" not in "".join(lines)
    assert len((await idle_gateway.read("recent/3")).split("\n")) == 4
    assert (
        len((await idle_gateway.read(f"recent/{10**30}")).split("\n")) == RECENT_CALLS + 6 <= MAX_RECENT_CALLS
    )


@pytest.mark.anyio
@pytest.mark.parametrize("asked", ["0", "-1", "x", "1.5", "٣", "%00"])
async def test_what_is_no_number_is_refused(idle_gateway: IdleGateway, asked: str) -> None:
    with pytest.raises(WrongArguments, match="is not a number of calls; try toolbooth://recent/20"):
        await idle_gateway.read(f"recent/{asked}")


pytestmark = pytest.mark.anyio


async def test_the_statistics_of_this_session_are_beside_those_of_all(
    idle_gateway: IdleGateway, ledger: Ledger
) -> None:
    called(ledger, "files", "read_file", before="word " * 100, after="word")
    called(ledger, "mail", "send_email", session="another")
    stats = json.loads(await idle_gateway.read("stats"))
    assert list(stats) == ["session", "all"]
    assert stats["session"] == {**ledger.stats(session="mine").as_json(), "tool_count": 1}
    assert stats["all"] == {**ledger.stats().as_json(), "tool_count": 2}
    assert "send_email" not in json.dumps(stats["session"])
    assert "send_email" in json.dumps(stats["all"])


async def test_of_many_tools_the_costly_ones_are_shown_and_all_are_counted(
    idle_gateway: IdleGateway, ledger: Ledger
) -> None:
    for number in range(STATS_ROWS + 5):
        called(ledger, "files", f"t{number}", before="word " * number, after="word")
    stats = json.loads(await idle_gateway.read("stats"))["all"]
    assert (len(stats["tools"]), stats["tool_count"]) == (STATS_ROWS, STATS_ROWS + 5)
    assert stats["tools"][0]["tool"] == f"files.t{STATS_ROWS + 4}"
    assert stats["totals"]["calls"] == STATS_ROWS + 5
