"""Accounts that are true: what code returned was sent, what we measure is nobody's traffic, and off is off."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.gateway_client import EVERYTHING, GatewayClient, connected, isolated_environ
from tests.behaviour.gateway_process import gateway_process
from toolbooth.demo import demo_command

TICKETS = {"command": demo_command("tickets")[0], "args": list(demo_command("tickets")[1:])}
RETURNED = 85_300  # bytes of a chain that was once booked as 0 bytes and 100 %
SEARCH = {"name": "call_tool", "arguments": {"name": "tickets.search_tickets", "arguments": {"query": "x"}}}


def stats(home: Path, *words: str, **environ: str) -> CommandResult:
    data, config = str(home), str(home / "config")
    return toolbooth(
        "stats", *words, home=home, cwd=None, XDG_DATA_HOME=data, XDG_CONFIG_HOME=config, **environ
    )


def rows(home: Path) -> list[tuple[str, str, str]]:
    recent = stats(home, "--recent", "99", "--json").json["recent"]
    return [(row["kind"], row["server"], row["tool"]) for row in recent]


def page(client: GatewayClient) -> dict[str, Any]:
    """`toolbooth://stats`: this session's part."""
    read = client.result("resources/read", {"uri": "toolbooth://stats"})
    session: dict[str, Any] = json.loads(read["contents"][0]["text"])["session"]
    return session


@pytest.mark.promise("stats:code-apart")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_what_a_chain_returned_is_counted_as_sent_and_nothing_of_it_as_saved(
    tmp_path: Path, protocol: str
) -> None:
    code = f"found = await tickets.list_tickets(per_page=50)\n'word ' * {RETURNED // 5}"
    with connected(tmp_path, {"tickets": TICKETS}, "full", protocol) as client:
        chain = {"code": code, "reduce": False}
        sent = client.result("tools/call", {"name": "call_tool_chain", "arguments": chain})
        totals = page(client)["totals"]
        tools = {each["tool"]: each for each in page(client)["tools"]}
    text = "".join(each["text"] for each in client.bare(sent)["content"])
    assert len(text) >= RETURNED
    assert totals["bytes_returned"] == totals["bytes_processed"] >= RETURNED
    assert (totals["reduction_percent"], totals["saved_tokens"]) == (0.0, 0)
    read = totals["code"]["tokens_read"]
    assert (totals["code"]["calls"], read > 1000) == (1, True)
    # A column of its own: in no sum of what was processed, returned or saved
    assert tools["tickets.list_tickets"]["code_tokens"] == read
    assert (
        tools["tickets.list_tickets"]["tokens_before"] == tools["tickets.list_tickets"]["saved_tokens"] == 0
    )
    table = stats(tmp_path).out
    assert "code read" in table
    assert "not in the net" in table


@contextmanager
def used_gateway(home: Path) -> Iterator[tuple[Path, list[tuple[str, str, str]]]]:
    """A config whose gateway a user's client has called once, and the rows of that."""
    with connected(home, {"tickets": TICKETS}, "search") as client:
        client.result("tools/list")
        client.result("tools/call", SEARCH)
    booked = rows(home)
    assert sorted(kind for kind, _, _ in booked) == ["call", "menu"]
    yield next(home.glob("*.json")), booked


@pytest.mark.promise("ledger:measuring")
def test_measuring_a_gateway_over_stdio_is_nobodys_traffic(tmp_path: Path) -> None:
    with used_gateway(tmp_path) as (config, booked):
        serve = (sys.executable, "-m", "toolbooth", "serve", "--no-daemon", "--config", str(config))
        said = toolbooth("doctor", "--json", "--", *serve, home=tmp_path, XDG_DATA_HOME=str(tmp_path))
        assert said.code == 0, said.err
        assert said.json["servers"]
        assert rows(tmp_path) == booked


@pytest.mark.promise("ledger:measuring")
def test_a_live_benchmark_of_a_gateway_is_nobodys_traffic(tmp_path: Path) -> None:
    with used_gateway(tmp_path) as (config, booked), gateway_process(tmp_path, "--config", config) as gateway:
        golden = tmp_path / "golden.json"
        labels = [{"tool_id": "tickets:search_tickets", "relevance": 2}]
        asked = [{"id": "1", "query": "find a ticket", "labels": labels}]
        golden.write_text(json.dumps({"corpus_version": "x", "queries": asked}))
        said = toolbooth(
            "bench", "live", f"http://127.0.0.1:{gateway.port}/mcp", "--golden", golden, home=tmp_path,
            XDG_DATA_HOME=str(tmp_path), TOOLBOOTH_KEY=gateway.key or "",
        )  # fmt: skip
        assert said.code == 0, said.err + said.out
        assert [each for each in rows(tmp_path) if each[0] != "measured"] == booked
        assert stats(tmp_path, "--json").json["totals"]["calls"] == 1


def one_call(home: Path, config: Mapping[str, Any], **environ: str) -> None:
    """A user's client makes one call through a gateway with this config and environment."""
    path = home / "toolbooth.yaml"
    path.write_text(json.dumps({"servers": {"tickets": TICKETS}, **config}))
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", "serve", "--no-daemon", "--config", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**isolated_environ(home), **environ},
        cwd=home,
    )
    client = GatewayClient(process, "search", "old", EVERYTHING)
    client.introduce()
    client.result("tools/list")
    assert client.result("tools/call", SEARCH)["content"]
    assert "Traceback" not in client.close()


@pytest.mark.promise("ledger:off")
@pytest.mark.parametrize(
    ("config", "environ"), [({"gateway": {"ledger": "off"}}, {}), ({}, {"TOOLBOOTH_LEDGER": "off"})]
)
def test_a_ledger_that_is_off_has_no_rows_and_no_file(
    tmp_path: Path, config: dict[str, Any], environ: dict[str, str]
) -> None:
    one_call(tmp_path, config, **environ)
    assert not list(tmp_path.rglob("ledger*"))


@pytest.mark.promise("ledger:off")
def test_what_was_booked_before_stays_and_stats_says_in_one_line_that_the_ledger_is_off(
    tmp_path: Path,
) -> None:
    one_call(tmp_path, {})
    before = rows(tmp_path)
    one_call(tmp_path, {}, TOOLBOOTH_LEDGER="off")
    assert rows(tmp_path) == before
    assert "the ledger is off" not in stats(tmp_path).out
    said = stats(tmp_path, TOOLBOOTH_LEDGER="off")
    assert said.out.startswith("1 call on 1 server")
    assert (
        said.out.splitlines()[-1].strip()
        == "the ledger is off (TOOLBOOTH_LEDGER=off): new calls are not recorded"
    )
    own = tmp_path / "config" / "toolbooth"
    own.mkdir(parents=True)
    (own / "toolbooth.yaml").write_text("gateway: {ledger: off}\n")
    said = stats(tmp_path)
    assert said.out.splitlines()[-1].strip().startswith("the ledger is off (`ledger: off` in toolbooth.yaml)")
    assert stats(tmp_path, "--json").json["off"] == "`ledger: off` in toolbooth.yaml"
