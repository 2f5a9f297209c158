"""Calls that wait for their clients: questions in rounds, states that are spent, forged or expired."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from tests.unit.gateway.in_memory_channel import EVERYTHING, InMemoryChannel

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import ClientIdentity, QuestionRefused, ServerRequest
from toolbooth.gateway.calls.suspended_calls import CarryOut, SuspendedCalls
from toolbooth.gateway.session import Caller, Refusal, Session
from toolbooth.gateway.upstreams.connection import Ask
from toolbooth.gateway.upstreams.upstream import Upstream

pytestmark = pytest.mark.anyio
ROOTS = ServerRequest("1", "roots/list", None)


@pytest.fixture
async def tasks() -> AsyncIterator[anyio.abc.TaskGroup]:
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


@pytest.fixture
def suspended_calls(tasks: anyio.abc.TaskGroup) -> SuspendedCalls:
    return SuspendedCalls(tasks)


@pytest.fixture
def upstream(tasks: anyio.abc.TaskGroup) -> Upstream:
    """Never started: what a suspended call does is up to the test."""
    return Upstream(ServerSpec("old", "stdio", "never-started"), {}, 60.0, tasks)


def caller(token: str | None = None) -> Caller:
    client_identity = ClientIdentity({}, EVERYTHING)
    return Caller(
        Session(secrets.token_hex(4), "2026-07-28", True, client_identity),
        client_identity,
        InMemoryChannel(),
        token,
    )


def asks(*questions: ServerRequest) -> CarryOut:
    async def call(suspended: Caller, ask: Ask) -> dict[str, Any]:
        return {"heard": [await ask(suspended, each) for each in questions]}

    return call


async def test_a_call_that_asks_nothing_is_answered_at_once(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    assert await suspended_calls.call(caller(), upstream, asks()) == {"heard": []}


async def test_every_question_is_a_round_of_its_own_with_a_new_state(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    form = ServerRequest("2", "elicitation/create", {"message": "?"})
    first: Any = await suspended_calls.call(caller(), upstream, asks(ROOTS, form))
    assert first["resultType"] == "input_required"
    assert first["inputRequests"] == {"q1": {"method": "roots/list"}}
    second: Any = await suspended_calls.resume(caller(), first["requestState"], {"q1": {"roots": []}})
    assert second["inputRequests"] == {"q2": {"method": "elicitation/create", "params": {"message": "?"}}}
    assert second["requestState"] != first["requestState"]
    done = await suspended_calls.resume(caller(), second["requestState"], {"q2": {"action": "decline"}})
    assert done == {"heard": [{"roots": []}, {"action": "decline"}]}


async def test_questions_at_once_are_asked_together(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    async def both(suspended: Caller, ask: Ask) -> dict[str, Any]:
        heard: dict[str, Any] = {}

        async def one(key: str) -> None:
            heard[key] = await ask(suspended, ROOTS)

        async with anyio.create_task_group() as group:
            group.start_soon(one, "a")
            group.start_soon(one, "b")
        return heard

    asked: Any = await suspended_calls.call(caller(), upstream, both)
    while len(asked["inputRequests"]) < 2:  # the second may come a turn later
        asked = await suspended_calls.resume(caller(), asked["requestState"], {})
    answers = {"q1": {"n": 1}, "q2": {"n": 2}}
    assert await suspended_calls.resume(caller(), asked["requestState"], answers) == {
        "a": {"n": 1},
        "b": {"n": 2},
    }


@pytest.mark.parametrize("responses", [{}, None, "text", {"other": {}}])
async def test_an_answer_that_is_missing_is_asked_for_again(
    suspended_calls: SuspendedCalls, upstream: Upstream, responses: object
) -> None:
    first: Any = await suspended_calls.call(caller(), upstream, asks(ROOTS))
    again: Any = await suspended_calls.resume(caller(), first["requestState"], responses)
    assert again["inputRequests"] == first["inputRequests"]


async def test_an_answer_that_is_no_object_is_an_error_for_the_server(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    first: Any = await suspended_calls.call(caller(), upstream, asks(ROOTS))
    with pytest.raises(QuestionRefused, match="not an object"):
        await suspended_calls.resume(caller(), first["requestState"], {"q1": "text"})


@pytest.mark.promise("gateway:forged-state")
async def test_a_state_that_is_forged_or_spent_is_refused(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    first: Any = await suspended_calls.call(caller(), upstream, asks(ROOTS))
    state = first["requestState"]
    assert suspended_calls.knows(state)
    assert not any(suspended_calls.knows(each) for each in ("a server's own", None, 5))
    await suspended_calls.resume(caller(), state, {"q1": {}})
    for each in (state, state[:-1], "toolbooth-suspended-"):
        with pytest.raises(Refusal, match="has expired; start the call again"):
            await suspended_calls.resume(caller(), each, {"q1": {}})


@pytest.mark.promise("gateway:forged-state")
async def test_a_client_that_never_comes_back_loses_its_call(
    suspended_calls: SuspendedCalls, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.SUSPENDED_CALL", 0.01)
    ended = anyio.Event()

    async def call(suspended: Caller, ask: Ask) -> dict[str, Any]:
        try:
            return await ask(suspended, ROOTS)
        finally:
            ended.set()

    asked: Any = await suspended_calls.call(caller(), upstream, call)
    with anyio.fail_after(240):
        await ended.wait()
    with pytest.raises(Refusal, match="has expired"):
        await suspended_calls.resume(caller(), asked["requestState"], {"q1": {}})


async def test_a_client_that_goes_away_while_it_waits_takes_its_call_with_it(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    began, ended = anyio.Event(), anyio.Event()

    async def call(_suspended: Caller, _ask: Ask) -> dict[str, Any]:
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return {}

    async with anyio.create_task_group() as client:
        client.start_soon(suspended_calls.call, caller(), upstream, call)
        await began.wait()
        client.cancel_scope.cancel()
    with anyio.fail_after(240):
        await ended.wait()


async def test_after_a_visit_notifications_go_to_the_new_request(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    async def call(suspended: Caller, ask: Ask) -> dict[str, Any]:
        await ask(suspended, ROOTS)
        suspended.channel.notify("notifications/progress", {"progressToken": suspended.progress_token})
        return {}

    first, back = caller("first"), caller("second")
    asked: Any = await suspended_calls.call(first, upstream, call)
    await suspended_calls.resume(back, asked["requestState"], {"q1": {}})
    assert isinstance(back.channel, InMemoryChannel)
    assert back.channel.sent == [("notifications/progress", {"progressToken": "second"})]


async def test_what_a_call_raises_is_raised_for_its_client(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    async def call(suspended: Caller, ask: Ask) -> dict[str, Any]:
        await ask(suspended, ROOTS)
        raise Refusal(-32050, "no such table")

    asked: Any = await suspended_calls.call(caller(), upstream, call)
    with pytest.raises(Refusal, match="no such table"):
        await suspended_calls.resume(caller(), asked["requestState"], {"q1": {}})


@pytest.mark.promise("gateway:right-session")
async def test_a_question_that_may_belong_to_another_call_is_refused(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    someone = caller()
    first: Any = await suspended_calls.call(someone, upstream, asks(ROOTS))
    with pytest.raises(QuestionRefused, match="does not say which of them its question belongs to"):
        await suspended_calls.call(someone, upstream, asks(ROOTS))
    assert await suspended_calls.resume(caller(), first["requestState"], {"q1": {}}) == {"heard": [{}]}
    assert "inputRequests" in await suspended_calls.call(someone, upstream, asks(ROOTS))


async def test_another_sessions_question_is_no_matter(
    suspended_calls: SuspendedCalls, upstream: Upstream
) -> None:
    for _ in range(2):
        assert "inputRequests" in await suspended_calls.call(caller(), upstream, asks(ROOTS))


async def test_over_http_a_question_says_which_call_it_belongs_to(
    suspended_calls: SuspendedCalls, tasks: anyio.abc.TaskGroup
) -> None:
    over_http = Upstream(ServerSpec("old", "http", url="http://127.0.0.1:9/mcp"), {}, 60.0, tasks)
    someone = caller()
    for _ in range(2):
        assert "inputRequests" in await suspended_calls.call(someone, over_http, asks(ROOTS))


async def test_the_number_of_suspended_calls_is_bounded(
    suspended_calls: SuspendedCalls, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_SUSPENDED", 1)
    someone = caller()
    await suspended_calls.call(someone, upstream, asks(ROOTS))
    with pytest.raises(Refusal, match="too many calls are waiting"):
        await suspended_calls.call(someone, upstream, asks(ROOTS))


@pytest.mark.promise("gateway:fair")
async def test_who_has_most_calls_suspended_loses_the_oldest_when_another_comes(
    suspended_calls: SuspendedCalls, tasks: anyio.abc.TaskGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_SUSPENDED", 3)
    over_http = Upstream(ServerSpec("old", "http", url="http://127.0.0.1:9/mcp"), {}, 60.0, tasks)
    hog, other = caller(), caller()
    states = []
    for each in (hog, hog, hog, other):
        suspended = await suspended_calls.call(each, over_http, asks(ROOTS))
        assert isinstance(suspended, dict)
        states.append((each, suspended["requestState"]))
    with pytest.raises(Refusal, match="expired"):
        await suspended_calls.resume(*states[0], {})
    for each, state in states[1:]:
        answered = await suspended_calls.resume(each, state, {"q1": {"roots": []}})
        assert answered == {"heard": [{"roots": []}]}
