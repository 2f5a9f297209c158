"""Clients that know tasks: their calls of pinned tools and on `direct` become tasks of the gateway."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.client_replies import REPLIES
from tests.behaviour.gateway_client import EVERYTHING, GatewayClient, connected
from tests.behaviour.test_tasks import FORMS, seen, task_server, text_of, wait_for

EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
KNOWS_TASKS = {**EVERYTHING, "extensions": {EXTENSION: {}}}
ENDED = ("completed", "failed", "cancelled")


@pytest.fixture(scope="module", params=FORMS, ids=lambda theirs: f"{theirs}-server")
def old_client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    with connected(tmp_path_factory.mktemp("home"), {"talk": task_server(request.param)}, "direct") as made:
        yield listed(made)


@pytest.fixture(scope="module", params=FORMS, ids=lambda theirs: f"{theirs}-server")
def new_client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    home, servers = tmp_path_factory.mktemp("home"), {"talk": task_server(request.param)}
    with connected(home, servers, "direct", "new", KNOWS_TASKS) as made:
        yield listed(made)


def listed(client: GatewayClient) -> GatewayClient:
    """The client as soon as the tools of its server are in its menu."""
    while not any(each["name"] == "talk__research" for each in client.result("tools/list")["tools"]):
        pass
    return client


def begin(client: GatewayClient, do: str, **more: Any) -> dict[str, Any]:
    """A call that becomes a task, as its client asks for one or is given one."""
    if client.protocol == "old":
        created = client.result(
            "tools/call", client.call_params("research", {"do": do}, task={"ttl": 60_000}, **more)
        )
        task: dict[str, Any] = created["task"]
        return task
    created = client.result("tools/call", client.call_params("research", {"do": do}, **more))
    assert created["resultType"] == "task"
    return created


def status(client: GatewayClient, task: Mapping[str, Any]) -> dict[str, Any]:
    return client.result("tasks/get", {"taskId": task["taskId"]})


def until(client: GatewayClient, task: Mapping[str, Any], *wanted: str) -> dict[str, Any]:
    while (now := status(client, task))["status"] not in wanted:
        assert now["status"] not in ENDED, now
    return now


@pytest.mark.promise("gateway:client-tasks")
def test_a_client_that_asks_for_a_task_gets_one_and_fetches_its_result(old_client: GatewayClient) -> None:
    task = begin(old_client, "work")
    assert task["status"] == "working"
    assert len(task["taskId"]) >= 32
    assert task["ttl"] == 60_000
    until(old_client, task, "completed")
    result = old_client.result("tasks/result", {"taskId": task["taskId"]})
    assert result["structuredContent"]["steps"] == 3
    assert result["_meta"][RELATED] == {"taskId": task["taskId"]}
    listed = old_client.result("tasks/list")["tasks"]
    assert task["taskId"] in [each["taskId"] for each in listed]
    told = [each["status"] for each in old_client.received("notifications/tasks/status")]
    assert told[-1] == "completed"


@pytest.mark.promise("gateway:client-tasks")
def test_a_stateless_client_that_knows_tasks_gets_one_where_the_server_makes_one(
    new_client: GatewayClient,
) -> None:
    assert new_client.result("tools/call", new_client.call_params("seen", {}))["resultType"] == "complete"
    task = begin(new_client, "work")
    assert task["status"] == "working"
    done = until(new_client, task, "completed")
    assert done["resultType"] == "complete"
    assert done["result"]["structuredContent"]["steps"] == 3
    assert (
        RELATED not in done["result"].get("_meta", {}) or done["result"]["_meta"][RELATED] != task["taskId"]
    )


@pytest.mark.promise("gateway:client-tasks")
def test_a_task_that_asks_waits_for_the_client_to_fetch_its_result(old_client: GatewayClient) -> None:
    old_client.replies = {"elicitation/create": lambda _params: REPLIES["elicitation"]}
    task = begin(old_client, "ask")
    until(old_client, task, "input_required")
    result = old_client.result("tasks/result", {"taskId": task["taskId"]})
    assert result["structuredContent"]["heard"] == REPLIES["elicitation"]
    asked = old_client.received("elicitation/create")[-1]
    assert asked["_meta"][RELATED] == {"taskId": task["taskId"]}


@pytest.mark.promise("gateway:client-tasks")
def test_a_stateless_client_answers_a_task_with_an_update(new_client: GatewayClient) -> None:
    task = begin(new_client, "ask")
    asked = until(new_client, task, "input_required")["inputRequests"]
    assert [each["params"]["message"] for each in asked.values()] == ["talk asks: which word?"]
    answers = dict.fromkeys(asked, REPLIES["elicitation"])
    known = {"taskId": task["taskId"]}
    new_client.result("tasks/update", {**known, "inputResponses": {**answers, "made-up": {}}})
    done = until(new_client, task, "completed")
    assert done["result"]["structuredContent"]["heard"] == REPLIES["elicitation"]


@pytest.mark.promise("gateway:client-tasks")
def test_a_cancelled_task_is_cancelled_at_its_server(old_client: GatewayClient) -> None:
    cancel_one(old_client)


@pytest.mark.promise("gateway:client-tasks")
def test_a_stateless_client_cancels_a_task_in_the_same_way(new_client: GatewayClient) -> None:
    cancel_one(new_client)


def cancel_one(client: GatewayClient) -> None:
    task = begin(client, "never")
    wait_for(client, lambda said: said[-1].startswith("tasks/get"))
    theirs = seen(client)[-1].split()[1]
    client.result("tasks/cancel", {"taskId": task["taskId"]})
    assert status(client, task)["status"] == "cancelled"
    wait_for(client, lambda said: f"tasks/cancel {theirs}" in said)


@pytest.mark.promise("gateway:client-tasks")
def test_a_failed_task_answers_with_what_the_server_said(old_client: GatewayClient) -> None:
    task = begin(old_client, "fail")
    until(old_client, task, "failed")
    assert "no sources" in str(old_client.ask("tasks/result", {"taskId": task["taskId"]}))
    assert old_client.ask("tasks/cancel", {"taskId": task["taskId"]})["error"]["code"] == -32602


@pytest.mark.promise("gateway:client-tasks")
def test_a_task_is_one_call_in_the_ledger(tmp_path: Path) -> None:
    with connected(tmp_path, {"talk": task_server("old")}, "direct") as client:
        until(client, begin(listed(client), "work"), "completed")
        assert text_of(client, "toolbooth://recent/50").count("talk.research") == 1


@pytest.mark.promise("gateway:client-tasks")
def test_every_tool_that_can_run_as_a_task_may_be_called_without_one(old_client: GatewayClient) -> None:
    support = {each["name"]: each.get("execution") for each in old_client.result("tools/list")["tools"]}
    assert support["talk__research"] == support["talk__maybe"] == {"taskSupport": "optional"}
    assert old_client.heard[0]["result"]["capabilities"]["tasks"]["requests"] == {"tools": {"call": {}}}
    assert old_client.call("research", do="work")["structuredContent"]["steps"] == 3
    refused = old_client.ask("tools/call", old_client.call_params("seen", {}, task={}))
    assert refused["error"]["code"] == -32601


@pytest.mark.promise("gateway:client-tasks")
@pytest.mark.parametrize("method", ["tasks/get", "tasks/cancel", "tasks/result"])
@pytest.mark.parametrize("task_id", ["task-1", "", 5, None])
def test_an_unknown_task_is_refused(old_client: GatewayClient, method: str, task_id: object) -> None:
    assert old_client.ask(method, {"taskId": task_id})["error"]["code"] == -32602


@pytest.mark.promise("gateway:client-tasks")
def test_a_stateless_client_has_to_know_tasks_and_has_neither_list_nor_result(
    new_client: GatewayClient,
) -> None:
    task = begin(new_client, "work")
    for method in ("tasks/list", "tasks/result"):
        assert new_client.ask(method, {"taskId": task["taskId"]})["error"]["code"] == -32601
    new_client.capabilities = EVERYTHING
    try:
        assert new_client.ask("tasks/get", {"taskId": task["taskId"]})["error"]["code"] == -32021
        assert new_client.call("research", do="work")["structuredContent"]["steps"] == 3
    finally:
        new_client.capabilities = KNOWS_TASKS
