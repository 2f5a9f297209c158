"""The tasks that a gateway keeps for its clients: whose they are, how many, and for how long."""

import anyio
import pytest
from tests.unit.gateway.conftest import MakeCaller
from tests.unit.gateway.in_memory_channel import InMemoryChannel

from toolbooth import limits
from toolbooth.access import Principal
from toolbooth.gateway.calls import client_tasks
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.session import Caller, Refusal
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
ALICE, BOB = Principal("alice"), Principal("bob")


async def at_once(_call: CallContext) -> ToolResult:
    return ToolResult.said("done")


async def never(_call: CallContext) -> ToolResult:
    await anyio.sleep_forever()
    raise AssertionError


def of(caller: Caller, principal: Principal) -> Caller:
    caller.session.principal = principal
    return caller


async def started(view: View, caller: Caller, work: client_tasks.CarryOut, ttl: object = None) -> str:
    params = {"name": "echo", "arguments": {}, "task": {"ttl": ttl}}
    created = await view.gateway.client_tasks.run(CallContext.of_request(view, caller, params), work)
    return str(created.value["task"]["taskId"])


@pytest.mark.promise("gateway:client-tasks")
async def test_the_task_of_another_principal_is_as_unknown_as_one_that_never_was(
    view: View, caller: MakeCaller
) -> None:
    tasks = view.gateway.client_tasks
    mine, theirs = of(caller(), ALICE), of(caller(), BOB)
    number = await started(view, mine, at_once)
    assert tasks.find(mine, number).id == number
    assert tasks.find(of(caller(), ALICE), number).id == number
    with pytest.raises(Refusal) as foreign:
        tasks.find(theirs, number)
    with pytest.raises(Refusal) as unknown:
        tasks.find(theirs, "no such id")
    assert (foreign.value.code, foreign.value.message) == (unknown.value.code, unknown.value.message)
    assert number not in [each.id for each in tasks.of(BOB)]


async def test_a_principal_with_too_many_tasks_loses_its_oldest_result_and_no_running_one(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CLIENT_TASKS", 3)
    tasks, mine, theirs = view.gateway.client_tasks, of(caller(), Principal("busy")), of(caller(), BOB)
    other = await started(view, theirs, at_once)
    done = await started(view, mine, at_once)
    await tasks.find(mine, done).result_for(mine)
    running = [await started(view, mine, never) for _ in range(3)]
    assert [each.id for each in tasks.of(mine.session.principal)] == running
    with pytest.raises(Refusal, match="too many tasks are running"):
        await started(view, mine, never)
    assert tasks.find(theirs, other).id == other
    for number in running:
        tasks.cancel(tasks.find(mine, number))


async def test_an_ordinary_call_of_a_stateless_client_is_answered_while_too_many_tasks_are_running(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CLIENT_TASKS", 1)
    tasks, mine, later = view.gateway.client_tasks, caller(), caller(modern=True)
    running = await started(view, mine, never)
    call = CallContext.of_request(view, later, {"name": "echo", "arguments": {}})
    assert (await tasks.run(call, at_once)).texts() == ["done"]
    tasks.cancel(tasks.find(mine, running))


async def test_a_call_that_becomes_no_task_takes_no_kept_result(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CLIENT_TASKS", 1)
    tasks, mine, later = view.gateway.client_tasks, caller(), caller(modern=True)
    kept = await started(view, mine, at_once)
    await tasks.find(mine, kept).result_for(mine)
    call = CallContext.of_request(view, later, {"name": "echo", "arguments": {}})
    assert (await tasks.run(call, at_once)).texts() == ["done"]
    assert tasks.find(mine, kept).ended


async def test_results_of_a_principal_are_dropped_when_they_are_too_long_together(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = of(caller(), Principal("wordy"))
    first = await started(view, mine, at_once)
    await view.gateway.client_tasks.find(mine, first).result_for(mine)
    monkeypatch.setattr(limits, "MAX_CLIENT_TASK_BYTES", 0)
    await started(view, mine, at_once)
    with pytest.raises(Refusal, match="no such task"):
        view.gateway.client_tasks.find(mine, first)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (None, 1000 * limits.CLIENT_TASK_TTL),
        ("long", 1000 * limits.CLIENT_TASK_TTL),
        (5_000, 5_000),
        (-1, 1_000),
        (10**400, 1000 * limits.MAX_CLIENT_TASK_TTL),
    ],
)
async def test_a_result_is_kept_as_long_as_was_asked_for_within_bounds(
    view: View, caller: MakeCaller, asked: object, given: float
) -> None:
    mine = of(caller(), Principal("patient"))
    task = view.gateway.client_tasks.find(mine, await started(view, mine, at_once, asked))
    assert task.described(modern=False)["ttl"] == task.described(modern=True)["ttlMs"] == given


async def test_an_error_of_our_own_ends_the_task_with_an_answer(view: View, caller: MakeCaller) -> None:
    async def broken(_call: CallContext) -> ToolResult:
        raise ZeroDivisionError

    mine = caller()
    task = view.gateway.client_tasks.find(mine, await started(view, mine, broken))
    with pytest.raises(Refusal, match="bug in Toolbooth"):
        await task.result_for(mine)
    assert task.status == "failed"


async def test_a_question_whose_client_stopped_waiting_is_asked_again(view: View, caller: MakeCaller) -> None:
    async def asking(call: CallContext) -> ToolResult:
        answer = await call.caller.channel.ask("elicitation/create", {"message": "which?"})
        return ToolResult.said(str(answer))

    mine = caller()
    task = view.gateway.client_tasks.find(mine, await started(view, mine, asking))
    with anyio.CancelScope() as scope:
        silent = caller()
        silent.channel = Silent(scope)
        await task.result_for(silent)
    assert task.status == "input_required"
    mine.channel = InMemoryChannel({"elicitation/create": {"action": "decline"}})
    assert "decline" in (await task.result_for(mine)).texts()[0]


class Silent(InMemoryChannel):
    """A client that leaves as soon as it is asked."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        super().__init__()
        self._scope = scope

    async def ask(self, method: str, params: object) -> dict[str, object]:  # noqa: ARG002
        self._scope.cancel()
        await anyio.sleep_forever()
        raise AssertionError
