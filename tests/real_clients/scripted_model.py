"""A model provider for real clients: it streams the answers of a script, and keeps every request whole.

It speaks Anthropic's Messages, OpenAI's Responses and Gemini's generateContent as server-sent events. A script is a
list of turns of the main conversation. What a client asks beside it (titles, counts) gets a short answer of its own.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tests.provider_formats import Calls, Says, written
from tests.provider_server import Answer, Asked, ProviderServer, Sends
from tests.real_clients.what_was_sent import what_was_sent
from toolbooth.tokens import count

Turn = Says | Callable[[Asked], Says]
LAST_REF: Final = "the last ref that was shown"
_FEWEST_TOOLS: Final = 4  # of the main conversation; a client's helpers have fewer
_FULL_NAME: Final = re.compile(r"(mcp__[a-z-]+)__(\w+)")
_EVENTS: Final = "text/event-stream"
_GEMINI, _GEMINI_STREAMS = ":generateContent", ":streamGenerateContent"
Event = tuple[str, Mapping[str, Any]]


class ScriptedModel(ProviderServer):
    """The provider; `turns` are the requests of the main conversation. Past the script it says that it is done."""

    def __init__(self, script: Sequence[Turn]) -> None:
        super().__init__(())
        self.turns: list[Asked] = []
        self._told = list(script)

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.requests.append(asked)
            turn = self._next_turn(asked)
        if turn is None:  # Claude Code has long results counted
            counted = count(asked.raw.decode("utf-8", "replace"))
            return Sends(json.dumps({"input_tokens": counted, "data": [], "models": []}).encode())
        says = turn(asked) if callable(turn) else turn
        path = asked.path.split("?")[0].replace(_GEMINI_STREAMS, _GEMINI)
        body = written(path, asked.body, says, len(self.requests))
        if _GEMINI_STREAMS in asked.path:
            return Sends(f"data: {json.dumps(body)}\n\n".encode(), content_type=_EVENTS)
        if not asked.body.get("stream"):
            return Sends(json.dumps(body).encode())
        events = _responses(asked, body) if _is_responses(asked) else _messages(body)
        streamed = "".join(
            f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n" for kind, data in events
        )
        return Sends(streamed.encode(), content_type=_EVENTS)

    def _next_turn(self, asked: Asked) -> Turn | None:
        path = asked.path.split("?")[0]
        if not path.endswith(("/v1/messages", "/responses", _GEMINI, _GEMINI_STREAMS)):
            return None
        if not _is_responses(asked) and _tools_of(asked.body) < _FEWEST_TOOLS:
            return Says("ok")
        self.turns.append(asked)
        return self._told.pop(0) if self._told else Says("done")


def _tools_of(body: Mapping[str, Any]) -> int:
    return sum(len(tool.get("functionDeclarations", (tool,))) for tool in body.get("tools", ()))


def calls(name: str, /, **arguments: Any) -> Turn:
    """A turn that calls the tool; `LAST_REF` stands for the last ref that was shown."""

    def turn(asked: Asked) -> Says:
        refs = what_was_sent(asked.body).refs
        given = {key: refs[-1] if value is LAST_REF and refs else value for key, value in arguments.items()}
        return Says(calls=[Calls(name, given)])

    return turn


def _is_responses(asked: Asked) -> bool:
    return asked.path.split("?")[0].endswith("/responses")


def _messages(body: Mapping[str, Any]) -> Iterator[Event]:
    yield "message_start", {"message": {**body, "content": [], "stop_reason": None}}
    for index, block in enumerate(body["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    stop = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": stop, "usage": {"output_tokens": body["usage"]["output_tokens"]}}
    yield "message_stop", {}


def _responses(asked: Asked, body: Mapping[str, Any]) -> Iterator[Event]:
    yield "response.created", {"response": {**body, "status": "in_progress", "output": []}}
    in_code = any(item.get("type") == "additional_tools" for item in asked.body["input"])
    for index, item in enumerate(body["output"]):
        called = _as_code(item) if in_code else _as_namespaced(item)
        yield "response.output_item.done", {"output_index": index, "item": called}
    yield "response.completed", {"response": body}


def _as_namespaced(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A tool of an MCP server is called by its own name, with the namespace of the server beside it."""
    found = _FULL_NAME.fullmatch(item.get("name", ""))
    return {**item, "namespace": found[1], "name": found[2]} if found else item


def _as_code(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Newer models of Codex write JavaScript: a tool of an MCP server is a function of `tools`."""
    name = item.get("name", "")
    if not name.startswith("mcp__"):
        return item
    code = f"const r = await tools.{name}({item['arguments']}); text(r.content.map(c => c.text).join('\\n'))"
    kept = {key: item[key] for key in ("id", "call_id", "status")}
    return {**kept, "type": "custom_tool_call", "name": "exec", "input": code}
