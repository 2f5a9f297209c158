"""`toolbooth serve` and `toolbooth daemon` as a person and their clients use them."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, at_a_terminal, toolbooth
from tests.unit.gateway.daemon.bridges import PATIENCE, Client, Home, alive, own_home, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def daemon(home: Home, *words: str) -> CommandResult:
    return toolbooth("daemon", *words, home=home.folder, XDG_RUNTIME_DIR=str(home.folder))


@pytest.mark.promise("daemon:shared")
def test_clients_share_one_daemon_with_sessions_of_their_own(home: Home) -> None:
    one, two = home.client(), home.client()
    assert one.ask(1, "echo", "a")["result"] == "a"
    assert two.ask(1, "echo", "b")["result"] == "b"
    status = daemon(home, "status", "--json").json
    assert (status["running"], status["sessions"]) == (True, 2)
    assert one.leave() == 0
    until(lambda: daemon(home, "status", "--json").json["sessions"] == 1, "one session ends")
    assert two.ask(2, "echo")["daemon"] == status["pid"]


@pytest.mark.promise("daemon:status")
def test_status_says_who_runs_in_clean_words(home: Home) -> None:
    assert daemon(home, "status").out == "no daemon is running; the first `toolbooth serve` starts one\n"
    assert daemon(home, "status", "--json").json == {"running": False}
    pid = home.client().ask(1, "echo")["daemon"]
    said = daemon(home, "status")
    assert f"runs as process {pid} for " in said.out
    assert ": 1 client\n" in said.out
    assert said.out.splitlines()[1:] == [
        "  a.json in /tmp",
        "    echo                    up · 3 tools",
        "    gone                    down · 2 open calls · it crashed",
        "    ✗ b.json: no",
        f"  log: {home.file('log')}",
    ]


@pytest.mark.promise("daemon:stop")
def test_stop_waits_until_it_is_gone(home: Home) -> None:
    assert daemon(home, "stop").out == "no daemon was running\n"
    assert daemon(home, "stop", "--json").json == {"stopped": False, "pid": None}
    client = home.client()
    pid = client.ask(1, "echo")["daemon"]
    client.leave()
    said = daemon(home, "stop")
    assert said.out == f"stopped the daemon (process {pid})\n"
    assert not alive(pid)
    assert daemon(home, "status", "--json").json == {"running": False}


@pytest.mark.promise("daemon:stop")
def test_after_a_stop_a_clients_next_message_starts_it_anew(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "fact", "kept")["daemon"]
    assert daemon(home, "stop", "--json").json == {"stopped": True, "pid": first}
    assert daemon(home, "status", "--json").json == {"running": False}
    second = client.ask(2, "fact")
    assert second["daemon"] != first
    assert second["result"] == {"is": "kept"}
    assert client.leave() == 0
    assert client.words() == ""


def test_after_a_stop_a_client_that_leaves_starts_nothing(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "echo")["daemon"]
    daemon(home, "stop")
    assert client.leave() == 0
    assert home.daemons() == {first}


@pytest.mark.promise("daemon:stop")
def test_a_stop_lets_open_calls_finish(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "echo")["daemon"]
    sign = home.folder / "sign"
    client.send(2, "wait", str(sign))
    client.ask(3, "echo")
    os.kill(first, signal.SIGTERM)
    until(lambda: not list((home.folder / "toolbooth").glob("*.sock")), "the daemon stops listening")
    newcomer = home.client()
    second = newcomer.ask(1, "echo")["daemon"]
    assert second != first
    assert alive(first)
    sign.touch()
    finished = client.answer()
    assert (finished["id"], finished["daemon"]) == (2, first)
    until(lambda: not alive(first), "the old daemon ends")
    assert client.ask(4, "echo")["daemon"] == second


def test_it_ends_by_itself_when_no_client_is_left(home: Home) -> None:
    client = home.client(TOOLBOOTH_DAEMON_IDLE="0.1")
    pid = client.ask(1, "echo")["daemon"]
    assert client.ask(2, "echo")["daemon"] == pid
    client.leave()
    until(lambda: not alive(pid), "the idle daemon ends")
    assert home.client().ask(1, "echo")["daemon"] != pid


def test_the_daemon_is_detached_from_the_client_that_started_it(home: Home) -> None:
    inherited, other = socket.socketpair()
    with inherited, other:
        os.set_inheritable(inherited.fileno(), True)
        command = [
            sys.executable,
            "-c",
            "import os, sys; os.execv(sys.argv[1], sys.argv[1:])",
            sys.executable,
        ]
        bridge = str(Path(__file__).parents[1] / "unit" / "gateway" / "daemon" / "echo_bridge.py")
        process = subprocess.Popen(
            [*command, bridge],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=home.environ,
            pass_fds=[inherited.fileno()],
        )
        out, _ = process.communicate(b'{"id": 1, "method": "echo"}\n', timeout=PATIENCE)
        inherited.close()
        other.settimeout(PATIENCE)
        assert other.recv(1) == b""  # the daemon lives, and holds nothing of the client's
    pid = json.loads(out)["daemon"]
    assert alive(pid)
    assert os.getsid(pid) not in (os.getsid(0), process.pid)


def test_a_wrong_word_comes_back_through_the_bridge(home: Home) -> None:
    client = home.client("--wrong")
    assert client.process.wait(PATIENCE) == 2
    assert client.words() == "toolbooth: there is no option --wrong\n"


def real_client(home: Home, server: str = "weather") -> Client:
    """An MCP client of the gateway itself, with one server behind it, past its handshake."""
    entry = {"command": sys.executable, "args": ["-m", "toolbooth.demo", server]}
    return client_of(home, {server: entry})


def client_of(home: Home, servers: dict[str, Any]) -> Client:
    config = home.folder / "servers.json"
    config.write_text(json.dumps({"mcpServers": servers}))
    client = home.client("--config", str(config), command=[sys.executable, "-m", "toolbooth", "serve"])
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    assert mcp(client, 0, "initialize", hello)["result"]["serverInfo"]["name"] == "toolbooth"
    client.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return client


def mcp(client: Client, request_id: int, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    client.say({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}})
    while (answer := client.answer()).get("id") != request_id:
        assert "method" in answer
    return answer


@pytest.mark.promise("daemon:shared")
def test_the_gateway_itself_is_served_by_the_daemon(home: Home) -> None:
    one, two = real_client(home), real_client(home)
    for client in (one, two):
        tools = mcp(client, 1, "tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == ["search_tools", "call_tool", "read_result"]
    call = {"name": "call_tool", "arguments": {"name": "weather.list_stations", "arguments": {}}}
    assert not mcp(one, 2, "tools/call", call)["result"].get("isError")
    status = daemon(home, "status", "--json").json
    (gateway,) = status["gateways"]
    assert gateway["sessions"] == status["sessions"] == 2
    assert [(each["server"], each["state"], each["starts"]) for each in gateway["servers"]] == [
        ("weather", "up", 1)
    ]
    assert "weather                 up · " in daemon(home, "status").out
    assert (one.leave(), two.leave()) == (0, 0)
    assert (one.words(), two.words()) == ("", "")


@pytest.mark.promise("daemon:own-home")
def test_two_homes_of_one_user_have_daemons_and_ledgers_of_their_own(home: Home) -> None:
    """They share the runtime folder, as two homes of one user do."""
    call = {"name": "call_tool", "arguments": {"name": "weather.list_stations", "arguments": {}}}
    pids = []
    with own_home() as second:
        for each in (home, second):
            each.environ["XDG_RUNTIME_DIR"] = str(home.folder)
            client = real_client(each)
            assert not mcp(client, 2, "tools/call", call)["result"].get("isError")
            status = toolbooth(
                "daemon", "status", "--json", home=each.folder, XDG_RUNTIME_DIR=str(home.folder)
            )
            assert status.json["sessions"] == 1
            pids.append(status.json["pid"])
        assert len({*pids}) == 2
        for each, pid in zip((second, home), reversed(pids), strict=True):
            said = toolbooth("daemon", "stop", "--json", home=each.folder, XDG_RUNTIME_DIR=str(home.folder))
            assert (said.json["stopped"], said.json["pid"]) == (True, pid)
            assert outcomes(each) == [("weather", "list_stations", "ok")]


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_client_of_the_gateway_goes_on_after_its_daemon(home: Home, end: str) -> None:
    client = real_client(home)
    pid = daemon(home, "status", "--json").json["pid"]
    os.kill(pid, signal.SIGKILL) if end == "kill" else daemon(home, "stop")
    search = {"name": "search_tools", "arguments": {"query": "weather forecast"}}
    found = mcp(client, 5, "tools/call", search)["result"]["content"][0]["text"]
    assert found.startswith("weather.get_forecast(")


def kept_on_disk(folder: Path) -> int:
    for file in folder.rglob("results.sqlite3"):
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as found, suppress(sqlite3.Error):
            return int(found.execute("SELECT count(*) FROM results").fetchone()[0])
    return 0


@pytest.mark.parametrize("end", ["kill", "stop"])
@pytest.mark.promise("result:restart")
def test_what_was_kept_for_a_client_is_read_after_its_daemon(home: Home, end: str) -> None:
    client, stranger = real_client(home, "mail"), real_client(home, "mail")
    call = {"name": "call_tool", "arguments": {"name": "mail.list_messages", "arguments": {"limit": 100}}}
    shown = mcp(client, 1, "tools/call", call)["result"]["content"]
    ref = shown[-1]["text"].split("ref='")[1].split("'")[0]
    pid = daemon(home, "status", "--json").json["pid"]
    until(lambda: kept_on_disk(home.folder) > 0, "the result is on disk")
    os.kill(pid, signal.SIGKILL) if end == "kill" else daemon(home, "stop")
    read = {"name": "read_result", "arguments": {"ref": ref, "path": "messages[50].id"}}
    answer = mcp(client, 2, "tools/call", read)["result"]
    assert not answer.get("isError"), answer
    assert answer["content"][0]["text"].startswith("msg-")
    refused = mcp(stranger, 3, "tools/call", read)["result"]
    assert refused["isError"]
    assert "there is no result" in refused["content"][0]["text"]


@pytest.mark.promise("ledger:one-row")
def test_a_call_that_a_killed_daemon_had_begun_has_its_row(home: Home) -> None:
    diary = home.folder / "diary"
    hostile = Path(__file__).parents[1] / "faults" / "hostile_calls.py"
    client = client_of(home, {"bad": {"command": sys.executable, "args": ["-S", str(hostile), str(diary)]}})
    secret = {"name": "a name that no tool has", "arguments": {}}
    mcp(client, 1, "tools/call", {"name": "call_tool", "arguments": secret})
    call = {"name": "call_tool", "arguments": {"name": "bad.hang", "arguments": {}}}
    client.say({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
    until(lambda: diary.exists() and "call hang" in diary.read_text(), "the server works on it")
    os.kill(daemon(home, "status", "--json").json["pid"], signal.SIGKILL)
    while (answer := client.answer()).get("id") != 2:
        assert "method" in answer
    assert "ended during this call" in answer["error"]["message"]
    until(lambda: ("bad", "hang", "daemon_ended") in outcomes(home), "the row is written")
    assert outcomes(home).count(("bad", "hang", "daemon_ended")) == 1
    assert "a name that no tool has" not in str(outcomes(home))


def outcomes(home: Home) -> list[tuple[str, str, str]]:
    said = toolbooth("stats", "--recent", "20", "--json", home=home.folder)
    return [(row["server"], row["tool"], row["outcome"]) for row in said.json["recent"]]


def test_the_help_of_serve_shows_a_clients_config(tmp_path: Path) -> None:
    said = toolbooth("serve", "--help", home=tmp_path)
    assert '{"mcpServers": {' in said.out
    assert '"command": "toolbooth", "args": ["serve"' in said.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ["--no-daemon", "--surface", "x"],
            'there is no surface "x"; choose search, full, code, direct or auto',
        ),
        (["--no-daemon", "--port", "1"], "--port needs --http; add it"),
        (["--http", "--port", "65536"], "port 65536 is out of range"),
        (["--http", "--port", "x"], "see `toolbooth serve --help`"),
        (["--http", "--no-key", "--host", "203.0.113.1"], "--no-key allows only this machine; use a key"),
        (["--http", "--no-key", "--key-env", "K"], "choose one of --no-key and --key-env"),
        (["--http", "--key-env", "NOT_SET_AT_ALL"], "the variable NOT_SET_AT_ALL is empty"),
    ],
)
def test_a_wrong_call_of_serve_is_one_line(words: list[str], reason: str, tmp_path: Path) -> None:
    said = toolbooth("serve", *words, home=tmp_path)
    assert said.code == 2
    assert reason in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["restart"], ["status", "stop"], ["stop", "--force"]])
def test_a_wrong_call_of_daemon_is_one_line(words: list[str], home: Home) -> None:
    said = daemon(home, *words)
    assert said.code == 2
    assert "see `toolbooth daemon --help`" in said.err


def test_a_person_who_starts_it_by_hand_is_told_what_it_is(home: Home) -> None:
    folder = home.folder
    screen = at_a_terminal("serve", typed="\x04", home=folder, cwd=folder, XDG_RUNTIME_DIR=str(folder))
    assert daemon(home, "stop").code == 0
    assert "a client starts this command and speaks MCP with it" in screen
    assert "Traceback" not in screen


@pytest.mark.promise("daemon:bad-config")
def test_a_config_that_cannot_be_read_is_said_also_where_a_daemon_runs(home: Home) -> None:
    serve = [sys.executable, "-m", "toolbooth", "serve"]
    client = home.client(command=serve)
    client.say({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert client.answer()["result"] == {}
    (home.folder / "broken.json").write_text("{broken")
    for name, why in (("none.json", "there is no such file"), ("broken.json", "1:2: ")):
        said = toolbooth(
            "serve", "--config", home.folder / name, home=home.folder, XDG_RUNTIME_DIR=str(home.folder)
        )
        assert (said.code, said.out) == (2, "")
        assert f"{name}" in said.err
        assert why in said.err
    assert len(home.daemons()) == 1
