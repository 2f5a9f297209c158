"""Traces built from foreign JSON: tolerant readers of values, and a builder that collects turns in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolbooth import catalog, errors
from toolbooth.suite.adapters.tool_names import KnownTools
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage


def map_of(value: object) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int:
    """A number of tokens; providers write a number, OTLP a string."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def structured(value: object) -> Any:
    """The value itself, or what a string of JSON encodes."""
    if not isinstance(value, str):
        return value
    try:
        return catalog.decode(value.encode("utf-8", "replace"))
    except catalog.NotJson:
        return value


def spoken(content: object) -> str:
    """The text of a message: a string as it is, or all text parts joined."""
    if isinstance(content, str):
        return content
    parts = (map_of(part) for part in list_of(content))
    return "\n".join(
        text for part in parts if (text := text_of(part.get("text")) or text_of(part.get("content")))
    )


def made_call(name: object, server: object, arguments: object, names: KnownTools) -> MadeCall:
    """One call. A call without a name is an error: it cannot be scored, and skipping it would flatter the agent."""
    if not isinstance(name, str) or not name:
        raise errors.UserMistake("a tool call has no name; add its `name`")
    found = (text_of(server), name) if text_of(server) else names.split(name)
    return MadeCall(found[1], found[0], map_of(structured(arguments)))


@dataclass
class _OpenTurn:
    texts: list[str] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    def turn(self) -> Turn:
        return Turn("\n".join(filter(None, self.texts)), tuple(self.exchanges), self.usage)


class TraceBuilder:
    """Collects turns; each turn lasts until `next_turn`."""

    def __init__(self) -> None:
        self._turns: list[_OpenTurn] = []
        self._places: dict[str, tuple[_OpenTurn, int]] = {}
        self._over = True

    def next_turn(self) -> None:
        """Ends the turn: the next item begins a new message of the model."""
        self._over = True

    def say(self, text: str) -> None:
        """Adds text of the model."""
        self._current().texts.append(text)

    def use(
        self, id_: object, tool: str, call: MadeCall, result: str = "", *, is_error: bool = False
    ) -> None:
        """Adds a tool call; `tool` is the name that the model wrote."""
        turn = self._current()
        if isinstance(id_, str) and id_:
            self._places[id_] = (turn, len(turn.exchanges))
        turn.exchanges.append(Exchange(tool, call.arguments, result, is_error, (call,)))

    def result(self, id_: object, result: str, *, is_error: bool = False) -> None:
        """Sets the result of a call; a result without a call is ignored."""
        place = self._places.get(id_) if isinstance(id_, str) else None
        if place is not None:
            turn, index = place
            turn.exchanges[index] = replace(turn.exchanges[index], result=result, is_error=is_error)

    def used(self, usage: Usage) -> None:
        """Sets the tokens of the turn."""
        if usage != Usage():
            self._current().usage = usage

    def trace(self, *, prompt: str = "", model: str = "", error: str = "") -> Trace:
        """The whole trace; an `error` means that the run did not finish by itself."""
        turns = tuple(each.turn() for each in self._turns)
        return Trace(prompt=prompt, model=model, turns=turns, ended="error" if error else "done", error=error)

    def _current(self) -> _OpenTurn:
        if self._over:
            self._turns.append(_OpenTurn())
            self._over = False
        return self._turns[-1]
