"""Calls that wait for their clients: questions in rounds, states that are spent, forged or expired."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from tests.unit.gateway.desk.client import EVERYTHING, MemoryReach

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import Face, Question, QuestionRefused
from toolbooth.gateway.backends import Ask, Backend
from toolbooth.gateway.caller import Caller, Session
from toolbooth.gateway.parking import CarryOut, Parking
from toolbooth.gateway.refusal import Refusal

pytestmark = pytest.mark.anyio
ROOTS = Question("1", "roots/list", None)


@pytest.fixture
async def tasks() -> AsyncIterator[anyio.abc.TaskGroup]:
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


@pytest.fixture
def parking(tasks: anyio.abc.TaskGroup) -> Parking:
    return Parking(tasks)


@pytest.fixture
def backend(tasks: anyio.abc.TaskGroup) -> Backend:
    """Never started: what a parked call does is up to the test."""
    return Backend(ServerSpec("old", "stdio", "never-started"), {}, 60.0, tasks)


def caller(token: str | None = None) -> Caller:
    face = Face({}, EVERYTHING)
    return Caller(Session(secrets.token_hex(4), "2026-07-28", True, face), face, MemoryReach(), token)


def asks(*questions: Question) -> CarryOut:
    async def call(parked: Caller, ask: Ask) -> dict[str, Any]:
        return {"heard": [await ask(parked, each) for each in questions]}

    return call


async def test_a_call_that_asks_nothing_is_answered_at_once(parking: Parking, backend: Backend) -> None:
    assert await parking.call(caller(), backend, asks()) == {"heard": []}


async def test_every_question_is_a_round_of_its_own_with_a_new_state(
    parking: Parking, backend: Backend
) -> None:
    form = Question("2", "elicitation/create", {"message": "?"})
    first: Any = await parking.call(caller(), backend, asks(ROOTS, form))
    assert first["resultType"] == "input_required"
    assert first["inputRequests"] == {"q1": {"method": "roots/list"}}
    second: Any = await parking.resume(caller(), first["requestState"], {"q1": {"roots": []}})
    assert second["inputRequests"] == {"q2": {"method": "elicitation/create", "params": {"message": "?"}}}
    assert second["requestState"] != first["requestState"]
    done = await parking.resume(caller(), second["requestState"], {"q2": {"action": "decline"}})
    assert done == {"heard": [{"roots": []}, {"action": "decline"}]}


async def test_questions_at_once_are_asked_together(parking: Parking, backend: Backend) -> None:
    async def both(parked: Caller, ask: Ask) -> dict[str, Any]:
        heard: dict[str, Any] = {}

        async def one(key: str) -> None:
            heard[key] = await ask(parked, ROOTS)

        async with anyio.create_task_group() as group:
            group.start_soon(one, "a")
            group.start_soon(one, "b")
        return heard

    asked: Any = await parking.call(caller(), backend, both)
    while len(asked["inputRequests"]) < 2:  # the second may come a turn later
        asked = await parking.resume(caller(), asked["requestState"], {})
    answers = {"q1": {"n": 1}, "q2": {"n": 2}}
    assert await parking.resume(caller(), asked["requestState"], answers) == {"a": {"n": 1}, "b": {"n": 2}}


@pytest.mark.parametrize("responses", [{}, None, "text", {"other": {}}])
async def test_an_answer_that_is_missing_is_asked_for_again(
    parking: Parking, backend: Backend, responses: object
) -> None:
    first: Any = await parking.call(caller(), backend, asks(ROOTS))
    again: Any = await parking.resume(caller(), first["requestState"], responses)
    assert again["inputRequests"] == first["inputRequests"]


async def test_an_answer_that_is_no_object_is_an_error_for_the_server(
    parking: Parking, backend: Backend
) -> None:
    first: Any = await parking.call(caller(), backend, asks(ROOTS))
    with pytest.raises(QuestionRefused, match="no object"):
        await parking.resume(caller(), first["requestState"], {"q1": "text"})


@pytest.mark.promise("gateway:forged-state")
async def test_a_state_that_is_forged_or_spent_is_refused(parking: Parking, backend: Backend) -> None:
    first: Any = await parking.call(caller(), backend, asks(ROOTS))
    state = first["requestState"]
    assert parking.knows(state)
    assert not any(parking.knows(each) for each in ("a server's own", None, 5))
    await parking.resume(caller(), state, {"q1": {}})
    for each in (state, state[:-1], "toolbooth-parked-"):
        with pytest.raises(Refusal, match="has expired; start the call again"):
            await parking.resume(caller(), each, {"q1": {}})


@pytest.mark.promise("gateway:forged-state")
async def test_a_client_that_never_comes_back_loses_its_call(
    parking: Parking, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.gateway.parking.PARKED_CALL", 0.01)
    ended = anyio.Event()

    async def call(parked: Caller, ask: Ask) -> dict[str, Any]:
        try:
            return await ask(parked, ROOTS)
        finally:
            ended.set()

    asked: Any = await parking.call(caller(), backend, call)
    with anyio.fail_after(10):
        await ended.wait()
    with pytest.raises(Refusal, match="has expired"):
        await parking.resume(caller(), asked["requestState"], {"q1": {}})


async def test_a_client_that_goes_away_while_it_waits_takes_its_call_with_it(
    parking: Parking, backend: Backend
) -> None:
    began, ended = anyio.Event(), anyio.Event()

    async def call(_parked: Caller, _ask: Ask) -> dict[str, Any]:
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return {}

    async with anyio.create_task_group() as client:
        client.start_soon(parking.call, caller(), backend, call)
        await began.wait()
        client.cancel_scope.cancel()
    with anyio.fail_after(10):
        await ended.wait()


async def test_after_a_visit_notifications_go_to_the_new_request(parking: Parking, backend: Backend) -> None:
    async def call(parked: Caller, ask: Ask) -> dict[str, Any]:
        await ask(parked, ROOTS)
        parked.reach.notify("notifications/progress", {"progressToken": parked.progress_token})
        return {}

    first, back = caller("first"), caller("second")
    asked: Any = await parking.call(first, backend, call)
    await parking.resume(back, asked["requestState"], {"q1": {}})
    assert isinstance(back.reach, MemoryReach)
    assert back.reach.told == [("notifications/progress", {"progressToken": "second"})]


async def test_what_a_call_raises_is_raised_for_its_client(parking: Parking, backend: Backend) -> None:
    async def call(parked: Caller, ask: Ask) -> dict[str, Any]:
        await ask(parked, ROOTS)
        raise Refusal(-32050, "no such table")

    asked: Any = await parking.call(caller(), backend, call)
    with pytest.raises(Refusal, match="no such table"):
        await parking.resume(caller(), asked["requestState"], {"q1": {}})


@pytest.mark.promise("gateway:right-session")
async def test_a_question_that_may_belong_to_another_call_is_refused(
    parking: Parking, backend: Backend
) -> None:
    someone = caller()
    first: Any = await parking.call(someone, backend, asks(ROOTS))
    with pytest.raises(QuestionRefused, match="does not say in which of them it asks"):
        await parking.call(someone, backend, asks(ROOTS))
    assert await parking.resume(caller(), first["requestState"], {"q1": {}}) == {"heard": [{}]}
    assert "inputRequests" in await parking.call(someone, backend, asks(ROOTS))


async def test_another_sessions_question_is_no_matter(parking: Parking, backend: Backend) -> None:
    for _ in range(2):
        assert "inputRequests" in await parking.call(caller(), backend, asks(ROOTS))


async def test_over_http_a_question_says_which_call_it_belongs_to(
    parking: Parking, tasks: anyio.abc.TaskGroup
) -> None:
    over_http = Backend(ServerSpec("old", "http", url="http://127.0.0.1:9/mcp"), {}, 60.0, tasks)
    someone = caller()
    for _ in range(2):
        assert "inputRequests" in await parking.call(someone, over_http, asks(ROOTS))


async def test_no_more_calls_are_parked_than_there_is_room_for(
    parking: Parking, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.gateway.parking.MAX_PARKED", 1)
    someone = caller()
    await parking.call(someone, backend, asks(ROOTS))
    with pytest.raises(Refusal, match="too many calls wait"):
        await parking.call(someone, backend, asks(ROOTS))


@pytest.mark.promise("gateway:fair")
async def test_who_has_most_calls_parked_loses_the_oldest_when_another_comes(
    parking: Parking, tasks: anyio.abc.TaskGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.gateway.parking.MAX_PARKED", 3)
    over_http = Backend(ServerSpec("old", "http", url="http://127.0.0.1:9/mcp"), {}, 60.0, tasks)
    hog, other = caller(), caller()
    states = []
    for each in (hog, hog, hog, other):
        parked = await parking.call(each, over_http, asks(ROOTS))
        assert isinstance(parked, dict)
        states.append((each, parked["requestState"]))
    with pytest.raises(Refusal, match="expired"):
        await parking.resume(*states[0], {})
    for each, state in states[1:]:
        answered = await parking.resume(each, state, {"q1": {"roots": []}})
        assert answered == {"heard": [{"roots": []}]}
