"""Two keys on one gateway over HTTP: two principals, who share servers by name and nothing else."""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.gateway_process import (
    GatewayProcess,
    HttpAnswer,
    SessionClient,
    SteeredServer,
    gateway_process,
    message,
    send,
    stateless_request,
    through_menu,
    until,
    write_config,
)

ROOT = Path(__file__).parents[2]
KEYS = {"ALICE": "the-key-of-alice-1f5e", "BOB": "the-key-of-bob-9c3d"}
ASKABLE: dict[str, Any] = {"elicitation": {"form": {}}}
NEVER_OPENED = "0" * 32
GONE = "there is no result"


class Scene(NamedTuple):
    """The same process, as the client with each key reaches it; `without` has none."""

    home: Path
    server: SteeredServer
    alice: GatewayProcess
    bob: GatewayProcess
    without: GatewayProcess


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    home = Path(tempfile.mkdtemp(prefix="tb-"))
    server = SteeredServer.at(home / "near")
    config = write_config(home / "servers.json", {"near": server.entry})
    words = [word for name in KEYS for word in ("--key-env", name)]
    with gateway_process(home, "--config", config, *words, **KEYS) as gateway:
        alice, bob = (replace(gateway, key=KEYS[name]) for name in KEYS)
        yield Scene(home, server, alice, bob, gateway)


@pytest.fixture
def alice(scene: Scene) -> GatewayProcess:
    return scene.alice


@pytest.fixture
def bob(scene: Scene) -> GatewayProcess:
    return scene.bob


def stateless(gateway: GatewayProcess, method: str, params: dict[str, Any], **given: Any) -> Any:
    body, headers = stateless_request(method, params, given.get("capabilities"))
    return gateway.request("POST", "/mcp", body, **headers).json


def shown(gateway: GatewayProcess, tool: str, **arguments: Any) -> str:
    """What a built-in tool answers a stateless client."""
    answer = stateless(gateway, "tools/call", {"name": tool, "arguments": arguments})
    return str(answer["result"]["content"][0]["text"])


def page(gateway: GatewayProcess, path: str) -> str:
    uri = f"toolbooth://{path}"
    body, headers = stateless_request("resources/read", {"uri": uri})
    answer = gateway.request("POST", "/mcp", body, mcp_name=uri, **headers).json
    return str(answer["result"]["contents"][0]["text"])


def ref_in(text: str) -> str:
    return text.split("read_result(ref='")[1].split("'")[0]


# -- who gets in -------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:keys")
def test_each_key_gets_in_and_no_other_does(scene: Scene) -> None:
    asked = message("ping")
    said = [each.request("POST", "/mcp", asked, mcp_session_id=NEVER_OPENED) for each in scene[2:]]
    assert [each.status for each in said] == [404, 404, 401]
    both = f"Bearer {' '.join(KEYS.values())}"
    assert scene.without.request("POST", "/mcp", asked, authorization=both).status == 401


@pytest.mark.promise("serve-http:keys")
def test_no_key_is_said_written_or_kept(scene: Scene) -> None:
    assert shown(scene.alice, "call_tool", name="near.echo", arguments={"text": "x"}) == "echo says x"
    page(scene.alice, "stats")
    files = [each for each in scene.home.rglob("*") if each.is_file()]
    kept = b"".join(each.read_bytes() for each in files) + "".join(scene.without.said).encode()
    assert not [name for name, key in KEYS.items() if key.encode() in kept]


# -- sessions ----------------------------------------------------------------------------------------------
def answers_for(gateway: GatewayProcess, session: str) -> list[tuple[int, str]]:
    """What every way to use a session answers to this key; a stream that opens would never end."""
    headers = {"mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    said: list[HttpAnswer] = []
    for method, path, body, more in (
        ("POST", "/mcp", message("tools/list"), {}),
        ("POST", "/mcp/full", message("tools/list"), {}),
        ("POST", "/mcp", initialized, {}),
        ("GET", "/mcp", None, {"last-event-id": "1"}),
        ("GET", "/mcp", None, {}),
        ("DELETE", "/mcp", None, {}),
    ):
        said.append(gateway.request(method, path, body, **headers, **more))
        assert said[-1].status == 404, (method, path)
    return [(each.status, each.body) for each in said]


@pytest.mark.promise("serve-http:principals")
def test_a_session_of_another_key_is_one_that_never_was(alice: GatewayProcess, bob: GatewayProcess) -> None:
    client = alice.client()
    with client.listening():
        others = answers_for(bob, client.headers["mcp-session-id"])
        assert others == answers_for(bob, NEVER_OPENED)
    assert client.call("near.echo", "still here").text == "echo says still here"


@pytest.mark.promise("serve-http:principals")
def test_a_request_that_is_open_is_not_told_to_another_key(scene: Scene) -> None:
    """In one's own session a second request with its id is refused as a duplicate."""
    client, open_one = scene.alice.client(), scene.alice.connect()
    call = message("tools/call", through_menu("near.wait", "not-yet"), 7)
    send(open_one, "POST", "/mcp", call, scene.alice.own(client.headers))
    until(lambda: "wait not-yet" in scene.server.notes("heard"), "the call is there")
    assert client.post(message("ping", number=7)).status == 400
    assert scene.bob.request("POST", "/mcp", message("ping", number=7), **client.headers).status == 404
    scene.server.sign("not-yet")
    assert b"wait says not-yet" in open_one.getresponse().read()


# -- results -----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:principals")
@pytest.mark.promise("result:session")
def test_a_stateless_client_reads_the_results_of_its_own_key_only(
    alice: GatewayProcess, bob: GatewayProcess
) -> None:
    ref = ref_in(shown(alice, "call_tool", name="near.long", arguments={"text": "of-alice"}))
    wanted: dict[str, Any] = {"ref": ref, "start": 10_000, "lines": 1}
    assert "line 9999 of-alice" in shown(alice, "read_result", **wanted)
    for path in ("/mcp", "/mcp/full"):
        body, headers = stateless_request("tools/call", {"name": "read_result", "arguments": wanted})
        assert bob.request("POST", path, body, **headers).text.startswith(GONE)
    assert bob.client().ask("tools/call", {"name": "read_result", "arguments": wanted}).text.startswith(GONE)


@pytest.mark.promise("serve-http:principals")
def test_code_reads_the_results_of_its_own_key_only(alice: GatewayProcess, bob: GatewayProcess) -> None:
    ref = ref_in(shown(alice, "call_tool", name="near.long", arguments={"text": "of-alice"}))
    code = {"name": "call_tool_chain", "arguments": {"code": f"(await read_result({ref!r}))[:20]"}}
    body, headers = stateless_request("tools/call", code)
    said = bob.request("POST", "/mcp/code", body, **headers).text
    assert GONE in said
    assert "of-alice" not in said


# -- suspended calls ---------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:principals")
def test_a_suspended_call_is_continued_by_its_own_key_only(
    alice: GatewayProcess, bob: GatewayProcess
) -> None:
    call = through_menu("near.ask", "alice, sure?")
    asked = stateless(alice, "tools/call", call, capabilities=ASKABLE)["result"]
    (question,) = asked["inputRequests"]
    answer = {"requestState": asked["requestState"], "inputResponses": {question: {"action": "decline"}}}
    refused = stateless(bob, "tools/call", {**call, **answer}, capabilities=ASKABLE)
    assert "this requestState has expired" in refused["error"]["message"]
    result = stateless(alice, "tools/call", {**call, **answer}, capabilities=ASKABLE)["result"]
    assert result["content"][0]["text"] == "answered decline"


# -- changes -----------------------------------------------------------------------------------------------
TALK = {
    "command": sys.executable,
    "args": ["-m", "tests.behaviour.servers", "old"],
    "env": {"PYTHONPATH": str(ROOT)},
}
PAGES = ["page://1", "page://2"]


def watching(gateway: GatewayProcess) -> HTTPResponse:
    """A stateless client's stream of changes, once it is open."""
    body, headers = stateless_request(
        "subscriptions/listen",
        {"notifications": {"resourceSubscriptions": PAGES, "promptsListChanged": True}},
    )
    connection = gateway.connect()
    send(connection, "POST", "/mcp", body, gateway.own(headers))
    response = connection.getresponse()
    assert "acknowledged" in next_message(response)["method"]
    return response


def next_message(stream: HTTPResponse) -> Any:
    for line in iter(stream.readline, b""):
        if line.startswith(b"data: {"):
            return json.loads(line.removeprefix(b"data: "))
    raise AssertionError("the stream ended")


@pytest.mark.promise("serve-http:principals")
def test_each_key_is_told_of_changes_on_its_own_connections_only(tmp_path: Path) -> None:
    config = write_config(tmp_path / "servers.json", {"talk": TALK})
    words = [word for name in KEYS for word in ("--key-env", name)]
    with gateway_process(tmp_path, "--config", config, *words, **KEYS) as gateway:
        alice, bob = (replace(gateway, key=KEYS[name]) for name in KEYS)
        streams = [watching(each) for each in (alice, bob)]
        for each, uri in zip((alice, bob), PAGES, strict=True):
            shown(each, "call_tool", name="talk.grow", arguments={"kind": "prompts", "name": "x"})
            shown(each, "call_tool", name="talk.touch", arguments={"uri": uri})
        for stream, uri in zip(streams, PAGES, strict=True):
            listed, updated = next_message(stream), next_message(stream)
            assert listed["method"] == "notifications/prompts/list_changed"
            assert updated["params"]["uri"] == uri


# -- servers -----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:principals")
def test_keys_share_no_process_of_a_server_and_clients_of_one_key_do(tmp_path: Path) -> None:
    server = SteeredServer.at(tmp_path / "near")
    config = write_config(tmp_path / "servers.json", {"near": server.entry})
    words = [word for name in KEYS for word in ("--key-env", name)]
    with gateway_process(tmp_path, "--config", config, *words, **KEYS) as gateway:
        alice, bob = (replace(gateway, key=KEYS[name]) for name in KEYS)
        clients = [SessionClient(each, "/mcp") for each in (alice, bob, alice, bob)]
        for client in clients:
            assert client.call("near.echo", "x").text == "echo says x"
        shown(alice, "call_tool", name="near.echo", arguments={"text": "y"})
        assert len(server.pids) == 2


@pytest.mark.promise("serve-http:principals")
def test_the_start_says_which_key_has_which_id_and_no_key(scene: Scene) -> None:
    shown(scene.alice, "call_tool", name="near.echo", arguments={"text": "y"})
    (line,) = [line for line in scene.without.said if "--principal" in line]
    ids = re.findall(r"(\w+) is (key-[0-9a-f]+)", line)
    assert [name for name, _ in ids] == list(KEYS)
    assert not [secret for secret in KEYS.values() if secret in line]
    words = ("stats", "--principal", ids[0][1], "--json")

    def counted() -> bool:
        found = toolbooth(*words, home=scene.home, XDG_DATA_HOME=str(scene.home)).json
        return bool(found["totals"]["calls"])

    until(counted, "the call is counted for its key")


# -- what the pages tell -----------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:principals")
def test_pages_show_each_key_its_own_calls_and_the_user_all(scene: Scene) -> None:
    shown(scene.alice, "call_tool", name="near.variable", arguments={"text": "NOTHING"})
    assert "near.variable" in page(scene.alice, "recent")
    assert "near.variable" in tools_in(json.loads(page(scene.alice, "stats"))["all"])
    for path in ("recent", "recent/500"):
        assert "near.variable" not in page(scene.bob, path)
    for sums in json.loads(page(scene.bob, "stats")).values():
        assert "near.variable" not in tools_in(sums)
    of_the_user = toolbooth("stats", "--json", home=scene.home, XDG_DATA_HOME=str(scene.home))
    assert "near.variable" in tools_in(of_the_user.json)


def tools_in(stats: dict[str, Any]) -> set[str]:
    return {each["tool"] for each in stats["tools"]}
