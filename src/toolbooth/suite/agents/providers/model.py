"""A model of a real provider: menus and results become its messages, and its answers become replies."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

import anyio
import orjson

from toolbooth import errors
from toolbooth.suite.agents import costs, model_name
from toolbooth.suite.agents.conversation import Opening, Reply, ToolUse, ToolUseResult
from toolbooth.suite.agents.providers import clients, faults
from toolbooth.suite.spec.suite import ProviderSettings, TokenPrice
from toolbooth.suite.trace import Usage

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart
    from pydantic_ai.models import Model as Adapter, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.tools import ToolDefinition
    from pydantic_ai.usage import RequestUsage
__all__ = ["ProviderConversation", "ProviderModel", "ProviderSettings", "TokenPrice", "open_provider"]


# Why a model answered nothing. An empty answer is an error: scored, it would look like a choice.
_SAID_NOTHING: Final[dict[str | None, str]] = {
    None: "sent an empty answer; check the base_url and the model",
    "length": "used all of its max_tokens before it answered; raise max_tokens",
    "content_filter": "was stopped by its provider's content filter",
    "error": "ended with an error at its provider",
}


def offered(menu: Iterable[Mapping[str, Any]]) -> "ModelRequestParameters":
    """The menu as function tools, with the schemas as the servers wrote them."""
    from pydantic_ai.models import ModelRequestParameters

    return ModelRequestParameters(function_tools=[_definition(tool) for tool in menu])


def _definition(tool: Mapping[str, Any]) -> "ToolDefinition":
    from pydantic_ai.tools import ToolDefinition

    # OpenAI refuses an object without `properties`. Strict mode would change the server's schemas: it makes every
    # parameter required.
    schema = dict(tool.get("inputSchema") or {})
    schema.setdefault("type", "object")
    schema.setdefault("properties", {})
    return ToolDefinition(
        name=str(tool["name"]),
        description=tool.get("description") or None,
        parameters_json_schema=schema,
        strict=False,
    )


def first_message(opening: Opening) -> "ModelRequest":
    """The prompt, with the system prompt."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    return ModelRequest(parts=[UserPromptPart(opening.prompt)], instructions=opening.system_prompt or None)


def results_message(opening: Opening, results: Sequence[ToolUseResult]) -> "ModelRequest":
    """The results of the last turn's calls; errors are marked in the provider's own way."""
    from pydantic_ai.messages import ModelRequest, ToolReturnPart

    parts = [
        ToolReturnPart(
            result.name,
            result.text,
            tool_call_id=result.id,
            outcome="failed" if result.is_error else "success",
        )
        for result in results
    ]
    return ModelRequest(parts=parts, instructions=opening.system_prompt or None)


def uses_of(response: "ModelResponse") -> tuple[ToolUse, ...]:
    """The calls that the model asks for, in its order."""
    cut = response.finish_reason == "length"
    return tuple(_use(part, cut) for part in response.tool_calls)


def _use(part: "ToolCallPart", cut: bool) -> ToolUse:
    arguments = _arguments(part)
    if arguments is not None:
        return ToolUse(part.tool_call_id, part.tool_name, arguments)
    why = "were cut off: the answer was too long" if cut else "are not a JSON object"
    problem = f"Not called: the arguments {why}. Send them as one JSON object."
    return ToolUse(part.tool_call_id, part.tool_name, {}, problem)


def _arguments(part: "ToolCallPart") -> Mapping[str, Any] | None:
    """An object, or None if it is broken. Some models write nothing or `null` for a call without arguments."""
    if not isinstance(part.args, str):
        return part.args or {}
    try:
        found = orjson.loads(part.args) if part.args.strip() else {}
    except orjson.JSONDecodeError:
        return None
    return {} if found is None else found if isinstance(found, dict) else None


def remembered(response: "ModelResponse") -> "ModelResponse":
    """The answer as the next turn repeats it: broken arguments become text, because providers reject them as JSON."""
    from pydantic_ai.messages import ToolCallPart

    def sound(part: Any) -> Any:
        if not isinstance(part, ToolCallPart) or not isinstance(part.args, str):
            return part
        arguments = _arguments(part)
        return replace(part, args={"INVALID_JSON": part.args} if arguments is None else dict(arguments))

    return replace(response, parts=[sound(part) for part in response.parts])


def text_of(response: "ModelResponse", name: model_name.ModelName) -> str:
    """The text beside the calls, without reasoning. Raises ProviderFault if the answer is empty for a known reason."""
    text = response.text or ""
    reason = _SAID_NOTHING.get(response.finish_reason)
    if reason and not text and not response.tool_calls:
        raise errors.ProviderFault(f"{name} {reason}")
    return text


def usage_of(usage: "RequestUsage") -> Usage | None:
    """The tokens that the provider reports, None if it reports none. Cached tokens are part of the input."""
    if not usage.input_tokens and not usage.output_tokens:
        return None
    return Usage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)


_PACKAGES: Final = r"(pydantic_ai|anthropic|openai|google\.genai)(\.|$)"


def open_provider(
    name: model_name.ModelName,
    settings: ProviderSettings,
    environ: Mapping[str, str],
    sleep: faults.Sleep = anyio.sleep,
) -> "ProviderModel":
    """A model that is ready to use; nothing is sent yet.

    Raises NoKey without a key, and ProviderFault without a URL or the provider's package.
    """
    access = clients.find_access(name, settings, environ)
    http = clients.http_client(settings.timeout)
    adapter = clients.open_adapter(name, access, http)
    retry_policy = faults.RetryPolicy(settings.retries, Random(settings.seed or 0), sleep)  # noqa: S311 (pauses are no secrets)
    return ProviderModel(
        adapter, http, settings, faults.FaultReader(name, access, settings.timeout), retry_policy
    )


class ProviderModel:
    """One model at one provider, over one pool of connections."""

    def __init__(
        self,
        adapter: "Adapter",
        http: "AsyncClient",
        settings: ProviderSettings,
        fault_reader: faults.FaultReader,
        retry_policy: faults.RetryPolicy,
    ) -> None:
        self._adapter, self._http, self._settings = adapter, http, settings
        self._fault_reader, self._retry_policy = fault_reader, retry_policy
        self._prices = costs.Prices(fault_reader.name, settings.price)

    @property
    def name(self) -> model_name.ModelName:
        """Provider and model."""
        return self._fault_reader.name

    def conversation(self, opening: Opening) -> "ProviderConversation":
        """The conversation of one run; several runs may use the model at once."""
        return ProviderConversation(self, opening)

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for this many tokens; None for a model without a price. Raises UnknownModel."""
        return self._prices.of_tokens(input_tokens, output_tokens)

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def ask(
        self, messages: Sequence["ModelMessage"], parameters: "ModelRequestParameters"
    ) -> "ModelResponse":
        """One answer, however many tries it takes. Raises ProviderFault."""
        return await self._retry_policy.retry(lambda: self._once(messages, parameters), self._fault_reader)

    def cost(self, response: "ModelResponse") -> float | None:
        """Dollars for one answer; None if it was free or its price is unknown."""
        return self._prices.of_usage(response.usage, response.model_name)

    async def _once(
        self, messages: Sequence["ModelMessage"], parameters: "ModelRequestParameters"
    ) -> "ModelResponse":
        from pydantic_ai.direct import model_request

        # The packages warn of ignored settings and retired models; under pytest's `error` filter such a warning would
        # fail the run. The filter is set for each request, because pytest resets filters between tests.
        warnings.filterwarnings("ignore", module=_PACKAGES)
        with anyio.fail_after(self._settings.timeout):
            return await model_request(
                self._adapter,
                messages,
                model_settings=_model_settings(self._settings),
                model_request_parameters=parameters,
                instrument=False,
            )


class ProviderConversation:
    """Keeps the provider's own messages, so that reasoning and its signatures are sent back unchanged."""

    def __init__(self, model: ProviderModel, opening: Opening) -> None:
        self._model, self._opening = model, opening
        self._messages: list[ModelMessage] = []
        self._parameters = offered(opening.menu)

    async def reply(self, results: Sequence[ToolUseResult]) -> Reply:
        """The next turn; a failed turn does not change the conversation. Raises ProviderFault."""
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
