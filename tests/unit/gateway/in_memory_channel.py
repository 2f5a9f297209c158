"""A client in memory: it keeps what it receives, and answers what it is asked."""

from collections.abc import Mapping
from typing import Any

from toolbooth.catalog.connect import QuestionRefused

EVERYTHING: dict[str, Any] = {"roots": {}, "sampling": {}, "elicitation": {"form": {}}}


class InMemoryChannel:
    """Implements the gateway's `Reach`."""

    def __init__(self, answers: Mapping[str, dict[str, Any]] | None = None) -> None:
        self.sent: list[tuple[str, Mapping[str, Any] | None]] = []
        self.asked: list[tuple[str, Mapping[str, Any] | None]] = []
        self.answers = dict(answers or {})

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        self.sent.append((method, params))

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        self.asked.append((method, params))
        if method not in self.answers:
            raise QuestionRefused(-1, "the person said no")
        return self.answers[method]

    def let_go(self) -> None:
        return None
