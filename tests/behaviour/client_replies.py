"""A request of a client with every question during it answered, in the way of the client's protocol version."""

from collections.abc import Mapping
from typing import Any

from tests.behaviour.gateway_client import GatewayClient

REPLIES: dict[str, dict[str, Any]] = {
    "elicitation": {"action": "accept", "content": {"word": "yes"}},
    "sampling": {"role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "m"},
    "roots": {"roots": [{"uri": "file:///project"}]},
}
METHODS = {"elicitation": "elicitation/create", "sampling": "sampling/createMessage", "roots": "roots/list"}


def answered(
    client: GatewayClient,
    params: Mapping[str, Any],
    kind: str,
    method: str = "tools/call",
    reply: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Make the request and answer all that is asked."""
    given = reply or REPLIES[kind]
    if client.version == "old":
        client.replies = {METHODS[kind]: lambda _params: given}
        return client.bare(client.result(method, params))
    return answer_all(client, params, client.result(method, params), given, method)


def answer_all(
    client: GatewayClient,
    params: Mapping[str, Any],
    result: dict[str, Any],
    reply: dict[str, Any],
    method: str = "tools/call",
) -> dict[str, Any]:
    """Go on from an answer of the stateless protocol version until it is complete."""
    while result.get("resultType") == "input_required":
        responses = dict.fromkeys(result["inputRequests"], reply)
        retry = {**params, "inputResponses": responses, "requestState": result["requestState"]}
        result = client.result(method, retry)
    return client.bare(result)
