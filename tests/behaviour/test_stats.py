"""What `toolbooth stats` promises at the shell: on a ledger as the gateway writes it, with no gateway running."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, at_a_terminal, toolbooth
from tests.behaviour.gateway_client import GatewayClient, connected
from toolbooth.demo import demo_command
from toolbooth.gateway.ledger import EndedCall, Ledger
from toolbooth.gateway.ledger.ledger import Menu
from toolbooth.tokens import weigh

FLOOD = "a long line of a log, as servers send them\n" * 3000


def stats(home: Path, *words: str) -> CommandResult:
    return toolbooth("stats", *words, home=home, XDG_DATA_HOME=str(home))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user whose gateway has carried some calls."""
    home = tmp_path_factory.mktemp("home")
    ledger = Ledger(home / "toolbooth")

    def call(
        server: str, tool: str, before: Any, after: Any, kind: str = "call", outcome: str = "ok"
    ) -> None:
        steps = ("truncate",) if isinstance(before, str) and after is not before else ()
        ledger.record(EndedCall(server, tool, "my session", kind, 25.0, outcome, before, after, steps))

    for _ in range(8):
        call("logs", "tail", FLOOD, "the last lines")
    call("logs", "dump", FLOOD, FLOOD)
    call("files", "read_file", "short", "short")
    call("files", "read_file", None, "took too long", outcome="timeout")
    call("toolbooth", "search_tools", None, "some hits of a search", kind="discovery")
    call("toolbooth", "tools/list", Menu([{"name": "a"}, {"name": "b"}]), Menu([{"name": "s"}]), kind="menu")
    ledger.close()
    assert not ledger.notes
    return home


@pytest.mark.promise("stats:table")
def test_a_person_sees_what_was_saved_and_by_what(home: Path) -> None:
    said = stats(home)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("11 calls on 2 servers · 1 call of built-in tools · 1 session")
    for words in (
        "logs.tail",
        "saved, net",
        "claude-sonnet",
        "p95",
        "errors: timeout 1",
        "cut by: truncate 8",
    ):
        assert words in said.out
    assert "\x1b" not in said.out


@pytest.mark.promise("stats:json")
def test_a_program_gets_the_same_as_json(home: Path) -> None:
    document = stats(home, "--json").json
    totals = document["totals"]
    assert (totals["calls"], totals["errors"], totals["rows"]) == (11, 1, 13)
    assert totals["net_saved_tokens"] == (
        totals["saved_tokens"] + totals["menus"]["saved_tokens"] - totals["discovery_tokens"]
    )
    assert totals["saved_tokens"] == totals["tokens_processed"] - totals["tokens_returned"]
    assert totals["discovery"].keys() == {"discovery"}
    assert document["price"]["dollars_saved"] == pytest.approx(
        totals["net_saved_tokens"] * document["price"]["dollars_per_million"] / 1e6, abs=1e-6
    )
    assert document["tools"][0]["tool"] == "logs.tail"
    assert {each["server"] for each in document["servers"]} == {"logs", "files", "toolbooth"}
    assert document["servers"][0]["p50_ms"] == pytest.approx(25, rel=0.01)


@pytest.mark.promise("stats:risk")
def test_the_tools_that_flood_are_named_with_the_lines_that_stop_them(home: Path) -> None:
    said = stats(home, "--risk")
    assert said.code == 0
    assert "2 tools with answers over 4,000 tokens" in said.out
    assert "8 of 8" in said.out
    assert "tools:\n    logs.dump: {max_bytes: 14000}\n" in said.out
    assert "logs.tail: {" not in said.out  # it was cut before a client got it
    risk = stats(home, "--risk", "--json").json["risk"]
    assert [(each["tool"], each["still_floods"]) for each in risk["tools"]] == [
        ("logs.tail", False),
        ("logs.dump", True),
    ]
    assert risk["toolbooth_yaml"] == "tools:\n  logs.dump: {max_bytes: 14000}\n"


@pytest.mark.promise("stats:recent")
def test_the_last_calls_are_shown_one_a_line(home: Path) -> None:
    said = stats(home, "--recent", "3")
    assert [line.split()[2] for line in said.out.splitlines()[1:]] == [
        "toolbooth.tools/list",
        "toolbooth.search_tools",
        "files.read_file",
    ]
    rows = stats(home, "--recent", "100", "--json").json["recent"]
    assert len(rows) == 13
    assert rows[2]["outcome"] == "timeout"
    session = rows[0]["session"]
    assert stats(home, "--session", session, "--json").json["totals"]["calls"] == 11
    assert stats(home, "--session", "0" * 12).out.startswith("no calls match")


@pytest.mark.promise("stats:since")
def test_only_a_time_is_looked_at_where_it_is_asked_for(home: Path) -> None:
    assert stats(home, "--since", "1h", "--json").json["totals"]["calls"] == 11
    later = stats(home, "--since", "2099-01-01T00:00+00:00", "--json").json
    assert (later["since"], later["totals"]["calls"]) == ("2099-01-01T00:00:00.000+00:00", 0)
    assert stats(home, "--since", "2099-01-01").out.startswith("no calls match")
    wrong = stats(home, "--since", "some day")
    assert wrong.code == 2
    assert "try 24h, 7d" in wrong.err


def test_another_models_price_is_used_and_an_unknown_one_said(home: Path) -> None:
    assert "tokens of gpt-4o" in stats(home, "--model", "openai:gpt-4o").out
    unknown = stats(home, "--model", "nobody-knows-it")
    assert unknown.code == 0
    assert "no price is known" in unknown.out


@pytest.mark.promise("stats:empty")
def test_without_a_ledger_one_line_says_how_rows_come_about(tmp_path: Path) -> None:
    for words in ([], ["--risk"], ["--recent", "5"]):
        said = stats(tmp_path, *words)
        assert (said.code, said.err) == (0, "")
        assert said.out.startswith("no calls yet")
        assert said.out.count("\n") == 1
    assert stats(tmp_path, "--json").json["totals"]["calls"] == 0
    assert stats(tmp_path, "--json", "--recent", "5").json["recent"] == []
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_that_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "toolbooth").mkdir()
    (tmp_path / "toolbooth" / "ledger.sqlite3").write_bytes(b"no ledger at all " * 100)
    said = stats(tmp_path)
    assert said.code == 3
    assert "is damaged" in said.err
    assert said.err.count("\n") == 1


def test_two_options_at_once_are_refused(home: Path) -> None:
    said = stats(home, "--risk", "--recent", "3")
    assert said.code == 2
    assert "choose one of" in said.err


def test_colours_are_for_terminals(home: Path) -> None:
    screen = at_a_terminal("stats", typed="", home=home, cwd=home, XDG_DATA_HOME=str(home))
    assert "\x1b[" in screen
    assert "saved, net" in screen


def call(client: GatewayClient, tool: str, **arguments: Any) -> None:
    assert client.result("tools/call", {"name": tool, "arguments": arguments})["content"]


@pytest.mark.promise("stats:gateway")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_every_call_through_the_gateway_is_counted_once_and_holds_nothing_that_was_said(
    tmp_path: Path, protocol: str
) -> None:
    command = demo_command("tickets")
    servers = {"tickets": {"command": command[0], "args": list(command[1:])}}
    canary = "canary-5d1e"
    with connected(tmp_path, servers, "search", protocol) as client:
        client.result("tools/list")
        call(client, "search_tools", query=f"list tickets {canary}")
        call(client, "call_tool", name="tickets.search_tickets", arguments={"query": canary})
        call(client, "call_tool", name="tickets.create_ticket", arguments={"nonsense": canary})
        call(client, "call_tool", name="tickets.no_such_tool", arguments={})
    said = stats(tmp_path, "--recent", "50", "--json")
    rows = [(row["kind"], row["server"], row["tool"], row["outcome"]) for row in said.json["recent"]][::-1]
    assert rows[0][:3] == ("menu", "toolbooth", "tools/list")
    assert rows[1] == ("discovery", "toolbooth", "search_tools", "ok")
    assert rows[2] == ("call", "tickets", "search_tickets", "ok")
    assert rows[3] == ("call", "tickets", "create_ticket", "bad_arguments")
    assert rows[4][3] == "unknown_tool"
    assert len(rows) == 5
    document = stats(tmp_path, "--json").json
    assert document["totals"]["tokens_returned"] > 0
    assert document["totals"]["discovery"].keys() == {"discovery"}
    files = sorted((tmp_path / "toolbooth").glob("ledger*"))
    assert files[0].name == "ledger.sqlite3"
    assert not any(canary.encode() in file.read_bytes() for file in files)
    with closing(sqlite3.connect(files[0])) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.promise("stats:both-menus")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_the_first_session_of_a_new_user_counts_both_menus(tmp_path: Path, protocol: str) -> None:
    """Nothing is remembered of the servers yet, and they start only now."""
    servers = {}
    for name in ("tickets", "history"):
        command = demo_command(name)
        servers[name] = {"command": command[0], "args": list(command[1:])}
    with connected(tmp_path, servers, "direct", protocol) as client:
        tools = client.result("tools/list")["tools"]
    new = tmp_path / "new"
    new.mkdir()
    with connected(new, servers, "search", protocol) as client:
        menu = client.result("tools/list")["tools"]
        client.result("tools/list")
        call(client, "search_tools", query="list tickets")
    totals = stats(new, "--json").json["totals"]
    menus = totals["menus"]
    assert menus["tokens_sent"] > weigh(menu).total_tokens  # and the instructions
    assert (
        menus["tokens_replaced"] > 0.8 * weigh(tools).total_tokens
    )  # slim in the direct menu, under longer names
    assert totals["net_saved_tokens"] == menus["saved_tokens"] - totals["discovery_tokens"] > 0
    kinds = sorted(row["kind"] for row in stats(new, "--recent", "9", "--json").json["recent"])
    assert kinds == ["discovery", "list", "menu"]
    said = " ".join(stats(new).out.split())
    assert "all servers' menus and the gateway's, once per session" in said
    assert "−" not in said
