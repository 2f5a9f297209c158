"""Clients and servers of different protocol versions: questions are translated, and reach nobody else."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.client_replies import METHODS, REPLIES, answer_all, answered
from tests.behaviour.gateway_client import EVERYTHING, ROOT, GatewayClient, Refused, backend, connected
from tests.server_process import free_port, running
from tests.unit.gateway.daemon.bridges import own_home

EntryFor = Callable[[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def entry_for() -> Iterator[EntryFor]:
    """The talking server of a protocol version and a transport, as a config entry; HTTP ones are started once."""
    with ExitStack() as stack:
        urls: dict[str, str] = {}

        def entry(protocol: str, transport: str) -> dict[str, Any]:
            if transport == "stdio":
                return backend(protocol)
            if protocol not in urls:
                port = free_port()
                command = [*backend(protocol)["args"], "--port", str(port)]
                stack.enter_context(
                    running([backend(protocol)["command"], *command], port, {"PYTHONPATH": str(ROOT)})
                )
                urls[protocol] = f"http://127.0.0.1:{port}/mcp"
            return backend(protocol, url=urls[protocol])

        yield entry


PAIRS = [
    *((mine, theirs, "stdio") for mine in ("old", "new") for theirs in ("old", "new")),
    ("old", "new", "http"),
    ("new", "old", "http"),
]


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: f"{pair[0]}-client-{pair[1]}-server-{pair[2]}")
def client(
    request: pytest.FixtureRequest, entry_for: EntryFor, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    mine, theirs, transport = request.param
    with connected(
        tmp_path_factory.mktemp("home"), {"talk": entry_for(theirs, transport)}, "search", mine
    ) as made:
        made.theirs, made.transport = theirs, transport
        yield made


@pytest.mark.promise("gateway:protocol-versions")
def test_a_call_works_and_its_result_fits_the_clients_protocol_version(client: GatewayClient) -> None:
    facts = client.facts("client_facts")
    assert facts["version"] == {"old": "2025-11-25", "new": "2026-07-28"}[client.theirs]
    assert facts["capabilities"] == EVERYTHING


@pytest.mark.promise("gateway:protocol-versions")
def test_progress_passes_between_the_protocol_versions(client: GatewayClient) -> None:
    since = len(client.heard)
    client.call("progress", _meta={"progressToken": "mine"})
    kinds = [each.get("method", "result") for each in client.heard[since:]]
    assert kinds == ["notifications/progress"] * 4 + ["result"]
    assert {each["progressToken"] for each in client.received("notifications/progress", since)} == {"mine"}


@pytest.mark.promise("gateway:protocol-versions")
@pytest.mark.parametrize("kind", METHODS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_questions_are_asked_in_the_way_of_the_clients_protocol_version(
    client: GatewayClient, kind: str, rounds: int, request: pytest.FixtureRequest
) -> None:
    before = client.facts("seen")["calls"].get("ask", 0)
    result = answered(client, client.call_params("ask", {"kind": kind, "rounds": rounds}), kind)
    assert result["structuredContent"] == {"heard": [REPLIES[kind]] * rounds}
    calls = client.facts("seen")["calls"]["ask"] - before
    assert calls == (1 if client.theirs == "old" else rounds + 1)


@pytest.mark.promise("gateway:protocol-versions")
def test_a_prompt_may_ask_too(client: GatewayClient) -> None:
    result = answered(client, {"name": "quiz"}, "elicitation", "prompts/get")
    assert "'word': 'yes'" in result["messages"][0]["content"]["text"]


@pytest.mark.promise("gateway:protocol-versions")
def test_progress_after_a_question_goes_to_the_request_that_brought_the_answer(client: GatewayClient) -> None:
    since = len(client.heard)
    params = client.call_params("progress", {"ask": True}, _meta={"progressToken": "first"})
    answered(client, params, "elicitation")
    assert [each["progress"] for each in client.received("notifications/progress", since)][:4] == [1, 2, 3, 4]


def test_a_client_that_declines_is_heard(client: GatewayClient) -> None:
    declined = {"action": "decline"}
    result = answered(
        client, client.call_params("ask", {"kind": "elicitation"}), "elicitation", reply=declined
    )
    assert result["structuredContent"] == {"heard": [declined]}


def test_a_client_that_refuses_ends_the_call(client: GatewayClient) -> None:
    if client.protocol == "new":
        return  # it makes no second request

    def refuse(_params: object) -> dict[str, Any]:
        raise Refused(-32099, "the person is away")

    client.replies = {METHODS["elicitation"]: refuse}
    answer = client.ask("tools/call", client.call_params("ask", {"kind": "elicitation"}))
    assert "the person is away" in str(answer)
    assert client.facts("client_facts")["capabilities"] == EVERYTHING


@pytest.mark.promise("gateway:forged-state")
@pytest.mark.parametrize("state", ["toolbooth-suspended-forged", "toolbooth-suspended-"])
def test_a_forged_state_is_refused_in_words(client: GatewayClient, state: str) -> None:
    if client.protocol == "old":
        return
    params = client.call_params("ask", {"kind": "elicitation"})
    forged = {**params, "requestState": state, "inputResponses": {"q1": REPLIES["elicitation"]}}
    error = client.ask("tools/call", forged)["error"]
    assert error["code"] == -32602
    assert "requestState has expired" in error["message"]


@pytest.mark.promise("gateway:forged-state")
def test_a_state_is_good_for_one_visit(client: GatewayClient) -> None:
    if client.protocol == "old" or client.theirs == "new":
        return  # a stateless server's state is its own to judge
    params = client.call_params("ask", {"kind": "elicitation"})
    asked = client.result("tools/call", params)
    retry = {
        **params,
        "requestState": asked["requestState"],
        "inputResponses": {"q1": REPLIES["elicitation"]},
    }
    assert client.result("tools/call", retry)["structuredContent"] == {"heard": [REPLIES["elicitation"]]}
    assert client.ask("tools/call", retry)["error"]["code"] == -32602


def test_an_answer_that_is_missing_is_asked_for_again(client: GatewayClient) -> None:
    if client.protocol == "old":
        return
    params = client.call_params("ask", {"kind": "elicitation"})
    first = client.result("tools/call", params)
    again = client.result(
        "tools/call", {**params, "requestState": first["requestState"], "inputResponses": {}}
    )
    assert again["inputRequests"] == first["inputRequests"]
    assert answer_all(client, params, again, REPLIES["elicitation"])["structuredContent"] == {
        "heard": [REPLIES["elicitation"]]
    }


@pytest.mark.promise("gateway:cancel")
def test_a_call_that_was_asked_in_can_still_be_cancelled(client: GatewayClient) -> None:
    before, since = client.facts("seen")["cancelled"], len(client.heard)
    number = client.send("tools/call", client.call_params("wait", {}, _meta={"progressToken": "w"}))
    client.until(lambda each: (each.get("params") or {}).get("progressToken") == "w", since)
    client.notify("notifications/cancelled", {"requestId": number})
    assert any(client.facts("seen")["cancelled"] == before + 1 for _ in range(300))


def test_words_of_the_protocol_inside_a_result_start_no_second_call(
    client: GatewayClient, request: pytest.FixtureRequest
) -> None:
    before = client.facts("seen")["calls"].get("sample", 0)
    result = client.call("sample", kind="speaks_of_versions")
    assert result["structuredContent"]["resultType"] == "input_required"
    assert client.facts("seen")["calls"]["sample"] == before + 1


@pytest.mark.promise("gateway:changes")
def test_a_resource_of_the_other_protocol_version_is_watched(client: GatewayClient) -> None:
    if client.protocol == "old":
        watch(client, "note://watched")


def test_nothing_of_the_gateways_exchange_with_a_server_reaches_the_client(client: GatewayClient) -> None:
    if client.protocol == "old":  # the other may listen itself
        watch(client, "note://1")
        assert client.received("notifications/subscriptions/acknowledged") == []


@pytest.mark.promise("gateway:cancel")
def test_with_a_cancelled_call_its_open_question_is_taken_back(client: GatewayClient) -> None:
    if client.protocol == "old":
        client.replies, since = {}, len(client.heard)
        number = client.send("tools/call", client.call_params("ask", {"kind": "elicitation"}))
        question = client.until(lambda each: each.get("method") == "elicitation/create", since)
        client.notify("notifications/cancelled", {"requestId": number})
        taken_back = client.until(lambda each: each.get("method") == "notifications/cancelled", since)
        assert taken_back["params"]["requestId"] == question["id"]
        client.write({"jsonrpc": "2.0", "id": question["id"], "result": REPLIES["elicitation"]})
        assert client.facts("client_facts")["capabilities"] == EVERYTHING, "a late answer harms nothing"
        assert [each for each in client.heard if each.get("id") == number] == []


def test_a_person_may_think_longer_than_a_call_may_take(tmp_path: Path) -> None:
    def think(_params: object) -> dict[str, Any]:
        time.sleep(5.5)
        return REPLIES["elicitation"]

    with connected(tmp_path, {"talk": backend("old", call_timeout=5)}) as client:
        client.replies = {"elicitation/create": think}
        assert client.facts("ask", kind="elicitation") == {"heard": [REPLIES["elicitation"]]}


@pytest.mark.promise("gateway:own-capabilities")
@pytest.mark.parametrize(("mine", "theirs"), [("old", "old"), ("old", "new"), ("new", "old")])
def test_a_client_that_offers_nothing_is_asked_nothing(mine: str, theirs: str, tmp_path: Path) -> None:
    with connected(tmp_path, {"talk": backend(theirs)}, "direct", mine, {}) as client:
        assert client.facts("client_facts")["capabilities"] in ({}, None)
        answer = client.ask("tools/call", client.call_params("ask", {"kind": "sampling"}))
        assert "sampling/createMessage" in str(answer)
        assert [each for each in client.heard if "method" in each and "id" in each] == []


# -- two clients, one old server ---------------------------------------------------------------------------
@contextmanager
def two(protocols: tuple[str, str], theirs: str = "old") -> Iterator[tuple[GatewayClient, GatewayClient]]:
    with own_home() as home, ExitStack() as stack:

        def enter(protocol: str, name: str) -> AbstractContextManager[GatewayClient]:
            return connected(
                home.folder, {"talk": backend(theirs)}, "direct", protocol, daemon=True, name=name
            )

        yield stack.enter_context(enter(protocols[0], "one")), stack.enter_context(enter(protocols[1], "two"))


def reply_with(word: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda _params: {"action": "accept", "content": {"word": word}}


@pytest.mark.promise("gateway:right-session")
def test_after_its_first_question_a_server_is_one_clients_own_and_the_other_gets_another() -> None:
    with two(("old", "old")) as (one, other):
        assert one.facts("client_facts")["client"] == "one"
        assert other.facts("seen")["calls"] == {"client_facts": 1, "seen": 1}, (
            "clients that offer the same share a server"
        )
        for client, word in ((one, "from one"), (other, "from the other")):
            client.replies = {"elicitation/create": reply_with(word)}
            assert client.facts("ask", kind="elicitation")["heard"][0]["content"] == {"word": word}
        assert one.facts("seen")["calls"]["ask"] == 1
        assert other.facts("seen")["calls"]["ask"] == 1
        assert other.facts("client_facts")["client"] == "two"


@pytest.mark.promise("gateway:right-session")
def test_a_question_while_two_clients_are_at_work_is_refused_and_not_guessed() -> None:
    with two(("old", "old")) as (one, other):
        other.replies = one.replies = {"elicitation/create": reply_with("anyone")}
        waiting = other.send("tools/call", other.call_params("wait", {}, _meta={"progressToken": "w"}))
        other.until(lambda each: each.get("method") == "notifications/progress")
        answer = one.ask("tools/call", one.call_params("ask", {"kind": "elicitation"}))
        assert "several clients have calls in progress" in str(answer)
        assert [
            each for each in (*one.heard, *other.heard) if each.get("method") == "elicitation/create"
        ] == []
        other.notify("notifications/cancelled", {"requestId": waiting})


@pytest.mark.promise("gateway:right-session")
def test_questions_to_many_clients_at_once_reach_each_its_own() -> None:
    with two(("old", "new")) as (one, other):
        one.replies = {"elicitation/create": reply_with("one")}
        assert one.facts("ask", kind="elicitation")["heard"][0]["content"] == {"word": "one"}
        results: dict[str, list[Any]] = {"one": [], "other": []}

        def ask_one() -> None:
            results["one"] += [
                one.facts("ask", kind="elicitation")["heard"][0]["content"]["word"] for _ in range(10)
            ]

        def ask_other() -> None:
            for _ in range(10):
                params = other.call_params("ask", {"kind": "elicitation"})
                reply = {"action": "accept", "content": {"word": "other"}}
                result = answered(other, params, "elicitation", reply=reply)
                results["other"].append(result["structuredContent"]["heard"][0]["content"]["word"])

        threads = [threading.Thread(target=each) for each in (ask_one, ask_other)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert results == {"one": ["one"] * 10, "other": ["other"] * 10}


@pytest.mark.promise("gateway:right-session")
@pytest.mark.parametrize("protocols", [("old", "new"), ("new", "old")], ids="-".join)
def test_a_server_of_both_protocol_versions_asks_each_client_in_its_own_way(
    protocols: tuple[str, str],
) -> None:
    with two(protocols, "both") as clients:
        for client in (*clients, *clients):
            reply = {"action": "accept", "content": {"word": client.protocol}}
            params = client.call_params("ask", {"kind": "elicitation", "rounds": 2})
            result = answered(client, params, "elicitation", reply=reply)
            assert result["structuredContent"] == {"heard": [reply, reply]}
        for client in clients:
            asked = [each for each in client.heard if "method" in each and "id" in each]
            assert bool(asked) is (client.protocol == "old"), "a stateless client is sent no requests"


@pytest.mark.promise("gateway:progress")
def test_two_clients_with_the_same_token_get_each_its_own_progress() -> None:
    with two(("old", "old")) as clients:
        for client in clients:
            client.facts("seen")
        params = [client.call_params("progress", {}, _meta={"progressToken": 1}) for client in clients]
        numbers = [(each, each.send("tools/call", params[0])) for _ in range(5) for each in clients]
        for each, number in numbers:
            assert "result" in each.answer_to(number)
        for client in clients:
            assert [step["progress"] for step in client.received("notifications/progress")].count(4) == 5
            assert len(client.received("notifications/progress")) == 20


@pytest.mark.promise("gateway:right-session")
def test_one_person_thinks_and_another_is_asked_meanwhile() -> None:
    with two(("new", "new")) as (one, other):
        params = one.call_params("ask", {"kind": "elicitation"})
        asked = one.result("tools/call", params)
        assert answered(other, params, "elicitation")["structuredContent"] == {
            "heard": [REPLIES["elicitation"]]
        }
        late = {"action": "accept", "content": {"word": "late"}}
        assert answer_all(one, params, asked, late)["structuredContent"] == {"heard": [late]}


@pytest.mark.promise("gateway:right-session")
def test_of_two_calls_of_a_stateless_client_none_gets_the_others_question(tmp_path: Path) -> None:
    with connected(tmp_path, {"talk": backend("old")}, "search", "new") as client:
        waiting = client.send("tools/call", client.call_params("wait", {}, _meta={"progressToken": "w"}))
        client.until(lambda each: each.get("method") == "notifications/progress")
        params = client.call_params("ask", {"kind": "elicitation"})
        refused = client.result("tools/call", params)
        assert refused["isError"] is True
        assert "does not say which of them its question belongs to" in refused["content"][0]["text"]
        assert [each for each in client.heard if each.get("id") == waiting] == []
        client.notify("notifications/cancelled", {"requestId": waiting})
        assert any(client.facts("seen")["cancelled"] == 1 for _ in range(300))
        heard = answered(client, params, "elicitation")["structuredContent"]
        assert heard == {"heard": [REPLIES["elicitation"]]}


def watch(client: GatewayClient, uri: str) -> None:
    """Subscribe, and touch the resource until an update comes: an old client is not told when a stream is open."""
    assert client.result("resources/subscribe", {"uri": uri}) == {}
    since = len(client.heard)

    def updated() -> bool:
        client.facts("touch", uri=uri)
        return uri in [each["uri"] for each in client.received("notifications/resources/updated", since)]

    assert any(updated() for _ in range(300))
