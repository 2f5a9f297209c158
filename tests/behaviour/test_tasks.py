"""Tools that their servers run as tasks, called by clients that know nothing of tasks, on every surface."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.client_replies import REPLIES, answered
from tests.behaviour.gateway_client import PATIENCE, ROOT, GatewayClient, connected
from tests.server_process import free_port, running

FORMS = ("old", "new")


def task_server(protocol: str, **more: Any) -> dict[str, Any]:
    words = ["-m", "tests.task_server", protocol]
    return {"command": sys.executable, "args": words, "env": {"PYTHONPATH": str(ROOT)}, **more}


@pytest.fixture(scope="module", params=[(mine, theirs) for mine in FORMS for theirs in FORMS])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    mine, theirs = request.param
    home = tmp_path_factory.mktemp("home")
    with connected(home, {"talk": task_server(theirs)}, "search", mine) as made:
        made.theirs = theirs
        yield made


def research(client: GatewayClient, do: str, **more: Any) -> dict[str, Any]:
    """The whole answer to a call that has become a task."""
    return client.ask("tools/call", client.call_params("research", {"do": do}, **more))


def seen(client: GatewayClient) -> list[str]:
    """The last requests of the server: the method, and the tool or the task."""
    facts: list[str] = client.facts("seen")["seen"]
    return facts


def wait_for(client: GatewayClient, condition: Callable[[list[str]], bool]) -> None:
    """Until the server has seen it; the deadline only ends a test that has failed already."""
    deadline = time.monotonic() + PATIENCE
    while not (said := seen(client)) or not condition(said):
        assert time.monotonic() < deadline, said


def said(answer: Mapping[str, Any]) -> str:
    result: dict[str, Any] = answer["result"]
    assert result["isError"] is True
    return str(result["content"][0]["text"])


@pytest.mark.promise("gateway:tasks")
def test_a_tool_that_runs_only_as_a_task_answers_like_any_other(client: GatewayClient) -> None:
    result = client.call("research", do="work")
    assert result["structuredContent"] == {"do": "work", "steps": 3, "heard": None}
    methods = [each.split()[0] for each in seen(client)]
    fetched = ["tasks/result"] if client.theirs == "old" else []
    assert methods == ["tools/call", *["tasks/get"] * 3, *fetched]


@pytest.mark.promise("gateway:tasks")
def test_a_tool_that_may_run_as_a_task_is_called_as_an_ordinary_one(client: GatewayClient) -> None:
    assert client.call("maybe")["content"][0]["text"] == "ordinary False"


@pytest.mark.promise("gateway:tasks")
def test_each_status_is_progress_to_a_client_that_asked_for_it(client: GatewayClient) -> None:
    since = len(client.heard)
    client.call("research", _meta={"progressToken": "mine"}, do="work")
    heard = client.received("notifications/progress", since)
    assert [each["message"] for each in heard] == ["step 0", "step 1", "step 2", "step 3"]
    assert [each["progress"] for each in heard] == sorted({each["progress"] for each in heard})


@pytest.mark.promise("gateway:tasks")
def test_progress_of_the_server_itself_takes_the_place_of_its_statuses(client: GatewayClient) -> None:
    since = len(client.heard)
    client.call("research", _meta={"progressToken": "mine"}, do="progress")
    heard = client.received("notifications/progress", since)
    assert [each["progress"] for each in heard if "total" in each] == [1, 2, 3]
    assert [each["progress"] for each in heard] == sorted(each["progress"] for each in heard)


@pytest.mark.promise("gateway:tasks")
def test_a_task_asks_the_client_of_its_call(client: GatewayClient) -> None:
    result = answered(client, client.call_params("research", {"do": "ask"}), "elicitation")
    assert result["structuredContent"]["heard"] == REPLIES["elicitation"]
    if client.protocol == "old":
        asked = client.received("elicitation/create")[-1]
        assert asked["message"] == "talk asks: which word?"
        assert "_meta" not in asked


@pytest.mark.promise("gateway:tasks")
@pytest.mark.parametrize(
    ("do", "words"),
    [
        ("fail", "no sources"),
        ("withdraw", "cancelled the task of this call"),
        ("lose", "lost the task of this call: Failed to retrieve task: Task not found"),
    ],
)
def test_a_task_without_a_result_is_a_fault_in_one_line(client: GatewayClient, do: str, words: str) -> None:
    answer = said(research(client, do))
    assert words in answer
    assert "\n" not in answer.strip()


@pytest.mark.promise("gateway:tasks")
def test_an_interval_of_an_hour_and_a_status_of_a_strangers_task_change_nothing(
    client: GatewayClient,
) -> None:
    since = len(client.heard)
    assert client.call("research", do="stray")["structuredContent"]["steps"] == 3
    assert not [each for each in client.heard[since:] if "tasks" in each.get("method", "")]


@pytest.mark.promise("gateway:tasks")
def test_a_cancelled_call_cancels_its_task(client: GatewayClient) -> None:
    number = client.send("tools/call", client.call_params("research", {"do": "never"}))
    wait_for(client, lambda said: said[-1].startswith("tasks/get"))
    task = seen(client)[-1].split()[1]
    client.notify("notifications/cancelled", {"requestId": number})
    wait_for(client, lambda said: f"tasks/cancel {task}" in said)
    assert "notifications/cancelled" not in seen(client)


@pytest.mark.promise("gateway:tasks")
def test_a_long_result_of_a_task_is_cut_like_any_other(client: GatewayClient) -> None:
    text = "\n".join(each.get("text", "") for each in client.call("research", do="long")["content"])
    assert "read_result" in text
    assert len(text) < 40_000


@pytest.mark.promise("gateway:tasks")
def test_a_server_that_ends_in_the_middle_of_a_task_is_a_crash_and_the_next_call_works(
    client: GatewayClient,
) -> None:
    assert "exited with code 3" in said(research(client, "die"))
    assert client.call("research", do="work")["structuredContent"]["steps"] == 3


@pytest.mark.promise("gateway:tasks")
@pytest.mark.parametrize("surface", ["direct", "code", "full"])
@pytest.mark.parametrize("theirs", FORMS)
def test_such_a_tool_is_offered_and_works_on_every_surface(tmp_path: Path, theirs: str, surface: str) -> None:
    with connected(tmp_path, {"talk": task_server(theirs)}, surface) as client:
        params = client.call_params("research", {"do": "work"})
        if surface == "code":
            code = "found = await talk.research(do='work')\nfound['steps']"
            params = {"name": "call_tool_chain", "arguments": {"code": code}}
        result = client.result("tools/call", params)
        assert "3" in str(result.get("structuredContent") or result["content"])
        rows = [
            line for line in text_of(client, "toolbooth://recent/50").splitlines() if "talk.research" in line
        ]
        assert len(rows) == 1


def text_of(client: GatewayClient, uri: str) -> str:
    return str(client.result("resources/read", {"uri": uri})["contents"][0]["text"])


@pytest.mark.promise("gateway:tasks")
@pytest.mark.parametrize("theirs", FORMS)
def test_a_task_over_http_is_followed_and_asks_in_the_same_way(tmp_path: Path, theirs: str) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tests.task_server", theirs, "--port", str(port)]
    with (
        running(command, port, {"PYTHONPATH": str(ROOT)}),
        connected(tmp_path, {"talk": {"url": f"http://127.0.0.1:{port}/mcp"}}) as client,
    ):
        result = answered(client, client.call_params("research", {"do": "ask"}), "elicitation")
        assert result["structuredContent"]["heard"] == REPLIES["elicitation"]


@pytest.mark.promise("gateway:tasks")
@pytest.mark.parametrize("theirs", FORMS)
def test_a_task_of_which_nothing_new_is_heard_ends_with_its_call_and_is_cancelled(
    tmp_path: Path, theirs: str
) -> None:
    with connected(tmp_path, {"talk": task_server(theirs, call_timeout=1)}) as client:
        answer = client.ask("tools/call", client.call_params("research", {"do": "never"}))
        assert "reported nothing new of the task of this call for 1 s" in str(answer)
        wait_for(client, lambda said: said[-1].startswith("tasks/cancel"))


@pytest.mark.promise("gateway:tasks")
def test_a_server_that_declares_no_tasks_is_called_without_one(tmp_path: Path) -> None:
    with connected(tmp_path, {"talk": task_server("plain")}) as client:
        assert client.call("research", do="work")["content"][0]["text"] == "ordinary False"
