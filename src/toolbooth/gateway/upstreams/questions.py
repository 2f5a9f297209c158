"""The questions that servers ask clients: who asks, how many, and what a client must be able to do.

Questions to a user carry the server's name and are limited in number: to the client all servers are one, the gateway,
and without a name a person could give to one server what is meant for another.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from toolbooth import limits, safetext
from toolbooth.catalog.connect import QuestionRefused

REFUSED: Final = -32600
SHOWN_TO_USERS: Final = frozenset({"elicitation/create", "sampling/createMessage"})
_NAME: Final = 60  # characters
# The capability that a client must have declared to be asked a question of this method.
CAPABILITY_FOR = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}


def named(server: str, method: str, params: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Elicitation has the name before its message; sampling in the system prompt, which clients show with the rest."""
    if method not in SHOWN_TO_USERS:
        return None if params is None else dict(params)
    given = dict(params or {})
    who = safetext.for_terminal(server, _NAME)
    if method == "elicitation/create":
        given["message"] = f"{who} asks: {_cleaned(given.get('message'))}"
    else:
        prompt = given.get("systemPrompt")
        said = f"\n{prompt}" if isinstance(prompt, str) and prompt else ""
        given["systemPrompt"] = f"This request comes from the MCP server {who}.{said}"
    return given


def named_requests(server: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """The questions in the answer of a stateless server; raises QuestionRefused if there are too many."""
    asked = result.get("inputRequests")
    if not isinstance(asked, Mapping):
        return dict(result)
    if len(asked) > limits.MAX_QUESTIONS_AT_ONCE:
        raise QuestionRefused(REFUSED, too_many(server, len(asked)))
    return {**result, "inputRequests": {key: _named_request(server, each) for key, each in asked.items()}}


def _named_request(server: str, request: Any) -> Any:
    params = request.get("params") if isinstance(request, Mapping) else None
    if not isinstance(request, Mapping) or request.get("method") not in SHOWN_TO_USERS:
        return request
    return {
        **request,
        "params": named(server, request["method"], params if isinstance(params, Mapping) else None),
    }


def too_many(server: str, count: int) -> str:
    """For the server, and for the client whose call ends with it."""
    return (
        f"{safetext.for_terminal(server, _NAME)} asks {count} questions at once; "
        f"{limits.MAX_QUESTIONS_AT_ONCE} are allowed"
    )


def _cleaned(message: object) -> str:
    text = message if isinstance(message, str) else ""
    return safetext.code_for_terminal(text[: limits.MAX_QUESTION_TEXT]) + (
        "…" if len(text) > limits.MAX_QUESTION_TEXT else ""
    )


class Allowance:
    """The questions of one call: a few at once, and a limited total."""

    __slots__ = ("_asked", "_open")

    def __init__(self) -> None:
        self._asked = self._open = 0

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return self._open > 0

    @contextmanager
    def one(self, server: str) -> Iterator[None]:
        """Holds while a question is open; raises QuestionRefused if it is one too many."""
        if self._open >= limits.MAX_QUESTIONS_AT_ONCE:
            raise QuestionRefused(REFUSED, too_many(server, self._open + 1))
        if self._asked >= limits.MAX_QUESTIONS:
            raise QuestionRefused(
                REFUSED,
                f"this call has asked {limits.MAX_QUESTIONS} questions, the most that one call may ask",
            )
        self._asked += 1
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
