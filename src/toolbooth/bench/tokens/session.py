"""The cost of sessions, computed from their calls and answers: by the spec's formula, and with everything sent again.

A session of one call has a step for each call that the model writes: perhaps a search, perhaps the reading of a
definition, and the call itself. A turn is one model call; there is one more turn than steps, because the last one
reads the tool's answer. With `c` tokens of a call and `a` of its answer:

    paid              = menu × turns + Σ (c + a)
    paid_with_history = menu × turns + Σ c + Σ (c + a) × (turns that come after the step was written)

The system prompt, the question and the tool's own answer are in neither sum: they are the same in every mode.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, Self

from toolbooth.bench.report import SessionCost


class SessionStep(NamedTuple):
    """Tokens of a call that the model writes, and of the answer that it reads."""

    call: int
    answer: float = 0


@dataclass(frozen=True)
class QuestionSession:
    """The session of one question.

    `shown`: a right tool was in view; `first`: before every other. `lists` are read first where an endpoint has no
    search: its servers, the tools of one.
    """

    call: SessionStep
    search: SessionStep | None = None
    definition: SessionStep | None = None
    shown: bool = True
    first: bool = True
    lists: tuple[SessionStep, ...] = ()

    @property
    def steps(self) -> tuple[SessionStep, ...]:
        """The steps in order."""
        found = (*self.lists, self.search, self.definition, self.call)
        return tuple(each for each in found if each is not None)

    @property
    def found_in(self) -> float:
        """Tokens of the answers in which a tool is looked up."""
        return sum(each.answer for each in (*self.lists, self.search) if each is not None)


class MeanSession(NamedTuple):
    """The mean of sessions of one call, as sums from which a session of many such calls is computed.

    `again` is what the steps of one call send again among themselves, before its last step is written.
    """

    steps: float
    written: float
    read: float
    again: float

    @classmethod
    def of(cls, sessions: Sequence[QuestionSession]) -> Self:
        """The mean; each session counts the same."""
        every = [each.steps for each in sessions]
        return cls(
            fmean(len(steps) for steps in every),
            fmean(sum(step.call for step in steps) for steps in every),
            fmean(sum(step.answer for step in steps) for steps in every),
            fmean(sum(sum(step) * (len(steps) - at) for at, step in enumerate(steps, 1)) for steps in every),
        )

    def paid(self, menu: float) -> float:
        """One call: each part once, and the menu with every turn."""
        return menu * (self.steps + 1) + self.written + self.read

    def with_history(self, menu: float, calls: int = 1) -> float:
        """So many calls in one session, each with its own steps, all carried to the end."""
        carried = self.written + self.read
        later_steps = self.steps * calls * (calls - 1) / 2
        own = calls * (self.written + self.again)
        return menu * (self.steps * calls + 1) + own + carried * (calls + later_steps)


def session_cost(mode: str, menu: int, sessions: Sequence[QuestionSession]) -> SessionCost:
    """Means over the questions, and tokens per right choice; `menu` includes the instructions."""
    mean_session = MeanSession.of(sessions)
    paid, history = mean_session.paid(menu), mean_session.with_history(menu)
    correct = sum(each.shown for each in sessions)
    per = len(sessions) / correct if correct else None
    return SessionCost(
        mode=mode,
        questions=len(sessions),
        turns=mean_session.steps + 1,
        menu=menu,
        search_response=fmean(each.found_in for each in sessions),
        definition=fmean(each.definition.answer if each.definition else 0 for each in sessions),
        call_envelope=mean_session.written,
        paid=paid,
        paid_with_history=history,
        correct=correct,
        correct_first=sum(each.first for each in sessions),
        paid_per_correct=None if per is None else paid * per,
        history_per_correct=None if per is None else history * per,
    )
