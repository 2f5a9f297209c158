"""A model's name, settings and the environment → a model at a real provider that can be talked to."""

import warnings
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

import anyio

from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.providers.access import find_access
from toolbooth.suite.agents.providers.clients import http_client, open_adapter
from toolbooth.suite.agents.providers.faults import Judge
from toolbooth.suite.agents.providers.messages import (
    first_message,
    offered,
    remembered,
    results_message,
    text_of,
    usage_of,
    uses_of,
)
from toolbooth.suite.agents.providers.prices import Prices
from toolbooth.suite.agents.providers.retrying import Patience, Sleep
from toolbooth.suite.agents.providers.settings import Price, ProviderSettings
from toolbooth.suite.agents.talk import Opening, Reply, ToolResult

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model as Adapter
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

_PACKAGES: Final = r"(pydantic_ai|anthropic|openai|google\.genai)(\.|$)"

__all__ = ["Price", "ProviderModel", "ProviderSettings", "ProviderTalk", "open_provider"]


def open_provider(
    name: ModelName, settings: ProviderSettings, environ: Mapping[str, str], sleep: Sleep = anyio.sleep
) -> "ProviderModel":
    """A model that is ready to be asked; nothing is sent yet.

    Raises NoKey without a key, ProviderFault without an address or the provider's package.
    """
    access = find_access(name, settings, environ)
    http = http_client(settings.timeout)
    adapter = open_adapter(name, access, http)
    patience = Patience(settings.retries, Random(settings.seed or 0), sleep)  # noqa: S311 (pauses are no secrets)
    return ProviderModel(adapter, http, settings, Judge(name, access, settings.timeout), patience)


class ProviderModel:
    """One model at one provider, over one pool of connections."""

    def __init__(
        self,
        adapter: "Adapter",
        http: "AsyncClient",
        settings: ProviderSettings,
        judge: Judge,
        patience: Patience,
    ) -> None:
        self._adapter, self._http, self._settings = adapter, http, settings
        self._judge, self._patience = judge, patience
        self._prices = Prices(judge.name, settings.price)

    @property
    def name(self) -> ModelName:
        """Whom it asks, for what."""
        return self._judge.name

    def talk(self, opening: Opening) -> "ProviderTalk":
        """One run's conversation; runs of one model may go on side by side."""
        return ProviderTalk(self, opening)

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens; None for a model without a price. Raises UnknownModel."""
        return self._prices.of_tokens(input_tokens, output_tokens)

    async def close(self) -> None:
        """Ends its connections."""
        await self._http.aclose()

    async def ask(
        self, messages: Sequence["ModelMessage"], parameters: "ModelRequestParameters"
    ) -> "ModelResponse":
        """One answer, however many tries it takes. Raises ProviderFault."""
        return await self._patience.keep_trying(lambda: self._once(messages, parameters), self._judge)

    def cost(self, response: "ModelResponse") -> float | None:
        """Dollars of one answer; None where it was free, or nobody knows."""
        return self._prices.of_usage(response.usage, response.model_name)

    async def _once(
        self, messages: Sequence["ModelMessage"], parameters: "ModelRequestParameters"
    ) -> "ModelResponse":
        from pydantic_ai.direct import model_request

        # They warn of settings that a model ignores and of models that will end: under pytest's `error` a run would
        # fail by that. Said anew each time, since pytest forgets filters between tests.
        warnings.filterwarnings("ignore", module=_PACKAGES)
        with anyio.fail_after(self._settings.timeout):
            return await model_request(
                self._adapter,
                messages,
                model_settings=_model_settings(self._settings),
                model_request_parameters=parameters,
                instrument=False,
            )


class ProviderTalk:
    """Keeps the provider's own messages, so that thoughts and their signatures travel back as they came."""

    def __init__(self, model: ProviderModel, opening: Opening) -> None:
        self._model, self._opening = model, opening
        self._messages: list[ModelMessage] = []
        self._parameters = offered(opening.menu)

    async def reply(self, results: Sequence[ToolResult]) -> Reply:
        """The next turn; a failed one leaves the conversation as it was. Raises ProviderFault."""
        message = results_message(self._opening, results) if self._messages else first_message(self._opening)
        response = await self._model.ask([*self._messages, message], self._parameters)
        usage = usage_of(response.usage)
        reply = Reply(
            text=text_of(response, self._model.name),
            uses=uses_of(response),
            usage=usage,
            cost=self._model.cost(response) if usage else None,
        )
        self._messages += [message, remembered(response)]
        return reply


def _model_settings(settings: ProviderSettings) -> "ModelSettings":
    from pydantic_ai.settings import ModelSettings

    chosen = ModelSettings(max_tokens=settings.max_tokens, timeout=settings.timeout)
    if settings.temperature is not None:
        chosen["temperature"] = settings.temperature
    if settings.seed is not None:
        chosen["seed"] = settings.seed
    return chosen
