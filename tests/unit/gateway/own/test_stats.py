"""The accounts of this session and of all, as JSON."""

import json

import pytest
from tests.unit.gateway.own.street import Street, called

from toolbooth.gateway.ledger import Ledger
from toolbooth.limits import STATS_ROWS

pytestmark = pytest.mark.anyio


async def test_the_account_of_this_session_stands_beside_that_of_all(street: Street, ledger: Ledger) -> None:
    called(ledger, "files", "read_file", before="word " * 100, after="word")
    called(ledger, "mail", "send_email", session="another")
    stats = json.loads(await street.read("stats"))
    assert list(stats) == ["session", "all"]
    assert stats["session"] == {**ledger.stats(session="mine").as_json(), "tool_count": 1}
    assert stats["all"] == {**ledger.stats().as_json(), "tool_count": 2}
    assert "send_email" not in json.dumps(stats["session"])
    assert "send_email" in json.dumps(stats["all"])


async def test_of_many_tools_the_costly_ones_are_told_and_all_are_counted(
    street: Street, ledger: Ledger
) -> None:
    for number in range(STATS_ROWS + 5):
        called(ledger, "files", f"t{number}", before="word " * number, after="word")
    stats = json.loads(await street.read("stats"))["all"]
    assert (len(stats["tools"]), stats["tool_count"]) == (STATS_ROWS, STATS_ROWS + 5)
    assert stats["tools"][0]["tool"] == f"files.t{STATS_ROWS + 4}"
    assert stats["totals"]["calls"] == STATS_ROWS + 5
