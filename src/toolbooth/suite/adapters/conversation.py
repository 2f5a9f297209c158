"""What a model said and called and what it was told, in order → a trace."""

from dataclasses import dataclass, field, replace

from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage


@dataclass
class _Open:
    texts: list[str] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    def turn(self) -> Turn:
        return Turn("\n".join(filter(None, self.texts)), tuple(self.exchanges), self.usage)


class Conversation:
    """Gathers turns; each goes on until `next_turn`."""

    def __init__(self) -> None:
        self._turns: list[_Open] = []
        self._places: dict[str, tuple[_Open, int]] = {}
        self._over = True

    def next_turn(self) -> None:
        """Somebody else spoke, or a new message of the model begins."""
        self._over = True

    def say(self, text: str) -> None:
        """The model said this."""
        self._current().texts.append(text)

    def use(
        self, id_: object, tool: str, call: MadeCall, result: str = "", *, is_error: bool = False
    ) -> None:
        """The model called a tool; `tool` is the name that it wrote."""
        turn = self._current()
        if isinstance(id_, str) and id_:
            self._places[id_] = (turn, len(turn.exchanges))
        turn.exchanges.append(Exchange(tool, call.arguments, result, is_error, (call,)))

    def told(self, id_: object, result: str, *, is_error: bool = False) -> None:
        """The answer to a call; one that belongs to no call is let go."""
        place = self._places.get(id_) if isinstance(id_, str) else None
        if place is not None:
            turn, index = place
            turn.exchanges[index] = replace(turn.exchanges[index], result=result, is_error=is_error)

    def used(self, usage: Usage) -> None:
        """Tokens of the turn."""
        if usage != Usage():
            self._current().usage = usage

    def trace(self, *, prompt: str = "", model: str = "", error: str = "") -> Trace:
        """All of it; with an error, the run did not come to an end of its own."""
        turns = tuple(each.turn() for each in self._turns)
        return Trace(prompt=prompt, model=model, turns=turns, ended="error" if error else "done", error=error)

    def _current(self) -> _Open:
        if self._over:
            self._turns.append(_Open())
            self._over = False
        return self._turns[-1]
