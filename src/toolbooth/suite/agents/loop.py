"""The agent loop: ask the model, make the calls that it asks for, return the results, until it is done.

The loop turns a model, a toolbox and a prompt into a trace.
"""

from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final

import anyio

from toolbooth import errors, limits, safetext
from toolbooth.suite.agents import costs
from toolbooth.suite.agents.conversation import Model, Opening, Reply, ToolUse, ToolUseResult
from toolbooth.suite.agents.toolbox import Toolbox, ToolboxAnswer, single_error
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage

MARGIN: Final = 1.4  # a provider's count of the same text is up to a third above ours


@dataclass(frozen=True)
class AgentTask:
    """The task of one run. `blank` is its trace before the run: prompt, model and surface."""

    blank: Trace
    instructions: bool = True
    max_turns: int = 10
    timeout: float = 300.0
    max_tokens: int | None = None
    run: int = 1


async def run_agent(model: Model, toolbox: Toolbox, task: AgentTask, budget: costs.Budget) -> Trace:
    """One run. Faults of servers and providers are recorded in the trace; only a cancellation is raised."""
    run = _Run(model, toolbox, task, budget)
    began = perf_counter()
    try:
        with anyio.fail_after(task.timeout):
            ended = await run.to_the_end()
    except errors.Refused as refusal:
        return run.trace("refused", began, str(refusal))
    except TimeoutError:
        return run.trace("error", began, f"the run did not end within {task.timeout:g} s")
    except errors.ToolboothError as error:
        return run.trace("error", began, str(error))
    return run.trace("done" if ended else "max_turns", began)


@dataclass
class _Run:
    model: Model
    toolbox: Toolbox
    task: AgentTask
    budget: costs.Budget
    turns: list[Turn] = field(default_factory=list)

    async def to_the_end(self) -> bool:
        """Run until the model is done (true) or has used all its turns (false)."""
        opening = self._opening()
        conversation, counter = self.model.conversation(opening), costs.TokenCounter(opening)
        results: tuple[ToolUseResult, ...] = ()
        for _ in range(self.task.max_turns):
            reserved = self._reserve(counter)
            reply = await self._ask(conversation.reply(results), reserved)
            exchanges = await self._carry_out(reply)
            self.turns.append(_turn(reply, exchanges, counter))
            results = tuple(map(_result, reply.uses, exchanges))
            counter.add_turn(reply, results)
            if reply.only_picks or not reply.uses:
                return True
        return False

    def _opening(self) -> Opening:
        texts = (self.task.blank.system_prompt, self.toolbox.instructions if self.task.instructions else "")
        system = "\n\n".join(filter(None, texts))
        return Opening(self.task.blank.prompt, system, self.toolbox.menu, self.task.run, self._ids())

    def _ids(self) -> dict[str, str]:
        """The real tools that the menu shows directly, by id."""
        made = ((str(tool["name"]), self.toolbox.picked(str(tool["name"]), {})) for tool in self.toolbox.menu)
        return {calls[0].id: name for name, calls in made if calls and calls[0].name}

    def _reserve(self, counter: costs.TokenCounter) -> float:
        if not self.budget.limited:
            return 0.0
        output = self.task.max_tokens or limits.MODEL_OUTPUT
        dollars = self.model.price(int(counter.tokens * MARGIN), output) or 0.0
        self.budget.reserve(dollars)
        return dollars

    async def _ask(self, coming: Any, reserved: float) -> Reply:
        cost = 0.0
        try:
            reply: Reply = await coming
            cost = reply.cost or 0.0
            return reply
        finally:
            self.budget.settle(reserved, cost)

    async def _carry_out(self, reply: Reply) -> tuple[Exchange, ...]:
        """Make all calls of a turn at once; the exchanges keep the order of the reply."""
        if reply.only_picks:
            return tuple(Exchange(use.name, use.arguments, made=self._picked(use)) for use in reply.uses)
        done: dict[int, Exchange] = {}

        async def one(index: int, use: ToolUse) -> None:
            done[index] = await self._call(use)

        async with single_error(), anyio.create_task_group() as tasks:
            for index, use in enumerate(reply.uses):
                tasks.start_soon(one, index, use)
        return tuple(done[index] for index in range(len(reply.uses)))

    async def _call(self, use: ToolUse) -> Exchange:
        if use.problem:
            return Exchange(use.name, use.arguments, use.problem, True, self._picked(use))
        called: ToolboxAnswer = await self.toolbox.call(use.name, use.arguments)
        return Exchange(use.name, use.arguments, called.text, called.is_error, called.made)

    def _picked(self, use: ToolUse) -> tuple[MadeCall, ...]:
        return self.toolbox.picked(use.name, use.arguments)

    def trace(self, ended: Any, began: float, error: str = "") -> Trace:
        """The turns so far, and how the run ended."""
        seconds = round(perf_counter() - began, 3)
        return replace(
            self.task.blank,
            turns=tuple(self.turns),
            ended=ended,
            error=safetext.for_terminal(error, 500),
            seconds=seconds,
        )


def _turn(reply: Reply, exchanges: tuple[Exchange, ...], counter: costs.TokenCounter) -> Turn:
    usage = reply.usage or Usage(counter.tokens, costs.output_tokens(reply), counted=True)
    return Turn(reply.text, exchanges, usage, reply.cost)


def _result(use: ToolUse, exchange: Exchange) -> ToolUseResult:
    return ToolUseResult(use.id, use.name, exchange.result, exchange.is_error)
