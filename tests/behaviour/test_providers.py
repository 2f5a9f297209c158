"""Real provider packages over HTTP on loopback: turns, usage, dollars, retries, faults."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from tests.provider_server import (
    Answer,
    Asked,
    Calls,
    Fails,
    Hangs,
    ProviderServer,
    Resets,
    Says,
    Sends,
    provider_server,
)
from tests.provider_wire import SEAL
from toolbooth.errors import NoKey, ProviderFault
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.provider import Price, ProviderModel, ProviderSettings, open_provider
from toolbooth.suite.agents.talk import Model, Opening, Reply, ToolResult

KEY = "sk-CANARY-0123456789"
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Add",
    "type": "object",
    "properties": {"a": {"type": "integer", "title": "A"}},
    "required": ["a"],
}
MENU: tuple[Mapping[str, Any], ...] = (
    {"name": "add", "description": "Adds.", "inputSchema": SCHEMA},
    {"name": "noop", "inputSchema": {"type": "object"}},
)
OPENING = Opening("What is 1 + 2?", "Be brief.", MENU)
ANTHROPIC, CHAT, RESPONSES = "anthropic:claude-opus-5", "openai-chat:gpt-5", "openai-responses:gpt-5"
GOOGLE, OLLAMA, OTHER = "google:gemini-2.5-pro", "ollama:llama3.2", "openai-compatible:qwen/qwen3"
WIRES = [ANTHROPIC, CHAT, RESPONSES, GOOGLE]
wires = pytest.mark.parametrize("model", WIRES)
pytestmark = pytest.mark.anyio


def address(server: ProviderServer, model: str) -> str:
    return server.url if model in (ANTHROPIC, GOOGLE) else server.openai_url


@asynccontextmanager
async def opened(
    server: ProviderServer, model: str, pauses: list[float] | None = None, **settings: Any
) -> AsyncIterator[ProviderModel]:
    async def nap(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)

    chosen = ProviderSettings(base_url=address(server, model), api_key_env="MY_KEY", **settings)
    found = open_provider(read_model_name(model), chosen, {"MY_KEY": KEY}, nap)
    try:
        yield found
    finally:
        await found.close()


async def asked_once(server: ProviderServer, model: str, **settings: Any) -> Reply:
    async with opened(server, model, **settings) as found:
        return await found.talk(OPENING).reply([])


async def fault_of(server: ProviderServer, model: str, **settings: Any) -> str:
    with pytest.raises(ProviderFault) as caught:
        await asked_once(server, model, **settings)
    line = str(caught.value)
    assert line.startswith(model)
    assert KEY not in line
    assert "\n" not in line
    return line


# -- turns --------------------------------------------------------------------------------------------------


@pytest.mark.promise("providers:turns")
@wires
async def test_a_talk_goes_from_the_prompt_over_parallel_calls_to_the_answer(model: str) -> None:
    first = Says(
        "Let me see.", [Calls("add", {"a": 1}), Calls("noop", {})], input=120, cached=20, thought="Hm."
    )
    with provider_server([first, Says("3", input=150, output=3)]) as server:
        async with opened(server, model) as found:
            talk = found.talk(OPENING)
            reply = await talk.reply([])
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
                ToolResult(one.id, "add", "THREE"),
                ToolResult(two.id, "noop", "BROKEN", is_error=True),
            ]
            last = await talk.reply(results)
            assert (last.text, last.uses) == ("3", ())
            assert last.cost == found.price(150, 3)
    assert [len(server.requests), server.requests[1].raw.count(b"THREE")] == [2, 1]
    assert (
        SEAL.encode() in server.requests[1].raw or model == CHAT
    )  # that interface has no place for thoughts


async def test_what_anthropic_gets_is_its_own_format_with_the_schemas_as_written() -> None:
    with provider_server([Says(calls=[Calls("add", {"a": 1}, "id1")]), Says("done")]) as server:
        async with opened(server, ANTHROPIC, temperature=0.5, max_tokens=77) as found:
            talk = found.talk(OPENING)
            await talk.reply([])
            await talk.reply([ToolResult("id1", "add", "no such number", is_error=True)])
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
            talk = found.talk(OPENING)
            await talk.reply([])
            await talk.reply([ToolResult("id1", "add", "no such number", is_error=True)])
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
        await found.talk(OPENING).reply([])
        await found.close()
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("model", [OLLAMA, OTHER])
async def test_own_models_are_free_unless_they_have_a_price(model: str) -> None:
    with provider_server([Says("hi"), Says("hi", input=1_000_000, output=0)]) as server:
        assert (await asked_once(server, model)).cost is None
        assert (await asked_once(server, model, price=Price(2.0, 8.0))).cost == 2.0


@wires
async def test_talks_of_one_model_do_not_mix(model: str) -> None:
    def echo(asked: Asked) -> Answer:
        return Says("left" if b"LEFT" in asked.raw else "right")

    with provider_server([echo] * 10) as server:
        async with opened(server, model) as found, anyio.create_task_group() as tasks:
            said: dict[str, set[str]] = {"LEFT": set(), "RIGHT": set()}

            async def run(prompt: str) -> None:
                said[prompt].add((await found.talk(Opening(prompt)).reply([])).text)

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
            talk = found.talk(OPENING)
            (use,) = (await talk.reply([])).uses
            assert (use.id, use.name, use.arguments) == ("id1", "add", {})
            assert "not a JSON object" in use.problem
            assert (
                await talk.reply([ToolResult(use.id, use.name, use.problem, is_error=True)])
            ).text == "sorry"


@pytest.mark.parametrize("nothing", ["", " ", "null", "{}"])
async def test_a_call_with_nothing_has_no_arguments_and_stays_one(nothing: str) -> None:
    with provider_server([Says(calls=[Calls("noop", nothing, "id1")]), Says("fine")]) as server:
        async with opened(server, CHAT) as found:
            talk = found.talk(OPENING)
            (use,) = (await talk.reply([])).uses
            assert (use.arguments, use.problem) == ({}, "")
            await talk.reply([ToolResult("id1", "noop", "done")])
    (call,) = server.requests[1].body["messages"][2]["tool_calls"]
    assert call["function"] == {"name": "noop", "arguments": "{}"}


async def test_arguments_that_were_cut_off_say_so() -> None:
    with provider_server([Says(calls=[Calls("add", '{"a": ')], cut=True)]) as server:
        (use,) = (await asked_once(server, CHAT)).uses
    assert "cut off" in use.problem


@wires
@pytest.mark.parametrize(
    "body", [b"{oops", b"", b"{}", b"null", b"[1]", b"\xff\xfe", b"<html>sign in</html>"]
)
async def test_an_answer_that_is_none_is_one_clean_fault(model: str, body: bytes) -> None:
    with provider_server([Sends(body)]) as server:
        line = await fault_of(server, model)
    assert "check the base_url and the model" in line
    assert len(server.requests) == 1


@wires
async def test_a_model_that_could_say_nothing_has_made_no_choice(model: str) -> None:
    with provider_server([Says(cut=True)]) as server:
        assert "used up its max_tokens" in await fault_of(server, model)


@wires
async def test_a_redirect_is_not_followed_with_the_key(model: str) -> None:
    with provider_server([Says("stolen")]) as elsewhere:
        moved = Fails(307, "go", {"location": elsewhere.url + "/v1/messages"})
        with provider_server([moved]) as server:
            await fault_of(server, model)
        assert elsewhere.requests == []


# -- retries --------------------------------------------------------------------------------------------------


@pytest.mark.promise("providers:retries")
@wires
@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
async def test_a_provider_is_given_the_time_that_it_asks_for(
    model: str, headers: dict[str, str], pause: float
) -> None:
    pauses: list[float] = []
    with provider_server([Fails(429, "slow down", headers), Says("ok")]) as server:
        assert (await asked_once(server, model, pauses=pauses)).text == "ok"
    assert pauses == [pause]
    assert server.requests[0].body == server.requests[1].body


@pytest.mark.parametrize(
    ("model", "trouble"),
    [
        *((model, trouble) for model in WIRES for trouble in (Fails(529, code="overloaded_error"), Resets())),
        *((CHAT, Fails(status)) for status in (408, 409, 500, 502, 503, 504)),
    ],
)
async def test_what_may_pass_is_tried_again_and_comes_through(model: str, trouble: Answer) -> None:
    pauses: list[float] = []
    with provider_server([trouble, trouble, Says("ok")]) as server:
        assert (await asked_once(server, model, pauses=pauses)).text == "ok"
    assert len(server.requests) == 3
    assert 0 < pauses[0] < 1
    assert 0 < pauses[1] < 2


@wires
async def test_after_the_last_try_it_is_one_line(model: str) -> None:
    pauses: list[float] = []
    with provider_server([Fails(500, "our\n\x1b[31mdatabase is on fire")] * 9) as server:
        line = await fault_of(server, model, pauses=pauses, retries=2)
    assert "answered 500 (our database is on fire) after 3 tries; try later, or replay" in line
    assert (len(server.requests), len(pauses)) == (3, 2)


async def test_pauses_are_the_same_for_the_same_seed() -> None:
    both: list[list[float]] = [[], []]
    for pauses in both:
        with provider_server([Fails(503)] * 4) as server:
            await fault_of(server, CHAT, pauses=pauses, seed=11)
    assert both[0] == both[1]
    assert len(set(both[0])) == 3


@wires
async def test_a_wait_beyond_all_patience_is_said_at_once(model: str) -> None:
    with provider_server([Fails(429, "slow", {"retry-after": "3600"})]) as server:
        assert "asks to wait 3600 s" in await fault_of(server, model)


@pytest.mark.parametrize("model", [ANTHROPIC, CHAT])
async def test_a_provider_that_says_do_not_retry_is_believed(model: str) -> None:
    with provider_server([Fails(500, headers={"x-should-retry": "false"})]) as server:
        await fault_of(server, model)
    assert len(server.requests) == 1


async def test_an_empty_account_is_not_asked_again() -> None:
    with provider_server([Fails(429, "pay first", code="insufficient_quota")]) as server:
        assert "no credit left" in await fault_of(server, CHAT)


@wires
async def test_an_answer_that_never_comes_is_given_up(model: str) -> None:
    with provider_server([Hangs(), Hangs()]) as server:
        line = await fault_of(server, model, timeout=0.2, retries=1)
    assert "did not answer within 0.2 s after 2 tries; give it a longer timeout" in line


@wires
async def test_a_provider_that_is_not_there_is_named_with_its_address(model: str) -> None:
    with provider_server() as server:
        pass
    assert f"cannot be reached at {address(server, model)} after 2 tries" in await fault_of(
        server, model, retries=1
    )


@wires
async def test_a_cancelled_talk_ends_at_once_and_leaves_the_others_alone(model: str) -> None:
    with provider_server([Hangs(), Says("ok")]) as server:
        async with opened(server, model) as found:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(found.talk(OPENING).reply, [])
                await anyio.to_thread.run_sync(server.arrived.acquire)
                tasks.cancel_scope.cancel()
            assert (await found.talk(OPENING).reply([])).text == "ok"
    assert len(server.requests) == 2


async def test_a_failed_turn_can_be_asked_again() -> None:
    with provider_server([Fails(400, "no"), Says("ok")]) as server:
        async with opened(server, CHAT) as found:
            talk = found.talk(OPENING)
            with pytest.raises(ProviderFault):
                await talk.reply([])
            assert (await talk.reply([])).text == "ok"
    assert server.requests[0].body == server.requests[1].body


# -- keys and refusals ----------------------------------------------------------------------------------------


@pytest.mark.promise("providers:faults")
@wires
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_named_by_its_variable_and_never_shown(model: str, status: int) -> None:
    with provider_server([Fails(status, f"bad key {KEY}")]) as server:
        line = await fault_of(server, model)
    assert f"answered {status} (bad key [key]); the key in MY_KEY was refused" in line


async def test_googles_way_to_refuse_a_key_is_understood() -> None:
    with provider_server([Fails(400, "API key not valid. Please pass a valid API key.")]) as server:
        assert "the key in MY_KEY was refused" in await fault_of(server, GOOGLE)


async def test_a_service_that_wants_a_key_after_all_says_how_to_give_one() -> None:
    with provider_server([Fails(401, "who are you?")]) as server:
        found = open_provider(read_model_name(OTHER), ProviderSettings(base_url=server.openai_url), {})
        with pytest.raises(ProviderFault, match="name its variable as api_key_env"):
            await found.talk(OPENING).reply([])
        await found.close()


@pytest.mark.promise("providers:keys")
@pytest.mark.parametrize("model", ["claude-opus-5", "gpt-5", "gemini-2.5-pro"])
async def test_without_a_key_nothing_is_opened(model: str) -> None:
    with pytest.raises(NoKey, match="or replay recordings"):
        open_provider(read_model_name(model), ProviderSettings(), {})


@pytest.mark.parametrize(
    ("model", "package"), [(ANTHROPIC, "anthropic"), (GOOGLE, "google"), (OLLAMA, "openai")]
)
async def test_a_missing_package_says_what_to_install(
    model: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (
        "anthropic",
        "openai",
        "google.genai",
        "pydantic_ai.models.google",
        "pydantic_ai.models.ollama",
    ):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ProviderFault, match=rf"pip install 'toolbooth\[{package}\]'"):
        open_provider(read_model_name(model), ProviderSettings(api_key_env="K"), {"K": "x"})


def test_a_models_name_is_read_without_the_providers_packages() -> None:
    code = (
        "import sys, toolbooth.suite.agents.provider, toolbooth.suite.agents.model_name as names; "
        "names.read_model_name('claude-x'); "
        "print([m for m in ('pydantic_ai', 'anthropic', 'openai', 'httpx2', 'genai_prices') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ})
    assert done.stdout.strip() == "[]", done.stderr
