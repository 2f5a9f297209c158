"""What servers say about tasks, however they say it."""

from typing import Any

import pytest

from toolbooth import limits
from toolbooth.catalog import Tool
from toolbooth.catalog.connect import NegotiatedProtocol, RawResult
from toolbooth.errors import BackendProtocolError, BackendRefused
from toolbooth.gateway.upstreams.task_messages import (
    created,
    failed,
    may_become_task,
    read_task,
    task_support,
    without_task,
)

TASK = {"taskId": "t", "status": "working", "ttl": 1, "createdAt": "a", "lastUpdatedAt": "b"}
STATELESS, HANDSHAKE = "2026-07-28", "2025-11-25"
EXTENSION: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
REQUESTS: dict[str, Any] = {"tasks": {"requests": {"tools": {"call": {}}}}}


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        (None, limits.TASK_POLL),
        (True, limits.TASK_POLL),
        ("soon", limits.TASK_POLL),
        (0, limits.TASK_POLL_LEAST),
        (-5, limits.TASK_POLL_LEAST),
        (2500, 2.5),
        (3_600_000, limits.TASK_POLL_MOST),
        (10**400, limits.TASK_POLL_MOST),
    ],
)
def test_a_task_is_looked_at_often_enough_and_not_too_often(given: Any, seconds: float) -> None:
    assert read_task({**TASK, "pollInterval": given}, False).interval == seconds
    assert read_task({**TASK, "pollIntervalMs": given}, True).interval == seconds


@pytest.mark.parametrize("wrong", [{"taskId": 5}, {"status": "sleeping"}, {"status": None}, {"status": []}])
def test_a_task_that_cannot_be_read_is_a_mistake_of_the_server(wrong: dict[str, Any]) -> None:
    with pytest.raises(BackendProtocolError, match="sent a task that cannot be read"):
        read_task({**TASK, **wrong}, False)


@pytest.mark.parametrize(
    ("answer", "stateless", "is_task"),
    [
        ({"task": TASK}, False, True),
        ({"content": []}, False, False),
        ({"content": [], "task": TASK}, False, False),
        ({"resultType": "task", **TASK}, True, True),
        ({"resultType": "complete", "content": [], **TASK}, True, False),
        ({"task": TASK}, True, False),
        ({"resultType": "task", **TASK}, False, False),
    ],
)
def test_an_answer_is_a_task_only_in_the_form_of_its_protocol_version(
    answer: dict[str, Any], stateless: bool, is_task: bool
) -> None:
    assert (created(answer, stateless) is not None) is is_task


def test_a_long_answer_is_a_result_and_is_not_even_parsed() -> None:
    assert created(RawResult(b'{"taskId": not JSON' + b" " * limits.REDUCE_ASIDE), True) is None


@pytest.mark.parametrize(
    ("version", "declared", "params", "expected"),
    [
        (HANDSHAKE, REQUESTS, {"task": {}}, True),
        (HANDSHAKE, REQUESTS, {}, False),
        (HANDSHAKE, {"tasks": {"list": {}}}, {"task": {}}, False),
        (HANDSHAKE, {"tasks": {"requests": "all"}}, {"task": {}}, False),
        (STATELESS, EXTENSION, {}, True),
        (STATELESS, REQUESTS, {"task": {}}, False),
        (STATELESS, {"extensions": []}, {}, False),
    ],
)
def test_only_a_server_that_declares_tasks_is_asked_for_one(
    version: str, declared: dict[str, Any], params: dict[str, Any], expected: bool
) -> None:
    assert may_become_task(NegotiatedProtocol(version, {"capabilities": declared}), params) is expected


def test_other_servers_get_the_call_without_task() -> None:
    assert without_task({"name": "a", "task": {}}) == {"name": "a"}
    same = {"name": "a"}
    assert without_task(same) is same


@pytest.mark.parametrize(
    "execution", [None, [], {}, {"taskSupport": "perhaps"}, {"taskSupport": ["required"]}]
)
def test_a_tool_that_says_nothing_readable_runs_no_tasks(execution: Any) -> None:
    assert task_support(Tool("s", "t", raw={"name": "t", "execution": execution})) == "forbidden"


def test_a_failed_task_says_why_in_one_line() -> None:
    assert str(failed({"code": -32000, "message": "no\nroom"}, "")) == (
        "ended the task of this call with error -32000: no room"
    )
    assert isinstance(failed({"code": "x"}, "it broke"), BackendRefused)
    assert "it broke" in str(failed({}, "it broke"))
