"""A question in the course of a call: a request to a client of the old protocol version, an answer for a new one."""

import json
from typing import Any

from mcp.server import ServerRequestContext

Context = ServerRequestContext[Any, Any]

FORM = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}


def question(kind: str, round_: int) -> dict[str, Any]:
    if kind == "elicitation":
        return {
            "method": "elicitation/create",
            "params": {"mode": "form", "message": f"word {round_}?", "requestedSchema": FORM},
        }
    if kind == "sampling":
        said = {"role": "user", "content": {"type": "text", "text": f"word {round_}?"}}
        return {"method": "sampling/createMessage", "params": {"messages": [said], "maxTokens": 9}}
    return {"method": "roots/list"}


async def ask(ctx: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask `rounds` times, then answer with all that the client said."""
    kind, rounds = arguments["kind"], arguments.get("rounds", 1)
    if ctx.protocol_version >= "2026-07-28":
        return _as_answers(kind, rounds, ctx.params or {})
    heard = []
    for each in range(rounds):
        asked = question(kind, each)
        heard.append(
            await ctx.session._request_outbound.send_raw_request(asked["method"], asked.get("params"))
        )
    return {"content": [], "structuredContent": {"heard": heard}}


def _as_answers(kind: str, rounds: int, params: Any) -> dict[str, Any]:
    heard = json.loads(params.get("requestState") or "[]")
    given = (params.get("inputResponses") or {}).get("word")
    if given is not None:
        heard.append(given)
    if len(heard) == rounds:
        return {"content": [], "structuredContent": {"heard": heard}}
    return {
        "resultType": "input_required",
        "inputRequests": {"word": question(kind, len(heard))},
        "requestState": json.dumps(heard),
    }
