"""`toolbooth serve --http` as clients and strangers meet it: who gets in, what is served where, and to whom."""

import json
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.gateway_process import (
    HELLO,
    MODERN,
    PATIENCE,
    STEERED_SERVER,
    GatewayProcess,
    SessionClient,
    SteeredServer,
    alive,
    gateway_process,
    message,
    read,
    send,
    stateless_request,
    through_menu,
    until,
    write_config,
)
from tests.server_process import free_port, running

CANARY = "canary-5e8b1f"
TOOLS = ("echo", "wait", "long", "variable", "ask")
MENUS = {
    "/mcp": {"search_tools", "call_tool", "read_result"},
    "/mcp/search": {"search_tools", "call_tool", "read_result"},
    "/mcp/code": {"search_tools", "call_tool_chain", "read_result"},
    "/mcp/full": {
        "search_tools",
        "list_tools",
        "tool_info",
        "call_tool",
        "call_tool_chain",
        "read_result",
        "manage_servers",
    },
    "/mcp/direct": {"read_result", *(f"{server}__{tool}" for server in ("near", "far") for tool in TOOLS)},
}


class Scene:
    """One gateway for all tests of this file, with one server on stdio and one over HTTP behind it."""

    def __init__(self, gateway: GatewayProcess, near: SteeredServer, far: SteeredServer) -> None:
        self.gateway, self.near, self.far = gateway, near, far


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    home = Path(tempfile.mkdtemp(prefix="tb-"))
    near, far, port = SteeredServer.at(home / "near"), SteeredServer.at(home / "far"), free_port()
    servers = {
        "near": {**near.entry, "env": {"TOKEN": CANARY}},
        "far": {"type": "http", "url": f"http://127.0.0.1:{port}/mcp", "headers": {"X-Token": CANARY}},
    }
    config = write_config(home / "servers.json", servers)
    behind = running([sys.executable, STEERED_SERVER, str(far.folder), str(port)], port)
    with behind, gateway_process(home, "--config", config) as gateway:
        yield Scene(gateway, near, far)


@pytest.fixture
def gateway(scene: Scene) -> GatewayProcess:
    return scene.gateway


def raw(gateway: GatewayProcess, *lines: str, rest: bytes = b"") -> str:
    """What comes back for these very bytes until the other side closes, or the headers are there."""
    with socket.create_connection(("127.0.0.1", gateway.port), PATIENCE) as peer:
        peer.sendall("\r\n".join([*lines, "", ""]).encode() + rest)
        answer = b""
        while b"\r\n\r\n" not in answer and (part := peer.recv(65_536)):
            answer += part
    return answer.decode()


def status(answer: str) -> int:
    return int(answer.split(" ")[1])


# -- who gets in -------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:key")
@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic KEY", "KEY", "bearer KEYx", "Bearer KEY KEY"]
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/direct", "/x"])
def test_without_the_key_nobody_gets_in(gateway: GatewayProcess, given: str, path: str) -> None:
    assert gateway.key
    answer = gateway.request("POST", path, HELLO, authorization=given.replace("KEY", gateway.key))
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer KEY" in answer.json["error"]["message"]


@pytest.mark.promise("serve-http:key")
def test_the_key_is_shown_once_and_said_nowhere_else(gateway: GatewayProcess) -> None:
    gateway.request("POST", "/mcp", b"\xff", authorization=f"bearer  {gateway.key}")
    assert gateway.request("GET", "/health").status == 200
    assert "".join(gateway.said).count(str(gateway.key)) == 1


@pytest.mark.promise("serve-http:strangers")
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Host", "evil.example"),
        ("Host", "evil.example:8808"),
        ("Host", "localhost.evil.example"),
        ("Host", "evil@127.0.0.1"),
        ("Host", "127.0.0.1/evil"),
        ("Host", "[::1].evil"),
        ("Host", ""),
        ("Origin", "https://evil.example"),
        ("Origin", "http://127.0.0.1.evil.example"),
        ("Origin", "http://evil@localhost"),
        ("Origin", "null"),
        ("Origin", "file://"),
        ("Origin", "file://localhost"),
        ("Origin", "localhost"),
        ("Origin", ""),
    ],
)
def test_pages_of_other_sites_reach_nothing(scene: Scene, header: str, value: str) -> None:
    asked = len(scene.near.notes("heard"))
    for path in ("/mcp", "/health"):
        lines = [f"POST {path} HTTP/1.1", f"Authorization: Bearer {scene.gateway.key}", f"{header}: {value}"]
        if header != "Host":
            lines.append("Host: 127.0.0.1")
        body = json.dumps(message("tools/call", through_menu("near.echo", "evil"))).encode()
        assert status(raw(scene.gateway, *lines, f"Content-Length: {len(body)}", rest=body)) == 403
    assert len(scene.near.notes("heard")) == asked


@pytest.mark.promise("serve-http:strangers")
def test_a_header_that_comes_twice_is_not_read_once(gateway: GatewayProcess) -> None:
    key = f"Authorization: Bearer {gateway.key}"
    origins = ("Origin: https://evil.example", "Origin: http://localhost")
    assert status(raw(gateway, "GET /mcp HTTP/1.1", "Host: localhost", key, *origins)) == 403
    assert status(raw(gateway, "GET /mcp HTTP/1.1", "Host: localhost", key, "Authorization: Bearer x")) == 401
    assert status(raw(gateway, "GET /health HTTP/1.1", "Host: evil.example", "Host: localhost")) == 400


def test_a_request_without_a_host_is_refused(gateway: GatewayProcess) -> None:
    assert status(raw(gateway, "GET /health HTTP/1.0")) == 403
    assert status(raw(gateway, "GET /health HTTP/1.1")) == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8808", "[0:0:0:0:0:0:0:1]"])
@pytest.mark.parametrize("origin", ["", "Origin: http://localhost:3000", "Origin: https://[::1]"])
def test_all_names_of_this_machine_are_its_own(gateway: GatewayProcess, host: str, origin: str) -> None:
    extra = [origin] if origin else []
    assert status(raw(gateway, "GET /health HTTP/1.1", f"Host: {host}", *extra)) == 200


# -- what is refused ---------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:too-much")
def test_a_body_over_8_mib_is_refused_with_and_without_its_length(gateway: GatewayProcess) -> None:
    large = b" " * (9 * 2**20)
    assert gateway.request("POST", "/mcp", large).status == 413
    connection = gateway.connect()
    parts = (large[:65_536] for _ in range(9 * 16))
    connection.request("POST", "/mcp", parts, gateway.own({}), encode_chunked=True)
    assert read(connection).status == 413
    connection.close()


def test_a_body_just_under_8_mib_is_read(scene: Scene) -> None:
    text = "x" * (8 * 2**20 - 1000)
    assert not scene.gateway.client().call("near.echo", text).json["result"].get("isError")
    assert scene.near.notes("heard")[-1] == f"echo {text}"


@pytest.mark.promise("serve-http:too-much")
def test_a_bomb_of_headers_is_refused(gateway: GatewayProcess) -> None:
    bomb = [f"X-{number}: {'x' * 1000}" for number in range(200)]
    assert status(raw(gateway, "GET /health HTTP/1.1", "Host: localhost", *bomb)) == 400


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"{bad", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        ([message("ping"), message("ping", number=2)], -32602),
        ({"jsonrpc": "2.0"}, -32602),
        ("text", -32602),
    ],
)
def test_a_body_that_is_no_message_is_an_error_of_the_client(
    gateway: GatewayProcess, body: Any, wanted: int
) -> None:
    answer = gateway.request("POST", "/mcp", body)
    assert answer.status == 400
    assert answer.json["error"]["code"] == wanted


@pytest.mark.parametrize(("body", "wanted"), [(b"{bad", -32700), ([message("ping")], -32600)])
def test_so_it_is_in_the_stateless_version(gateway: GatewayProcess, body: Any, wanted: int) -> None:
    answer = gateway.request("POST", "/mcp", body, mcp_protocol_version=MODERN)
    assert (answer.status, answer.json["error"]["code"]) == (400, wanted)


@pytest.mark.parametrize(
    ("method", "path", "wanted"), [("PUT", "/mcp", 405), ("POST", "/health", 405), ("GET", "/mcp", 400)]
)
def test_a_wrong_method_is_said(gateway: GatewayProcess, method: str, path: str, wanted: int) -> None:
    assert gateway.request(method, path).status == wanted


def test_a_request_before_the_handshake_is_refused(gateway: GatewayProcess) -> None:
    assert gateway.request("POST", "/mcp", message("tools/list")).status == 400


def test_an_unknown_method_is_said_in_all_protocol_versions(gateway: GatewayProcess) -> None:
    assert gateway.client().ask("tools/destroy").json["error"]["code"] == -32601
    body, headers = stateless_request("tools/destroy")
    answer = gateway.request("POST", "/mcp", body, **headers)
    assert (answer.status, answer.json["error"]["code"]) == (404, -32601)


# -- what is served where ----------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:paths")
@pytest.mark.parametrize("path", MENUS)
def test_every_surface_has_its_path_in_all_protocol_versions(gateway: GatewayProcess, path: str) -> None:
    assert set(gateway.client(path).menu()) == MENUS[path]
    body, headers = stateless_request("tools/list")
    tools = gateway.request("POST", path, body, **headers).json["result"]["tools"]
    assert {tool["name"] for tool in tools} == MENUS[path]


@pytest.mark.promise("serve-http:paths")
@pytest.mark.parametrize("path", ["/mcp/x", "/", "/MCP", "/.well-known/oauth-protected-resource"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_elsewhere_is_nothing_and_one_line_says_what_is(
    gateway: GatewayProcess, path: str, method: str
) -> None:
    answer = gateway.request(method, path, HELLO)
    assert answer.status == 404
    said = answer.json["error"]["message"]
    assert "/mcp, /mcp/search, /mcp/full, /mcp/code, /mcp/direct, /mcp/auto, /api/v1/tools" in said
    assert "/health" in said


@pytest.mark.promise("serve-http:health")
def test_health_shows_the_state_of_servers_only_with_the_key_and_secrets_never(scene: Scene) -> None:
    scene.gateway.client().call("near.echo", "hello")
    assert scene.gateway.request("GET", "/health", authorization="").body == '{"status":"ok"}'
    guessed = scene.gateway.request("GET", "/health", authorization="Bearer x")
    assert (guessed.status, "servers" in guessed.body) == (401, False)
    known = scene.gateway.request("GET", "/health")
    assert scene.gateway.server("near")["state"] == "up"
    assert CANARY not in known.body
    assert str(scene.gateway.key) not in known.body


# -- sessions ----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:sessions")
def test_a_session_ends_when_its_client_says_so(gateway: GatewayProcess) -> None:
    client = gateway.client()
    assert client.ask("ping").status == 200
    assert gateway.request("DELETE", "/mcp", None, **client.headers).status == 200
    assert client.ask("ping").status == 404
    assert client.ask("tools/list").status == 404


def test_a_session_that_never_was_is_not_found(gateway: GatewayProcess) -> None:
    assert gateway.request("POST", "/mcp", message("ping"), mcp_session_id="0" * 32).status == 404


@pytest.mark.promise("result:session")
def test_a_result_is_read_by_its_own_session_only(gateway: GatewayProcess) -> None:
    one, two = gateway.client(), gateway.client()
    shown = one.call("near.long", "mine").text
    ref = shown.split("read_result(ref='")[1].split("'")[0]
    wanted = {"name": "read_result", "arguments": {"ref": ref, "start": 10_000, "lines": 2}}
    assert "line 9999 mine" in one.ask("tools/call", wanted).text
    refused = two.ask("tools/call", wanted).text
    assert "mine" not in refused
    assert refused.startswith("there is no result")


@pytest.mark.promise("serve-http:sessions")
def test_a_session_cannot_have_the_events_of_another_replayed(gateway: GatewayProcess) -> None:
    """Both use the same request ids, as every client does; ids of events are easy to guess."""
    one, two = gateway.client(), gateway.client()
    one.call("near.echo", "secret-of-one", number=7)
    reported = two.call("near.echo", "own", number=7)
    events = [int(line.split(":")[1]) for line in reported.body.splitlines() if line.startswith("id:")]
    replayed = [replay(two, number) for number in range(max(1, events[0] - 12), events[-1] + 1)]
    assert any("own" in each for each in replayed)
    assert not any("secret-of-one" in each for each in replayed)


def replay(client: SessionClient, event: int) -> str:
    """What a client that lost its connection after an event is told; read until the answer or the stream's end."""
    connection = client.gateway.connect()
    try:
        headers = {**client.gateway.own(client.headers), "last-event-id": str(event)}
        send(connection, "GET", client.path, None, headers)
        response = connection.getresponse()
        reported = ""
        for line in iter(response.readline, b""):
            reported += line.decode()
            if line.startswith((b"data: {", b"retry:")):  # an answer, or all that there is until one comes
                break
        return reported
    finally:
        connection.close()


def test_many_sessions_at_once_get_their_own_answers(scene: Scene) -> None:
    answers: dict[str, str] = {}
    started = len(scene.near.pids)

    def work(name: str) -> None:
        client = scene.gateway.client("/mcp/direct" if name[-1] in "02468" else "/mcp")
        call = through_menu("near.echo", name)
        if client.path == "/mcp/direct":
            call = {"name": "near__echo", "arguments": {"text": name}}
        answers[name] = client.ask("tools/call", call).text

    names = [f"client-{number}" for number in range(12)]
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert answers == {name: f"echo says {name}" for name in names}
    assert len(scene.near.pids) == max(started, 1)


# -- questions of servers to stateless clients, who all look alike -----------------------------------------
ASKABLE: dict[str, Any] = {"elicitation": {"form": {}}}


def stateless(gateway: GatewayProcess, tool: str, text: str, **retry: Any) -> Any:
    body, headers = stateless_request("tools/call", {**through_menu(tool, text), **retry}, ASKABLE)
    return gateway.request("POST", "/mcp", body, **headers).json["result"]


def asked(result: Any) -> str:
    (question,) = result["inputRequests"].values()
    return str(question["params"]["message"])


def answered(scene: Scene, result: Any) -> str:
    (key,) = result["inputRequests"]
    retry = {"requestState": result["requestState"], "inputResponses": {key: {"action": "decline"}}}
    return str(stateless(scene.gateway, "near.ask", "again", **retry)["content"][0]["text"])


def test_a_stateless_client_answers_the_question_of_its_own_call(scene: Scene) -> None:
    for _again in range(3):
        result = stateless(scene.gateway, "near.ask", "your name?")
        assert asked(result) == "near asks: your name?"
        assert answered(scene, result) == "answered decline"
    assert sum(map(alive, scene.near.pids)) <= 3


@pytest.mark.promise("gateway:right-session")
def test_a_client_that_thinks_about_a_question_holds_up_no_other(scene: Scene) -> None:
    one, two = (stateless(scene.gateway, "near.ask", text) for text in ("one?", "two?"))
    assert (asked(one), asked(two)) == ("near asks: one?", "near asks: two?")
    assert [answered(scene, each) for each in (two, one)] == ["answered decline"] * 2


@pytest.mark.promise("gateway:right-session")
def test_a_question_reaches_no_other_stateless_client(scene: Scene) -> None:
    """Two clients are at work on one server of the old version, which cannot say for whom it asks."""
    other = scene.gateway.connect()
    body, headers = stateless_request("tools/call", through_menu("near.wait", "no-question"), ASKABLE)
    send(other, "POST", "/mcp", body, scene.gateway.own(headers))
    until(lambda: "wait no-question" in scene.near.notes("heard"), "the other client's call is there")
    mine = stateless(scene.gateway, "near.ask", "a secret?")
    assert mine["content"][0]["text"].startswith("refused: several c")
    scene.near.sign("no-question")
    assert read(other).text == "wait says no-question"


# -- what reaches a server ---------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:own-headers")
def test_no_header_of_a_client_reaches_a_server(scene: Scene) -> None:
    client = scene.gateway.client()
    client.headers |= {"cookie": "client-cookie", "x-api-key": "client-api-key"}
    assert client.call("far.echo", "hello").text == "echo says hello"
    body, headers = stateless_request("tools/call", through_menu("far.echo", "modern"))
    assert scene.gateway.request("POST", "/mcp", body, cookie="client-cookie", **headers).status == 200
    reported = "\n".join(scene.far.notes("headers"))
    assert CANARY in reported
    for secret in (
        str(scene.gateway.key),
        "client-cookie",
        "client-api-key",
        client.headers["mcp-session-id"],
    ):
        assert secret not in reported


@pytest.mark.promise("serve-http:disconnect")
def test_a_stateless_client_that_goes_away_abandons_its_call(scene: Scene) -> None:
    body, headers = stateless_request("tools/call", through_menu("near.wait", "never"))
    connection = scene.gateway.connect()
    send(connection, "POST", "/mcp", body, scene.gateway.own(headers))
    until(lambda: "wait never" in scene.near.notes("heard"), "the call is there")
    connection.close()
    until(lambda: scene.near.notes("heard")[-1] == "notifications/cancelled", "the server hears of it")
    assert scene.gateway.server("near")["calls"] == 0


@pytest.mark.promise("serve-http:disconnect")
def test_a_session_that_ends_abandons_its_calls(scene: Scene) -> None:
    client = scene.gateway.client()
    connection = scene.gateway.connect()
    body = message("tools/call", through_menu("near.wait", "nor-ever"))
    send(connection, "POST", "/mcp", body, scene.gateway.own(client.headers))
    until(lambda: "wait nor-ever" in scene.near.notes("heard"), "the call is there")
    scene.gateway.request("DELETE", "/mcp", None, **client.headers)
    until(lambda: scene.near.notes("heard")[-1] == "notifications/cancelled", "the server hears of it")
    connection.close()


def test_a_session_that_only_lost_its_connection_finds_its_answer(scene: Scene) -> None:
    client = scene.gateway.client()
    connection = scene.gateway.connect()
    body = message("tools/call", through_menu("near.wait", "patience"), 5)
    send(connection, "POST", "/mcp", body, scene.gateway.own(client.headers))
    response = connection.getresponse()
    lines = iter(response.readline, b"")
    event = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"id:"))
    until(lambda: "wait patience" in scene.near.notes("heard"), "the call is there")
    connection.close()
    scene.near.sign("patience")
    until(lambda: "wait says patience" in replay(client, event), "the answer is kept")
