"""Every call ends in exactly one row of the ledger, however it ends."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway, until
from toolbooth.gateway.ledger import Ledger
from toolbooth.store import Row

ENDS = {
    "ok": "ok",
    "crash": "crashed",
    "crash_once": "ok",
    "half_a_line": "crashed",
    "hang": "timeout",
    "refuse": "refused",
    "neither": "protocol_error",
    "not_json": "protocol_error",
    "nan": "protocol_error",
    "fat": "ok",
}


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[DrivenGateway]:
    silent = {"call_timeout": 1}  # the others may take their time on a busy machine
    servers = [
        HostileServer(f"s_{tool}", tmp_path, settings=silent if tool == "hang" else {}) for tool in ENDS
    ]
    with gateway(
        tmp_path, *servers, HostileServer("gone", tmp_path, remote={"command": "no-such-command"})
    ) as made:
        yield made


def rows(folder: Path) -> list[Row]:
    """Of the gateway's own file; none until its first row is written."""
    file = next(folder.rglob("ledger.sqlite3"), None)
    if file is None:
        return []
    ledger = Ledger(file.parent)
    try:
        return ledger.recent(1000)
    finally:
        ledger.close()


@pytest.mark.promise("ledger:one-row")
def test_each_call_has_one_row_that_says_how_it_ended(booth: DrivenGateway, tmp_path: Path) -> None:
    for tool in ENDS:
        booth.call(f"s_{tool}.{tool}")
    booth.call("s_ok.no_such_tool")
    booth.call("gone.anything")
    booth.builtin("call_tool", {"arguments": {}})
    booth.builtin("search_tools", {"query": "anything"})
    booth.builtin("read_result", {"ref": "nobody knows it"})
    wanted = Counter({(f"s_{tool}", tool, outcome): 1 for tool, outcome in ENDS.items()})
    wanted["toolbooth", "call_tool", "unknown_tool"] = 1
    wanted["toolbooth", "call_tool", "bad_arguments"] = 1
    wanted["toolbooth", "search_tools", "ok"] = 1
    wanted["toolbooth", "read_result", "bad_arguments"] = 1
    wanted["gone", "tools/call", "not_found"] = 1
    until(lambda: len(rows(tmp_path)) >= sum(wanted.values()))
    assert Counter((row.server, row.tool, row.outcome) for row in rows(tmp_path)) == wanted


@pytest.mark.promise("ledger:one-row")
def test_a_cancelled_call_has_one_row(booth: DrivenGateway, tmp_path: Path) -> None:
    number = booth.begin_call("s_hang.hang")
    until(lambda: HostileServer("s_hang", tmp_path).seen("call", "hang"))
    booth.cancel(number)
    booth.call("s_ok.ok")
    until(lambda: len(rows(tmp_path)) == 2)
    assert {(row.tool, row.outcome) for row in rows(tmp_path)} == {("hang", "cancelled"), ("ok", "ok")}
    assert booth.unanswered(number)
