"""What providers do wrong, over HTTP on loopback: retries, refusals, silence, missing keys and packages."""

import os
import subprocess
import sys

import anyio
import pytest

from tests.behaviour.provider_client import (
    ANTHROPIC,
    CHAT,
    GOOGLE,
    KEY,
    MODELS,
    OLLAMA,
    OPENING,
    OTHER,
    address,
    asked_once,
    each_model,
    fault_of,
    opened,
)
from tests.provider_server import Answer, Fails, Hangs, Resets, Says, provider_server
from toolbooth.errors import NoKey, ProviderFault
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.model import ProviderSettings, open_provider

pytestmark = pytest.mark.anyio


# -- retries --------------------------------------------------------------------------------------------------


@pytest.mark.promise("providers:retries")
@each_model
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
    ("model", "fault"),
    [
        *((model, fault) for model in MODELS for fault in (Fails(529, code="overloaded_error"), Resets())),
        *((CHAT, Fails(status)) for status in (408, 409, 500, 502, 503, 504)),
    ],
)
async def test_what_may_pass_is_tried_again_and_comes_through(model: str, fault: Answer) -> None:
    pauses: list[float] = []
    with provider_server([fault, fault, Says("ok")]) as server:
        assert (await asked_once(server, model, pauses=pauses)).text == "ok"
    assert len(server.requests) == 3
    assert 0 < pauses[0] < 1
    assert 0 < pauses[1] < 2


@each_model
async def test_after_the_last_try_it_is_one_line(model: str) -> None:
    pauses: list[float] = []
    with provider_server([Fails(500, "our\n\x1b[31mdatabase is on fire")] * 9) as server:
        line = await fault_of(server, model, pauses=pauses, retries=2)
    assert "answered 500 (our database is on fire) after 3 tries; try again later, or replay" in line
    assert (len(server.requests), len(pauses)) == (3, 2)


async def test_pauses_are_the_same_for_the_same_seed() -> None:
    both: list[list[float]] = [[], []]
    for pauses in both:
        with provider_server([Fails(503)] * 4) as server:
            await fault_of(server, CHAT, pauses=pauses, seed=11)
    assert both[0] == both[1]
    assert len(set(both[0])) == 3


@each_model
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


@each_model
async def test_an_answer_that_never_comes_is_given_up(model: str) -> None:
    with provider_server([Hangs(), Hangs()]) as server:
        line = await fault_of(server, model, timeout=0.2, retries=1)
    assert "did not answer within 0.2 s after 2 tries; give it a longer timeout" in line


@each_model
async def test_a_provider_that_is_not_there_is_named_with_its_address(model: str) -> None:
    with provider_server() as server:
        pass
    assert f"cannot be reached at {address(server, model)} after 2 tries" in await fault_of(
        server, model, retries=1
    )


@each_model
async def test_a_cancelled_conversation_ends_at_once_and_leaves_the_others_alone(model: str) -> None:
    with provider_server([Hangs(), Says("ok")]) as server:
        async with opened(server, model) as found:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(found.conversation(OPENING).reply, [])
                await anyio.to_thread.run_sync(server.arrived.acquire)
                tasks.cancel_scope.cancel()
            assert (await found.conversation(OPENING).reply([])).text == "ok"
    assert len(server.requests) == 2


async def test_a_failed_turn_can_be_asked_again() -> None:
    with provider_server([Fails(400, "no"), Says("ok")]) as server:
        async with opened(server, CHAT) as found:
            conversation = found.conversation(OPENING)
            with pytest.raises(ProviderFault):
                await conversation.reply([])
            assert (await conversation.reply([])).text == "ok"
    assert server.requests[0].body == server.requests[1].body


# -- keys and refusals ----------------------------------------------------------------------------------------


@pytest.mark.promise("providers:faults")
@each_model
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
        with pytest.raises(ProviderFault, match="name its variable as `api_key_env`"):
            await found.conversation(OPENING).reply([])
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
        "import sys, toolbooth.suite.agents.providers.model, toolbooth.suite.agents.model_name as names; "
        "names.read_model_name('claude-x'); "
        "print([m for m in ('pydantic_ai', 'anthropic', 'openai', 'httpx2', 'genai_prices') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ})
    assert done.stdout.strip() == "[]", done.stderr
