"""Requests on their way to a server, and a stateless server's questions to an older client."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller
from tests.unit.gateway.in_memory_channel import InMemoryChannel

from toolbooth.gateway.calls.upstream_call import pass_through, passed_on
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.surfaces.view import View
from toolbooth.limits import MAX_QUESTIONS

pytestmark = pytest.mark.anyio
RESERVED = "io.modelcontextprotocol/"
YES = {"action": "accept", "content": {"word": "yes"}}


def test_a_server_gets_the_callers_meta_without_what_belongs_to_one_connection() -> None:
    meta = {
        "progressToken": 1,
        f"{RESERVED}protocolVersion": "2026-07-28",
        f"{RESERVED}clientCapabilities": {},
        f"{RESERVED}logLevel": "info",
        "example.org/trace": [1],
    }
    passed = passed_on({"_meta": meta, "name": "outer", "arguments": {}}, name="inner")
    assert passed == {"name": "inner", "_meta": {f"{RESERVED}logLevel": "info", "example.org/trace": [1]}}


@pytest.mark.parametrize("meta", [None, {}, {"progressToken": 1}, "text", 5])
def test_meta_with_nothing_of_the_callers_own_is_left_out(meta: object) -> None:
    assert passed_on({"_meta": meta}, name="inner") == {"name": "inner"}


def test_a_retry_keeps_its_answers_and_its_state() -> None:
    retry = {"inputResponses": {"a": {}}, "requestState": "s"}
    assert passed_on({**retry, "other": 1}) == retry


async def ask(view: View, caller: Any, kind: str = "elicitation") -> Any:
    params = {"name": "ask", "arguments": {"kind": kind}}
    upstream = view.gateway.upstreams["talk__new"]
    result = await pass_through(view.gateway.suspended_calls, upstream, caller, "tools/call", params)
    return result.value


async def test_an_older_client_is_asked_what_a_stateless_server_answers_with(
    view: View, caller: MakeCaller
) -> None:
    someone = caller()
    someone.channel = channel = InMemoryChannel({"elicitation/create": YES})
    assert (await ask(view, someone))["structuredContent"] == {"heard": [YES]}
    assert [method for method, _ in channel.asked] == ["elicitation/create"]


async def test_an_older_client_is_not_asked_what_it_does_not_offer(view: View, caller: MakeCaller) -> None:
    someone = caller(roots={})
    with pytest.raises(Refusal, match="elicitation/create, which this client does not offer"):
        await ask(view, someone)
    assert isinstance(someone.channel, InMemoryChannel)
    assert someone.channel.asked == []


async def test_an_older_clients_refusal_is_the_answer(view: View, caller: MakeCaller) -> None:
    with pytest.raises(Refusal, match="the person said no"):
        await ask(view, caller())


async def called(view: View, someone: Any, server: str, **arguments: Any) -> Any:
    await view.gateway.learn(server, someone.session)
    params = {"name": "call_tool", "arguments": {"name": f"{server}.ask", "arguments": arguments}}
    result = await answer(view, someone, "tools/call", params)
    return result if isinstance(result, dict) else result.value


@pytest.mark.promise("gateway:questions-named")
@pytest.mark.parametrize("server", ["talk", "talk__new"])
@pytest.mark.parametrize("modern", [False, True])
async def test_every_question_names_its_server_in_every_pair_of_protocol_versions(
    view: View, caller: MakeCaller, server: str, modern: bool
) -> None:
    someone = caller(modern=modern)
    someone.channel = channel = InMemoryChannel({"elicitation/create": YES, "sampling/createMessage": YES})
    for kind in ("elicitation", "sampling"):
        result = await called(view, someone, server, kind=kind)
        asked = next(iter(result["inputRequests"].values()))["params"] if modern else channel.asked[-1][1]
        assert asked is not None
        said = asked["message"] if kind == "elicitation" else asked["systemPrompt"]
        assert said.startswith(
            f"{server} asks: word 0?" if kind == "elicitation" else "This request comes from"
        )
        assert server in said
        if modern and view.gateway.suspended_calls.holds(result["requestState"]):
            view.gateway.suspended_calls.forget(result["requestState"])


@pytest.mark.promise("gateway:questions-few")
async def test_a_call_that_asks_without_end_is_refused_its_questions(view: View, caller: MakeCaller) -> None:
    someone = caller()
    someone.channel = channel = InMemoryChannel({"elicitation/create": YES})
    result = await called(view, someone, "talk", kind="elicitation", rounds=MAX_QUESTIONS + 5)
    assert "one call may ask" in str(result)
    assert len(channel.asked) == MAX_QUESTIONS
