"""One answer of a script → the bodies that Anthropic, OpenAI and Google write for it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Calls(NamedTuple):
    """A tool that the model wants called; `arguments` as text are sent as they stand, broken or not."""

    name: str
    arguments: Mapping[str, Any] | str
    id: str = ""


@dataclass(frozen=True)
class Says:
    """What a model answers. `cached` of the `input` tokens came from the provider's cache, `stored` went into it.

    `thought` is what it thought first, sealed with a signature that it wants back.
    """

    text: str = ""
    calls: tuple[Calls, ...] | list[Calls] = ()
    input: int = 100
    output: int = 20
    cached: int = 0
    stored: int = 0
    thought: str = ""
    model: str = ""
    cut: bool = False
    usage: bool = True


@dataclass(frozen=True)
class Fails:
    """A refusal in the provider's own words."""

    status: int
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str = ""


SEAL = "c2VhbGVkIHRob3VnaHQ="  # what every signature of a thought is
Writer = Callable[[Any, Says, int], Any]
_WRITERS: dict[str, Writer] = {}


def _speaks(path_ends: str) -> Callable[[Writer], Writer]:
    def register(writer: Writer) -> Writer:
        _WRITERS[path_ends] = writer
        return writer

    return register


def written(path: str, asked: Any, answer: Says, number: int) -> Any:
    """The body of the answer, in the format of the path that was asked."""
    writer = next(writer for end, writer in _WRITERS.items() if path.split("?")[0].endswith(end))
    return writer(asked, answer, number)


def error_body(path: str, answer: Fails) -> Any:
    """An error's body, in the format of the path that was asked."""
    if path.split("?")[0].endswith("/messages"):
        return {"type": "error", "error": {"type": answer.code or "api_error", "message": answer.message}}
    if "generateContent" in path:
        return {
            "error": {"code": answer.status, "message": answer.message, "status": answer.code or "INTERNAL"}
        }
    return {
        "error": {"message": answer.message, "type": "api_error", "param": None, "code": answer.code or None}
    }


def _id(call: Calls, kind: str, number: int, at: int) -> str:
    return call.id or f"{kind}_{number}_{at}"


def _text(call: Calls) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _object(call: Calls) -> Any:
    return call.arguments if isinstance(call.arguments, str) else dict(call.arguments)


@_speaks("/v1/messages")
def _messages(asked: Any, answer: Says, number: int) -> Any:
    content: list[Any] = []
    if answer.thought:
        content.append({"type": "thinking", "thinking": answer.thought, "signature": SEAL})
    if answer.text:
        content.append({"type": "text", "text": answer.text})
    for at, call in enumerate(answer.calls):
        use = {"type": "tool_use", "id": _id(call, "toolu", number, at), "name": call.name}
        content.append({**use, "input": _object(call)})
    usage = {
        "input_tokens": answer.input - answer.cached - answer.stored,
        "cache_read_input_tokens": answer.cached,
        "cache_creation_input_tokens": answer.stored,
        "output_tokens": answer.output,
    }
    stop = "max_tokens" if answer.cut else "tool_use" if answer.calls else "end_turn"
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": answer.model or asked["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage if answer.usage else {"input_tokens": 0, "output_tokens": 0},
    }


@_speaks("/chat/completions")
def _chat(asked: Any, answer: Says, number: int) -> Any:
    calls = [
        {
            "id": _id(call, "call", number, at),
            "type": "function",
            "function": {"name": call.name, "arguments": _text(call)},
        }
        for at, call in enumerate(answer.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if calls:
        message["tool_calls"] = calls
    usage = {
        "prompt_tokens": answer.input,
        "completion_tokens": answer.output,
        "total_tokens": answer.input + answer.output,
        "prompt_tokens_details": {"cached_tokens": answer.cached},
    }
    stop = "length" if answer.cut else "tool_calls" if calls else "stop"
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": answer.model or asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": stop, "logprobs": None}],
        **({"usage": usage} if answer.usage else {}),
    }


@_speaks("/responses")
def _responses(asked: Any, answer: Says, number: int) -> Any:
    output: list[Any] = []
    if answer.thought:
        summary = [{"type": "summary_text", "text": answer.thought}]
        sealed = {"summary": summary, "encrypted_content": SEAL}
        output.append({"type": "reasoning", "id": f"rs_{number}", "status": "completed", **sealed})
    if answer.text:
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
        output.append({**item, "content": [part]})
    for at, call in enumerate(answer.calls):
        item = {"type": "function_call", "id": f"fc_{number}_{at}", "status": "completed", "name": call.name}
        output.append({**item, "call_id": _id(call, "call", number, at), "arguments": _text(call)})
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": answer.model or asked["model"],
        "status": "incomplete" if answer.cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if answer.cut else None,
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": _responses_usage(answer),
    }


def _responses_usage(answer: Says) -> Any:
    return {
        "input_tokens": answer.input,
        "input_tokens_details": {"cached_tokens": answer.cached},
        "output_tokens": answer.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.input + answer.output,
    }


@_speaks(":generateContent")
def _generate_content(asked: Any, answer: Says, number: int) -> Any:
    seal = {"thoughtSignature": SEAL} if answer.thought else {}
    parts: list[Any] = []
    if answer.thought:
        parts.append({"text": answer.thought, "thought": True})
    if answer.text:
        parts.append({"text": answer.text, **seal})
    for at, call in enumerate(answer.calls):
        wanted = {"name": call.name, "args": _object(call), "id": _id(call, "call", number, at)}
        parts.append({"functionCall": wanted, **(seal if at == 0 else {})})
    usage = {
        "promptTokenCount": answer.input,
        "candidatesTokenCount": answer.output,
        "totalTokenCount": answer.input + answer.output,
        "cachedContentTokenCount": answer.cached,
    }
    finish = "MAX_TOKENS" if answer.cut else "STOP"
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
    version = {"modelVersion": answer.model} if answer.model else {}
    return {
        "candidates": [candidate],
        **({"usageMetadata": usage} if answer.usage else {}),
        **version,
        "responseId": f"r{number}",
    }
