"""An agent at a door → what its task cost: every model call pays the menu and all that was said before."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from toolbooth.tokens import count

from .seen import unseen
from .talk import Call, Door, Way


@dataclass
class Bill:
    """`input` is summed over the model calls; `output` is what the model wrote, its last words included."""

    model_calls: int = 0
    tool_calls: int = 0
    input: int = 0
    output: int = 0
    answer: str = ""
    right: bool = False
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class _Context:
    """What the model reads on its next call."""

    def __init__(self, bill: Bill, menu: int, wish: str) -> None:
        self._bill, self._tokens = bill, menu + count(wish)
        self.heard = wish

    def model_call(self, *written: str) -> None:
        """It reads all so far, writes this, and will read that again."""
        self._bill.model_calls += 1
        self._bill.input += self._tokens
        wrote = sum(map(count, written))
        self._bill.output += wrote
        self._tokens += wrote

    def hear(self, *answers: str) -> None:
        self._tokens += sum(map(count, answers))
        self.heard = "\n".join((self.heard, *answers))


def play(way: Way, wish: str, door: Door, *, knows_all: bool) -> Bill:
    """An agent that stumbles over an answer has failed; so has one that uses names it was not shown."""
    bill = Bill()
    before = door.made()
    context = _Context(bill, door.menu, wish)
    try:
        bill.answer = _converse(way, door, context, knows_all)
    except Exception as error:  # an agent that cannot read what it got is a result
        bill.why = f"{type(error).__name__}: {error}"[:300]
    bill.tool_calls = door.made() - before
    return bill


def _converse(way: Way, door: Door, context: _Context, knows_all: bool) -> str:
    agent = way()
    calls = next(agent)
    while True:
        guessed = [] if knows_all else [name for call in calls for name in unseen(call, context.heard)]
        if guessed:
            raise LookupError(f"nothing has shown {', '.join(guessed)}")
        answers = _turn(calls, door, context)
        try:
            calls = agent.send(answers)
        except StopIteration as end:
            answer: str = end.value
            context.model_call(answer)
            return answer


def _turn(calls: Sequence[Call], door: Door, context: _Context) -> list[str]:
    context.model_call(*(call.text for call in calls))
    answers = [door.call(call) for call in calls]
    context.hear(*answers)
    return answers
