"""What a server says passes through every surface as it was said, in old and new protocol versions."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.behaviour.gateway_client import (
    META,
    GatewayClient,
    HttpGatewayClient,
    Refused,
    backend,
    connected,
    isolated_environ,
    write_config,
)
from tests.behaviour.servers.samples import LONG, SAMPLES
from tests.server_process import free_port, running
from toolbooth.gateway.builtin_resources import PROMPTS, RESOURCES, TEMPLATES

SURFACES = ("search", "full", "direct")
PROTOCOLS = ("old", "new")
SHORT = sorted(set(SAMPLES) - {"long", "speaks_of_versions"})


@pytest.fixture(
    scope="module",
    params=[(surface, protocol) for protocol in PROTOCOLS for surface in SURFACES],
    ids="-".join,
)
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    surface, protocol = request.param
    with connected(tmp_path_factory.mktemp("home"), {"talk": backend("both")}, surface, protocol) as made:
        yield made


@pytest.mark.promise("gateway:fidelity")
@pytest.mark.parametrize("kind", SHORT)
def test_a_result_comes_as_it_was_sent(client: GatewayClient, kind: str) -> None:
    assert client.call("sample", kind=kind) == SAMPLES[kind]


def test_a_result_that_speaks_of_the_protocol_is_no_protocol(client: GatewayClient) -> None:
    before = client.facts("seen")["calls"].get("sample", 0)
    assert client.call("sample", kind="speaks_of_versions") == SAMPLES["speaks_of_versions"]
    assert client.facts("seen")["calls"]["sample"] == before + 1


def test_a_text_of_a_megabyte_can_be_read_again(client: GatewayClient) -> None:
    shown = client.call("sample", kind="long")["content"][0]["text"]
    assert len(shown) < len(LONG)
    assert LONG.startswith(shown[:1000])
    assert "read_result" in shown


@pytest.mark.promise("gateway:fidelity")
def test_custom_meta_of_a_request_arrives_and_nothing_of_ours_with_it(client: GatewayClient) -> None:
    own = {"example.org/trace": {"deep": [1, None, "x"]}, "traceparent": "00-ab-cd-01"}
    arrived = client.call("client_facts", _meta=own)["structuredContent"]["meta"]
    assert {key: value for key, value in arrived.items() if not key.startswith(META)} == own
    assert any(key.startswith(META) for key in arrived) == (client.protocol == "new")


@pytest.mark.promise("gateway:own-capabilities")
def test_the_server_gets_the_clients_own_name_and_capabilities(client: GatewayClient) -> None:
    facts = client.facts("client_facts")
    assert facts["capabilities"] == client.capabilities
    assert facts["client"] == client.info["name"]


@pytest.mark.promise("gateway:progress")
@pytest.mark.parametrize("token", ["the client's own", 7, 0])
def test_all_progress_comes_in_order_under_the_callers_token_and_before_the_result(
    client: GatewayClient, token: str | int
) -> None:
    since = len(client.heard)
    client.call("progress", _meta={"progressToken": token})
    kinds = [each.get("method", "result") for each in client.heard[since:]]
    assert kinds == ["notifications/progress"] * 4 + ["result"]
    assert client.received("notifications/progress", since) == [
        {"progressToken": token, "progress": step, "total": 4, "message": f"step {step}"}
        for step in (1, 2, 3, 4)
    ]


def test_without_a_token_there_is_no_progress(client: GatewayClient) -> None:
    since = len(client.heard)
    client.call("progress")
    assert client.received("notifications/progress", since) == []


@pytest.mark.promise("gateway:logging")
@pytest.mark.parametrize(("level", "expected"), [("warning", ["warning", "error"]), ("debug", None)])
def test_log_messages_of_the_wanted_levels_come_as_they_were_said(
    client: GatewayClient, level: str, expected: list[str] | None
) -> None:
    since, meta = len(client.heard), None
    if client.protocol == "old":
        assert client.result("logging/setLevel", {"level": level}) == {}
        assert client.facts("seen")["level"] == level
    else:
        meta = {f"{META}logLevel": level}
    client.call("log", _meta=meta)
    said = client.received("notifications/message", since)
    levels = expected or ["debug", "info", "warning", "error"]
    assert said == [{"level": each, "logger": "talk", "data": {"at": each}} for each in levels]


def test_a_stateless_client_that_wants_no_log_gets_none(client: GatewayClient) -> None:
    since = len(client.heard)
    client.call("log")
    assert bool(client.received("notifications/message", since)) is (client.protocol == "old")


@pytest.mark.promise("gateway:changes")
def test_a_server_hears_that_its_clients_roots_changed(client: GatewayClient) -> None:
    if client.protocol == "old":
        before = client.facts("seen")["roots_changed"]
        client.notify("notifications/roots/list_changed", {})
        assert any(client.facts("seen")["roots_changed"] == before + 1 for _ in range(300))


def test_a_level_that_does_not_exist_is_refused(client: GatewayClient) -> None:
    if client.protocol == "new":
        assert client.ask("logging/setLevel", {"level": "info"})["error"]["code"] == -32601
    else:
        assert client.ask("logging/setLevel", {"level": "loud"})["error"]["code"] == -32602


@pytest.mark.promise("gateway:changes")
def test_a_new_tool_is_offered_as_soon_as_the_server_reports_it(client: GatewayClient) -> None:
    before = client.result("tools/list")["tools"]
    since = len(client.heard)
    listening = _listen(client, toolsListChanged=True)
    client.facts("grow", kind="tools", name="polish_silver")
    if client.surface == "direct":
        client.until(lambda each: each.get("method") == "notifications/tools/list_changed", since)
        names = [each["name"] for each in client.result("tools/list")["tools"]]
        assert names == [*(each["name"] for each in before), "talk__polish_silver"]
    else:
        _until_found(client, "polish silver", "talk.polish_silver")
        assert client.result("tools/list")["tools"] == before
    if client.surface != "direct" and client.protocol == "old":
        assert client.received("notifications/tools/list_changed", since) == []
    assert client.facts("polish_silver") == {"grown": "polish_silver"}
    _stop(client, listening)


@pytest.mark.promise("gateway:changes")
@pytest.mark.parametrize("kind", ["prompts", "resources"])
def test_clients_are_notified_of_changed_lists_of_prompts_and_resources(
    client: GatewayClient, kind: str
) -> None:
    listening = _listen(client, **{f"{kind}ListChanged": True})
    since = len(client.heard)
    client.facts("grow", kind=kind)
    client.until(lambda each: each.get("method") == f"notifications/{kind}/list_changed", since)
    _stop(client, listening)


@pytest.mark.promise("gateway:changes")
def test_an_update_of_a_watched_resource_is_sent_once_and_only_while_it_is_watched(
    client: GatewayClient,
) -> None:
    uri = "note://watched"
    if client.protocol == "old":
        assert client.result("resources/subscribe", {"uri": uri}) == {}
        assert client.result("resources/subscribe", {"uri": uri}) == {}
        assert client.facts("seen")["watched"] == [uri]
        listening = None
    else:
        listening = _listen(client, resourceSubscriptions=[uri])
        _stop(client, listening)
        listening = _listen(client, resourceSubscriptions=[uri])
    since = len(client.heard)
    client.facts("touch", uri="note://1")
    client.facts("touch", uri=uri)
    client.until(lambda each: each.get("method") == "notifications/resources/updated", since)
    client.result("resources/list")
    updates = client.received("notifications/resources/updated", since)
    assert [each["uri"] for each in updates] == [uri]
    if client.protocol == "old":
        assert client.result("resources/unsubscribe", {"uri": uri}) == {}
        assert client.facts("seen")["watched"] == []
    else:
        _stop(client, listening)
    since = len(client.heard)
    client.facts("touch", uri=uri)
    client.result("resources/list")
    assert client.received("notifications/resources/updated", since) == []


def test_an_unknown_tool_is_said_with_the_nearest(client: GatewayClient) -> None:
    answer = client.ask("tools/call", client.call_params("progres", {}))
    if client.surface == "direct":
        assert answer["error"]["code"] == -32602
        said = answer["error"]["message"]
    else:
        assert answer["result"]["isError"] is True
        said = answer["result"]["content"][0]["text"]
    assert "progress" in said


@pytest.mark.promise("gateway:server-error")
def test_a_servers_error_keeps_code_and_data_or_becomes_words_for_the_agent(client: GatewayClient) -> None:
    answer = client.ask("tools/call", client.call_params("fail", {}))
    if client.surface == "direct":
        assert answer["error"] == {
            "code": -32050, "message": "no such table", "data": {"table": "t", "tried": [1, 2]}
        }  # fmt: skip
    else:
        result = answer["result"]
        assert result["isError"] is True
        assert "no such table" in result["content"][0]["text"]
        assert "talk" in result["content"][0]["text"]


REPLIES: dict[str, dict[str, Any]] = {
    "elicitation/create": {"action": "accept", "content": {"word": "yes"}, "_meta": {"own": 1}},
    "sampling/createMessage": {
        "role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "m", "stopReason": "endTurn"
    },
    "roots/list": {"roots": [{"uri": "file:///project", "name": "project"}]},
}  # fmt: skip


@pytest.mark.promise("gateway:questions")
@pytest.mark.parametrize(
    ("kind", "method"),
    [("elicitation", "elicitation/create"), ("sampling", "sampling/createMessage"), ("roots", "roots/list")],
)
def test_a_servers_question_reaches_the_client_and_its_answer_the_server(
    client: GatewayClient, kind: str, method: str
) -> None:
    if client.protocol == "old":
        client.replies = {method: lambda _params: REPLIES[method]}
        result = client.call("ask", kind=kind)
    else:
        params = client.call_params("ask", {"kind": kind})
        asked = client.result("tools/call", params)
        assert asked["resultType"] == "input_required"
        ((key, request),) = asked["inputRequests"].items()
        assert request["method"] == method
        retry = {"inputResponses": {key: REPLIES[method]}, "requestState": asked["requestState"]}
        result = client.bare(client.result("tools/call", {**params, **retry}))
    assert result["structuredContent"] == {"heard": [REPLIES[method]]}


def test_a_clients_refusal_reaches_the_server_that_asked(client: GatewayClient) -> None:
    if client.protocol == "new":
        return  # a stateless client that will not answer makes no second request

    def refuse(_params: object) -> dict[str, Any]:
        raise Refused(-1, "the person said no")

    client.replies = {"elicitation/create": refuse}
    answer = client.ask("tools/call", client.call_params("ask", {"kind": "elicitation"}))
    assert "the person said no" in str(answer)


@pytest.mark.promise("gateway:cancel")
def test_a_cancelled_call_is_cancelled_at_the_server_and_not_answered(client: GatewayClient) -> None:
    before, since = client.facts("seen")["cancelled"], len(client.heard)
    number = client.send("tools/call", client.call_params("wait", {}, _meta={"progressToken": "waiting"}))
    client.until(lambda each: (each.get("params") or {}).get("progressToken") == "waiting", since)
    client.notify("notifications/cancelled", {"requestId": number, "reason": "enough"})
    for _ in range(200):
        if client.facts("seen")["cancelled"] == before + 1:
            break
    else:
        raise AssertionError("the server never heard of it")
    assert [each for each in client.heard[since:] if each.get("id") == number] == []


def test_a_ping_is_answered(client: GatewayClient) -> None:
    if client.protocol == "old":
        assert client.result("ping") == {}


@pytest.mark.promise("gateway:prompts-resources")
def test_prompts_pass(client: GatewayClient) -> None:
    prompts = client.result("prompts/list")["prompts"]
    assert prompts[len(PROMPTS) :] == [
        {"name": "greet", "arguments": [{"name": "who", "required": True}]},
        {"name": "quiz"},
    ]
    got = client.bare(client.result("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}))
    said = {"role": "user", "content": {"type": "text", "text": "Hello Ada"}}
    assert got == {"messages": [said], "_meta": {"own": 3}}


@pytest.mark.promise("gateway:prompts-resources")
def test_resources_and_their_templates_pass(client: GatewayClient) -> None:
    listed = client.result("resources/list")["resources"]
    assert listed[len(RESOURCES)] == {"uri": "note://1", "name": "note://1", "_meta": {"own": 1}}
    templates = client.result("resources/templates/list")["resourceTemplates"]
    assert templates[len(TEMPLATES) :] == [{"uriTemplate": "page://{book}/{number}", "name": "page"}]
    for uri, text in (("note://1", "a note"), ("page://moby/3", "page page://moby/3")):
        got = client.bare(client.result("resources/read", {"uri": uri}))
        for key in ("ttlMs", "cacheScope"):
            assert (key in got) == (client.protocol == "new")
            got.pop(key, None)
        assert got == {"contents": [{"uri": uri, "text": text}], "_meta": {"own": 2}}
    error = client.ask("resources/read", {"uri": "note://none"})["error"]
    assert error == {"code": -32002, "message": "no such note", "data": {"uri": "note://none"}}


@pytest.mark.promise("gateway:prompts-resources")
@pytest.mark.parametrize(
    ("ref", "of"),
    [
        ({"type": "ref/prompt", "name": "greet"}, "greet"),
        ({"type": "ref/resource", "uri": "page://{book}/{number}"}, "page://{book}/{number}"),
    ],
)
def test_completion_is_the_servers(client: GatewayClient, ref: dict[str, str], of: str) -> None:
    params = {"ref": ref, "argument": {"name": "who", "value": "A"}}
    got = client.bare(client.result("completion/complete", params))
    assert got == {"completion": {"values": [f"{of}:A"], "total": 1, "hasMore": False}}


# -- over HTTP ---------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def http_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home, port = tmp_path_factory.mktemp("home"), free_port()
    config = write_config(home, {"talk": backend("both")})
    words = ["serve", "--http", "--port", str(port), "--no-key", "--config", str(config)]
    with running([sys.executable, "-m", "toolbooth", *words], port, isolated_environ(home)):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.mark.promise("gateway:fidelity")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("surface", SURFACES)
def test_results_and_progress_come_over_http_as_they_were_sent(
    surface: str, protocol: str, http_url: str
) -> None:
    client = HttpGatewayClient(http_url, surface, protocol)
    try:
        for kind in [*SHORT, "speaks_of_versions"]:
            typed = {"resultType": "complete"} if protocol == "new" else {}
            assert client.messages("sample", kind=kind)[-1]["result"] == {**typed, **SAMPLES[kind]}, kind
        *steps, result = client.messages("progress", {"progressToken": "mine"})
        assert [step["params"]["progress"] for step in steps] == [1, 2, 3, 4]
        assert {step["params"]["progressToken"] for step in steps} == {"mine"}
        assert "result" in result
    finally:
        client.close()


def _listen(client: GatewayClient, **wanted: Any) -> int | str | None:
    """Clients of the newer version receive only what they listen for."""
    client.facts("seen")
    if client.protocol == "old":
        return None
    since = len(client.heard)
    number = client.send("subscriptions/listen", {"notifications": wanted})
    client.until(lambda each: each.get("method") == "notifications/subscriptions/acknowledged", since)
    client.facts("seen")
    return number


def _stop(client: GatewayClient, listening: int | str | None) -> None:
    if listening is not None:
        client.notify("notifications/cancelled", {"requestId": listening})
        client.facts("seen")


def _until_found(client: GatewayClient, query: str, name: str) -> None:
    for _ in range(500):
        answer = client.result("tools/call", {"name": "search_tools", "arguments": {"query": query}})
        if name in answer["content"][0]["text"]:
            return
    raise AssertionError(f"{name} was never found")
