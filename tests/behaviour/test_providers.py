"""Real provider packages over HTTP on loopback: turns, usage, dollars, broken answers."""

import anyio
import pytest

from tests.behaviour.provider_client import (
    ANTHROPIC,
    CHAT,
    KEY,
    OLLAMA,
    OPENING,
    OTHER,
    RESPONSES,
    SCHEMA,
    asked_once,
    each_model,
    fault_of,
    opened,
)
from tests.provider_formats import SEAL
from tests.provider_server import Answer, Asked, Calls, Fails, Says, Sends, provider_server
from toolbooth.suite.agents.conversation import Model, Opening, ToolUseResult
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.model import ProviderSettings, TokenPrice, open_provider

pytestmark = pytest.mark.anyio


# -- turns --------------------------------------------------------------------------------------------------


@pytest.mark.promise("providers:turns")
@each_model
async def test_a_conversation_goes_from_the_prompt_over_parallel_calls_to_the_answer(model: str) -> None:
    first = Says(
        "Let me see.", [Calls("add", {"a": 1}), Calls("noop", {})], input=120, cached=20, thought="Hm."
    )
    with provider_server([first, Says("3", input=150, output=3)]) as server:
        async with opened(server, model) as found:
            conversation = found.conversation(OPENING)
            reply = await conversation.reply([])
            assert reply.text == "Let me see."
            assert [(use.name, use.arguments, use.problem) for use in reply.uses] == [
                ("add", {"a": 1}, ""),
                ("noop", {}, ""),
            ]
            assert reply.usage is not None
            assert (reply.usage.input, reply.usage.output, reply.usage.cache_read) == (120, 20, 20)
            assert reply.cost is not None
            assert reply.cost < (found.price(120, 20) or 0)
            one, two = reply.uses
            results = [
                ToolUseResult(one.id, "add", "THREE"),
                ToolUseResult(two.id, "noop", "BROKEN", is_error=True),
            ]
            last = await conversation.reply(results)
            assert (last.text, last.uses) == ("3", ())
            assert last.cost == found.price(150, 3)
    assert [len(server.requests), server.requests[1].raw.count(b"THREE")] == [2, 1]
    assert (
        SEAL.encode() in server.requests[1].raw or model == CHAT
    )  # that interface has no place for thoughts


async def test_what_anthropic_gets_is_its_own_format_with_the_schemas_as_written() -> None:
    with provider_server([Says(calls=[Calls("add", {"a": 1}, "id1")]), Says("done")]) as server:
        async with opened(server, ANTHROPIC, temperature=0.5, max_tokens=77) as found:
            conversation = found.conversation(OPENING)
            await conversation.reply([])
            await conversation.reply([ToolUseResult("id1", "add", "no such number", is_error=True)])
    first, second = (request.body for request in server.requests)
    assert [block["text"] for block in first["system"]] == ["Be brief."]
    assert first["tools"][0] == {"name": "add", "description": "Adds.", "input_schema": SCHEMA}
    assert first["tools"][1]["input_schema"] == {"type": "object", "properties": {}}
    assert (first["max_tokens"], first["stream"]) == (77, False)
    result = second["messages"][-1]["content"][0]
    assert (result["tool_use_id"], result["is_error"]) == ("id1", True)
    assert KEY in "".join(server.requests[0].headers.values())


@pytest.mark.parametrize(("model", "limit"), [(CHAT, "max_completion_tokens"), (OTHER, "max_tokens")])
async def test_what_an_openai_compatible_service_gets_is_chat_completions(model: str, limit: str) -> None:
    with provider_server([Says(calls=[Calls("add", {"a": 1}, "id1")]), Says("done")]) as server:
        async with opened(server, model, seed=5, max_tokens=77) as found:
            conversation = found.conversation(OPENING)
            await conversation.reply([])
            await conversation.reply([ToolUseResult("id1", "add", "no such number", is_error=True)])
    first, second = (request.body for request in server.requests)
    assert server.requests[0].path == "/v1/chat/completions"
    assert first["messages"][0] == {"role": "system", "content": "Be brief."}
    assert first["tools"][0]["function"]["parameters"] == SCHEMA
    assert (first[limit], first["seed"]) == (77, 5)
    assert (second["messages"][-1]["role"], second["messages"][-1]["tool_call_id"]) == ("tool", "id1")
    assert second["messages"][-1]["content"] == '{"error":"no such number"}'


async def test_openai_moved_elsewhere_is_asked_in_the_format_that_all_understand() -> None:
    with provider_server([Says("hi")]) as server:
        environ = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": KEY}
        found: Model = open_provider(read_model_name("gpt-5"), ProviderSettings(), environ)
        await found.conversation(OPENING).reply([])
        await found.close()
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("model", [OLLAMA, OTHER])
async def test_own_models_are_free_unless_they_have_a_price(model: str) -> None:
    with provider_server([Says("hi"), Says("hi", input=1_000_000, output=0)]) as server:
        assert (await asked_once(server, model)).cost is None
        assert (await asked_once(server, model, price=TokenPrice(2.0, 8.0))).cost == 2.0


@each_model
async def test_conversations_of_one_model_do_not_mix(model: str) -> None:
    def echo(asked: Asked) -> Answer:
        return Says("left" if b"LEFT" in asked.raw else "right")

    with provider_server([echo] * 10) as server:
        async with opened(server, model) as found, anyio.create_task_group() as tasks:
            said: dict[str, set[str]] = {"LEFT": set(), "RIGHT": set()}

            async def run(prompt: str) -> None:
                said[prompt].add((await found.conversation(Opening(prompt)).reply([])).text)

            for _ in range(5):
                tasks.start_soon(run, "LEFT")
                tasks.start_soon(run, "RIGHT")
    assert said == {"LEFT": {"left"}, "RIGHT": {"right"}}


async def test_an_answer_without_numbers_has_no_usage_and_no_cost() -> None:
    with provider_server([Says("hi", usage=False)]) as server:
        reply = await asked_once(server, CHAT)
    assert (reply.text, reply.usage, reply.cost) == ("hi", None, None)


# -- broken answers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [ANTHROPIC, CHAT, RESPONSES])
@pytest.mark.parametrize("arguments", ['{"a": 1,,}', "[1]", '"a"', '{"a": NaN}', "nonsense", "[" * 5000])
async def test_broken_arguments_are_a_problem_to_tell_the_model_and_no_crash(
    model: str, arguments: str
) -> None:
    with provider_server([Says(calls=[Calls("add", arguments, "id1")]), Says("sorry")]) as server:
        async with opened(server, model) as found:
            conversation = found.conversation(OPENING)
            (use,) = (await conversation.reply([])).uses
            assert (use.id, use.name, use.arguments) == ("id1", "add", {})
            assert "not a JSON object" in use.problem
            assert (
                await conversation.reply([ToolUseResult(use.id, use.name, use.problem, is_error=True)])
            ).text == "sorry"


@pytest.mark.parametrize("nothing", ["", " ", "null", "{}"])
async def test_a_call_with_nothing_has_no_arguments_and_stays_one(nothing: str) -> None:
    with provider_server([Says(calls=[Calls("noop", nothing, "id1")]), Says("fine")]) as server:
        async with opened(server, CHAT) as found:
            conversation = found.conversation(OPENING)
            (use,) = (await conversation.reply([])).uses
            assert (use.arguments, use.problem) == ({}, "")
            await conversation.reply([ToolUseResult("id1", "noop", "done")])
    (call,) = server.requests[1].body["messages"][2]["tool_calls"]
    assert call["function"] == {"name": "noop", "arguments": "{}"}


async def test_arguments_that_were_cut_off_say_so() -> None:
    with provider_server([Says(calls=[Calls("add", '{"a": ')], cut=True)]) as server:
        (use,) = (await asked_once(server, CHAT)).uses
    assert "cut off" in use.problem


@each_model
@pytest.mark.parametrize(
    "body", [b"{oops", b"", b"{}", b"null", b"[1]", b"\xff\xfe", b"<html>sign in</html>"]
)
async def test_an_answer_that_is_none_is_one_clean_fault(model: str, body: bytes) -> None:
    with provider_server([Sends(body)]) as server:
        line = await fault_of(server, model)
    assert "check the base_url and the model" in line
    assert len(server.requests) == 1


@each_model
async def test_a_model_that_could_say_nothing_has_made_no_choice(model: str) -> None:
    with provider_server([Says(cut=True)]) as server:
        assert "used all of its max_tokens" in await fault_of(server, model)


@each_model
async def test_a_redirect_is_not_followed_with_the_key(model: str) -> None:
    with provider_server([Says("stolen")]) as elsewhere:
        moved = Fails(307, "go", {"location": elsewhere.url + "/v1/messages"})
        with provider_server([moved]) as server:
            await fault_of(server, model)
        assert elsewhere.requests == []
