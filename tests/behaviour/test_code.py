"""Code through a real gateway: what an agent writes, what its servers hear, and what it gets back."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.fat_server import ORDERS, PAGE
from tests.behaviour.gateway_client import EVERYTHING, GatewayClient, isolated_environ
from tests.behaviour.gateway_process import until
from toolbooth.demo import demo_command
from toolbooth.gateway.ledger import Ledger
from toolbooth.store import Row

FAT = {"command": sys.executable, "args": [str(Path(__file__).with_name("fat_server.py"))]}
TICKETS = {"command": demo_command("tickets")[0], "args": list(demo_command("tickets")[1:])}
SERVERS = {"fat": FAT, "my-tickets": TICKETS, "gone": {"command": "no-such-command-here"}}
SLOW = """
import json, sys
for line in sys.stdin:
    open("asked", "a").write(line)
    message = json.loads(line)
    about = {"name": "slow", "version": "1"}
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    if message["method"] == "tools/list":
        result = {"tools": [{"name": "wait", "inputSchema": {"type": "object"}}]}
    if "id" in message and message["method"] != "tools/call":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
FIND_KEYS = (
    'page = await my_tickets.list_tickets(per_page=5)\nkeys = [each["key"] for each in page["tickets"]]\n'
)


class Coder:
    """An agent that writes code."""

    def __init__(self, client: GatewayClient, home: Path, process: "subprocess.Popen[bytes]") -> None:
        self.client, self.home, self.process = client, home, process

    def run(self, code: Any, **more: Any) -> dict[str, Any]:
        arguments = {"code": code, **more}
        params = {"name": "call_tool_chain", "arguments": arguments}
        return self.client.bare(self.client.result("tools/call", params))

    def value(self, code: Any, **more: Any) -> Any:
        result = self.run(code, **more)
        assert not result.get("isError"), result
        return json.loads(result["content"][-1]["text"])

    def fails(self, code: str) -> str:
        result = self.run(code)
        assert result["isError"] is True, result
        return str(result["content"][0]["text"])

    def rows(self) -> list[Row]:
        file = next(self.home.rglob("ledger.sqlite3"), None)
        if file is None:
            return []
        ledger = Ledger(file.parent)
        try:
            return ledger.recent(1000)
        finally:
            ledger.close()


def children_of(parent: int, name: str) -> list[int]:
    """Processes of this name that a process started; Linux only, as these tests are."""
    listed = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if name in line]


@contextmanager
def coder(home: Path, protocol: str = "old", **settings: Any) -> Iterator[Coder]:
    config = home / "toolbooth.yaml"
    config.write_text(json.dumps({"servers": SERVERS} | settings), encoding="utf-8")
    words = ["serve", "--no-daemon", "--config", str(config), "--surface", "code"]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=isolated_environ(home),
        cwd=home,
    )
    client = GatewayClient(process, "code", protocol, EVERYTHING)
    try:
        client.introduce()
        yield Coder(client, home, process)
    finally:
        said = client.close()
        assert "Traceback" not in said, said


@pytest.fixture(scope="module", params=["old", "new"])
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Coder]:
    with coder(tmp_path_factory.mktemp("home"), request.param) as found:
        yield found


@pytest.mark.promise("code:calls")
def test_a_loop_a_filter_and_a_join_come_back_as_one_answer(one: Coder) -> None:
    code = FIND_KEYS + (
        "found = await asyncio.gather(*[my_tickets.get_ticket(key=key) for key in keys])\n"
        'orders = await fat.orders()\n[[each["key"] for each in found], len(orders["orders"])]'
    )
    keys, orders = one.value(code)
    assert len(keys) == 5
    assert orders == len(ORDERS)


@pytest.mark.promise("code:calls")
def test_code_gets_the_whole_answer_and_structured_content_as_it_is(one: Coder) -> None:
    assert one.value('(await fat.twice())["orders"][137] == (await fat.orders())["orders"][137]') is True
    assert one.value("r = await fat.orders()\nr['orders'][249]") == ORDERS[249]
    assert one.value('await tools["fat.orders"]()', reduce=False) == PAGE


@pytest.mark.promise("code:checked")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("await my_tickets.get_tickt(key='LF-1')", "my_tickets.get_ticket(key*)"),
        ("await my_tickets.get_ticket(key=1 + 1)", "expected `str`"),
        ("await my_tickets.get_ticket(keys='a')", "keys"),
        ("await my_tickets.list_tickets(status='opn')", "my_tickets.list_tickets(status:open|"),
        ("(await nowhere.anything())['a']", "nowhere"),
    ],
)
def test_a_mistake_is_reported_with_its_line_before_anything_is_called(
    one: Coder, line: str, words: str
) -> None:
    said = one.fails(f"first = await fat.small()\n{line}")
    assert "line 2:" in said
    assert words in said
    assert "calls made before" not in said


@pytest.mark.promise("code:errors")
def test_an_error_of_a_tool_can_be_caught_and_else_tells_what_was_done_before(one: Coder) -> None:
    caught = "try:\n    await my_tickets.get_ticket(key='LF-0')\nexcept RuntimeError as error:\n    r = str(error)\n[r]"
    assert "LF-0" in one.value(caught)[0]
    said = one.fails("print('begun')\nawait fat.small()\nx = 1\nawait my_tickets.get_ticket(key='LF-0')")
    assert "line 4: RuntimeError:" in said
    assert "printed before:\nbegun" in said
    assert "calls made before: fat.small, my-tickets.get_ticket" in said


@pytest.mark.promise("code:answer")
def test_prints_and_the_last_expression_are_all_that_is_seen(one: Coder) -> None:
    shown = one.run("print('hello')\nawait fat.small()\n{'a': (1, 2)}")["content"]
    assert [each["text"] for each in shown] == ["hello", '{"a":[1,2]}']
    assert "no value" in one.run("x = await fat.small()")["content"][0]["text"]


@pytest.mark.promise("code:answer")
def test_a_long_value_is_cut_and_read_back_also_by_code(one: Coder) -> None:
    text = "".join(each["text"] for each in one.run("await fat.orders()")["content"])
    assert "247 of 250 items not shown" in text
    ref = text.split("ref='")[1].split("'")[0]
    assert one.value(f"(await read_result('{ref}', path='orders[137].id')) + 1") == 138
    assert one.value(f"len((await read_result('{ref}'))['orders'])") == 250
    refund = "".join(each["text"] for each in one.run("await fat.orders()", intent="a refund")["content"])
    assert "Order 137" in refund


@pytest.mark.promise("code:one-call")
@pytest.mark.parametrize(
    ("plain", "in_code"),
    [
        ('{"tool": "fat.small", "arguments": {}}', "r = await fat.small()\nr"),
        ("await fat.small()", "r = await fat.small()\nr"),
        ("await my_tickets.get_ticket(key='LF-101')", "k = 'LF-101'\nawait my_tickets.get_ticket(key=k)"),
        ('await tools["fat.orders"]()', "r = await fat.orders()\nr"),
    ],
)
def test_one_plain_call_is_answered_as_in_the_sandbox(one: Coder, plain: str, in_code: str) -> None:
    direct, sandboxed = (one.run(code, reduce=False)["content"] for code in (plain, in_code))
    assert direct == sandboxed


@pytest.mark.promise("code:one-call")
def test_one_plain_call_fails_as_in_the_sandbox(one: Coder) -> None:
    assert "There is no ticket LF-0" in one.fails("await my_tickets.get_ticket(key='LF-0')")
    assert "my-tickets.get_ticket(key*)" in one.fails("await my_tickets.get_ticket(key=5)")
    assert "fat.small" in one.fails('{"tool": "fat.smal", "arguments": {}}')


@pytest.mark.promise("code:one-call")
def test_what_is_almost_a_call_is_made_or_refused_and_never_given_back(one: Coder) -> None:
    assert one.run('{"server": "fat", "tool": "small", "args": {}}')["content"][0]["text"] == "all is well"
    for almost in ("{'tool': 'fat.small'}", '[{"tool": "fat.small"}]', '{"tool": "fat.small", "with": 1}'):
        assert "one call is written" in one.fails(almost)


def test_tools_are_found_from_code(one: Coder) -> None:
    hits = one.value("[hit['name'] for hit in await search_tools('tickets that are open')]")
    assert "my-tickets.list_tickets" in hits


def test_a_server_that_is_down_is_said_before_anything_runs(one: Coder) -> None:
    said = one.fails("await fat.small()\nawait gone.anything()")
    assert "Nothing was run" in said
    assert "no-such-command-here" in said
    assert one.value("x = 'all is gone'  # gone, or not\n[x]") == ["all is gone"]


@pytest.mark.promise("code:limits")
def test_code_without_end_is_stopped_and_the_next_code_runs(tmp_path: Path) -> None:
    with coder(tmp_path, gateway={"code_timeout": 4}) as one:
        assert one.value("1 + 1") == 2
        assert "longer than 4 s" in one.fails("while True:\n    await asyncio.sleep(0.01)")
        assert one.value("2 + 2") == 4


@pytest.mark.promise("code:limits")
def test_code_that_calls_without_end_is_stopped_and_the_next_code_runs(tmp_path: Path) -> None:
    with coder(tmp_path, gateway={"code_calls": 20}) as one:
        assert "more than 20 calls" in one.fails("while True:\n    await fat.small()")
        assert one.value("2 + 2") == 4


@pytest.mark.promise("code:cancel")
def test_a_cancelled_run_has_one_row_for_each_call_that_was_open(tmp_path: Path) -> None:
    servers = {"fat": FAT, "slow": {"command": sys.executable, "args": ["-c", SLOW]}}
    with coder(tmp_path, servers=servers) as one:
        number = one.client.send(
            "tools/call",
            {
                "name": "call_tool_chain",
                "arguments": {"code": "await asyncio.gather(slow.wait(), slow.wait())\nawait fat.small()"},
            },
        )
        asked = tmp_path / "asked"
        until(lambda: asked.exists() and asked.read_text().count("tools/call") == 2, "the calls")
        one.client.notify("notifications/cancelled", {"requestId": number})
        until(lambda: asked.read_text().count("notifications/cancelled") == 2, "the cancellations")
        until(lambda: len([row for row in one.rows() if row.kind != "menu"]) >= 3, "the rows")
        rows = sorted((row.tool, row.outcome) for row in one.rows() if row.kind != "menu")
    assert rows == [("call_tool_chain", "cancelled"), ("wait", "cancelled"), ("wait", "cancelled")]


@pytest.mark.promise("code:no-orphans")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_gateway(tmp_path: Path, end: signal.Signals) -> None:
    with coder(tmp_path) as one:
        assert one.value("1 + 1") == 2
        workers = children_of(one.process.pid, "monty")
        assert workers
        one.process.send_signal(end)
        one.process.wait()
        until(
            lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers), "the end of the workers"
        )


@pytest.mark.promise("code:same-checks")
@pytest.mark.promise("ledger:one-row")
def test_each_call_from_code_has_its_row_and_so_has_the_code(tmp_path: Path) -> None:
    with coder(tmp_path) as one:
        one.run("await asyncio.gather(fat.small(), fat.orders())\n1")
        one.run("try:\n    await fat.failed()\nexcept RuntimeError:\n    pass")
        one.run("arguments = {'key': 5}\nawait my_tickets.get_ticket(**arguments)")
        one.run("await fat.nothing()")
        until(lambda: len([row for row in one.rows() if row.kind != "menu"]) >= 8, "the rows")
        rows = sorted((row.server, row.tool, row.outcome) for row in one.rows() if row.kind != "menu")
    assert rows == [
        ("fat", "failed", "tool_error"),
        ("fat", "orders", "ok"),
        ("fat", "small", "ok"),
        ("my-tickets", "get_ticket", "bad_arguments"),
        ("toolbooth", "call_tool_chain", "code_failed"),
        ("toolbooth", "call_tool_chain", "code_mistake"),
        ("toolbooth", "call_tool_chain", "ok"),
        ("toolbooth", "call_tool_chain", "ok"),
    ]


@pytest.mark.promise("stats:code-apart")
def test_what_code_read_is_apart_and_what_it_returned_was_sent(tmp_path: Path) -> None:
    with coder(tmp_path) as one:
        one.run("r = await fat.orders()\nlen(r['orders'])")
        until(lambda: len([row for row in one.rows() if row.kind not in ("menu", "list")]) == 2, "the rows")
        by_tool = {row.tool: row for row in one.rows()}
    read, returned = by_tool["orders"], by_tool["call_tool_chain"]
    assert (read.kind, read.tokens_after) == ("code_call", 0)
    assert read.tokens_before > 10_000
    assert returned.kind == "code"
    assert 0 < returned.tokens_before == returned.tokens_after < 5
