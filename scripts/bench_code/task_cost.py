"""The cost of a task for an agent: every model call pays for the menu and for everything said before."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from toolbooth.tokens import count

from .agent import Call, Endpoint, Way
from .unseen_names import unseen


@dataclass
class TaskCost:
    """`input` is summed over the model calls; `output` is what the model wrote, its final answer included."""

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

    def __init__(self, cost: TaskCost, menu: int, prompt: str) -> None:
        self._cost, self._tokens = cost, menu + count(prompt)
        self.heard = prompt

    def model_call(self, *written: str) -> None:
        """Count what was said so far as input and this as output; the next call reads it again."""
        self._cost.model_calls += 1
        self._cost.input += self._tokens
        wrote = sum(map(count, written))
        self._cost.output += wrote
        self._tokens += wrote

    def hear(self, *answers: str) -> None:
        self._tokens += sum(map(count, answers))
        self.heard = "\n".join((self.heard, *answers))


def play(way: Way, prompt: str, endpoint: Endpoint, *, knows_all: bool) -> TaskCost:
    """Run an agent.

    It fails if it cannot read an answer, or uses names that it was not shown.
    """
    cost = TaskCost()
    before = endpoint.made()
    context = _Context(cost, endpoint.menu, prompt)
    try:
        cost.answer = _converse(way, endpoint, context, knows_all)
    except Exception as error:  # an agent that cannot read what it got is a result
        cost.why = f"{type(error).__name__}: {error}"[:300]
    cost.tool_calls = endpoint.made() - before
    return cost


def _converse(way: Way, endpoint: Endpoint, context: _Context, knows_all: bool) -> str:
    agent = way()
    calls = next(agent)
    while True:
        guessed = [] if knows_all else [name for call in calls for name in unseen(call, context.heard)]
        if guessed:
            raise LookupError(f"nothing has shown {', '.join(guessed)}")
        answers = _turn(calls, endpoint, context)
        try:
            calls = agent.send(answers)
        except StopIteration as end:
            answer: str = end.value
            context.model_call(answer)
            return answer


def _turn(calls: Sequence[Call], endpoint: Endpoint, context: _Context) -> list[str]:
    context.model_call(*(call.text for call in calls))
    answers = [endpoint.call(call) for call in calls]
    context.hear(*answers)
    return answers
