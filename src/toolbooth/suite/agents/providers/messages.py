"""Our menu and results → a provider's messages; a provider's answer → our reply."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from toolbooth.errors import ProviderFault
from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.talk import Opening, ToolResult, ToolUse
from toolbooth.suite.trace import Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition
    from pydantic_ai.usage import RequestUsage

# Why a model said nothing at all; scored as it stands, it would look like a choice.
_SAID_NOTHING: Final[dict[str | None, str]] = {
    None: "sent an empty answer; check the base_url and the model",
    "length": "used up its max_tokens before it said anything; give it more",
    "content_filter": "was stopped by its provider's content filter",
    "error": "ended with an error of its provider",
}


def offered(menu: Iterable[Mapping[str, Any]]) -> "ModelRequestParameters":
    """The menu as function tools, their schemas as the servers wrote them."""
    from pydantic_ai.models import ModelRequestParameters

    return ModelRequestParameters(function_tools=[_definition(tool) for tool in menu])


def _definition(tool: Mapping[str, Any]) -> "ToolDefinition":
    from pydantic_ai.tools import ToolDefinition

    # OpenAI refuses an object without `properties`. Strict schemas would be others than the server's: all of their
    # parameters required.
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
    """The prompt, under the system prompt."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    return ModelRequest(parts=[UserPromptPart(opening.prompt)], instructions=opening.system_prompt or None)


def results_message(opening: Opening, results: Sequence[ToolResult]) -> "ModelRequest":
    """What came of the last turn's calls; an error is marked as such in the provider's own way."""
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
    """The calls that the model wants, in its order."""
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
    """An object, or None; nothing at all and `null` are how some models call without arguments."""
    if not isinstance(part.args, str):
        return part.args or {}
    try:
        found = orjson.loads(part.args) if part.args.strip() else {}
    except orjson.JSONDecodeError:
        return None
    return {} if found is None else found if isinstance(found, dict) else None


def remembered(response: "ModelResponse") -> "ModelResponse":
    """The answer as it goes back with the next turn: broken arguments as text, since no provider takes them as JSON."""
    from pydantic_ai.messages import ToolCallPart

    def sound(part: Any) -> Any:
        if not isinstance(part, ToolCallPart) or not isinstance(part.args, str):
            return part
        arguments = _arguments(part)
        return replace(part, args={"INVALID_JSON": part.args} if arguments is None else dict(arguments))

    return replace(response, parts=[sound(part) for part in response.parts])


def text_of(response: "ModelResponse", name: ModelName) -> str:
    """What the model says beside its calls, without its thoughts. Raises ProviderFault where it could say nothing."""
    text = response.text or ""
    reason = _SAID_NOTHING.get(response.finish_reason)
    if reason and not text and not response.tool_calls:
        raise ProviderFault(f"{name} {reason}")
    return text


def usage_of(usage: "RequestUsage") -> Usage | None:
    """Tokens as the provider told them, those read from and written to its cache among the input's; None for none."""
    if not usage.input_tokens and not usage.output_tokens:
        return None
    return Usage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
