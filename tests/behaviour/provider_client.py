"""Asking the loopback provider through the real packages: what the tests of providers share."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.provider_server import ProviderServer
from toolbooth.errors import ProviderFault
from toolbooth.suite.agents.conversation import Opening, Reply
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.model import ProviderModel, ProviderSettings, open_provider

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
MODELS = [ANTHROPIC, CHAT, RESPONSES, GOOGLE]
each_model = pytest.mark.parametrize("model", MODELS)


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
        return await found.conversation(OPENING).reply([])


async def fault_of(server: ProviderServer, model: str, **settings: Any) -> str:
    with pytest.raises(ProviderFault) as caught:
        await asked_once(server, model, **settings)
    line = str(caught.value)
    assert line.startswith(model)
    assert KEY not in line
    assert "\n" not in line
    return line
