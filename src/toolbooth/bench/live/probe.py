"""The probe of one endpoint: its menu, and for each question the steps to a tool with their tokens and times."""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolbooth import catalog
from toolbooth.bench.golden import GoldenQuestion
from toolbooth.bench.latency.connections import ask
from toolbooth.bench.live.adapter import (
    AdapterStep,
    EndpointAdapter,
    FilledRequest,
    RequestTemplate,
    placeholders,
)
from toolbooth.bench.live.answers import Spellings, is_unknown_tool, line_of, names_in, text_of, tool_name
from toolbooth.bench.live.exam import Exam
from toolbooth.bench.tokens.offer import blank_arguments, call_tokens, right_tools, tells_enough
from toolbooth.catalog.connect import Peer, ServerError, list_tools
from toolbooth.tokens import count


@dataclass(frozen=True)
class StepAnswer:
    """One request and its answer.

    `written` are the tokens of the call; `copy` are those of a structured copy of the text.
    """

    step: AdapterStep
    written: int
    tokens: int
    copy: int
    ms: float
    failed: bool = False


@dataclass(frozen=True)
class AskedQuestion:
    """One question: the catalog ids that were shown for it, the best first, and the steps that were taken.

    `call` are the tokens of the call of the tool itself, which is not made.
    """

    question: GoldenQuestion
    shown: tuple[str, ...]
    answers: tuple[StepAnswer, ...]
    call: int

    @property
    def failed(self) -> bool:
        """Whether a step was answered with an error."""
        return any(each.failed for each in self.answers)


class _SearchAnswer(NamedTuple):
    """The answer of a search, and the tools in it: catalog ids with the names that the endpoint uses."""

    text: str
    names: Mapping[str, str]


@dataclass
class Probe:
    """One endpoint under measurement; questions are asked one by one, so that several endpoints can take turns."""

    adapter: EndpointAdapter
    exam: Exam
    encoding: str
    peer: Peer
    menu: catalog.ServerTools
    list_ms: float
    asked: list[AskedQuestion] = field(default_factory=list)
    unknown_names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._spellings = Spellings(self.adapter, self.exam.tools)
        self._offered = {_folded(tool.name) for tool in self.menu.tools}
        self._tools = {tool.id: tool for tool in self.exam.catalog}
        self._others = Counter(
            _folded(self.adapter.spelled_else(tool_name(tool))) for tool in self.exam.tools
        )

    @property
    def misses(self) -> tuple[str, ...]:
        """The tools that the adapter calls and the menu lacks; a name with `{server}` counts if one server has it."""
        offered = {tool.name for tool in self.menu.tools}
        requests = (*(step.request for step in self.adapter.steps), self.adapter.call)
        return tuple(dict.fromkeys(each.name for each in requests if not self._may_be_in(offered, each)))

    def _may_be_in(self, offered: Collection[str], request: RequestTemplate) -> bool:
        needs = frozenset(placeholders(request.tool))
        if needs - {"server"} or (needs and not self.exam.tools):
            return True  # either the tools are called directly, or no tool is known by name
        wanted = {request.fill(self._words("", tool)).tool for tool in self.exam.tools} if needs else set()
        return not (wanted or {request.tool}).isdisjoint(offered)

    async def ask(self, question: GoldenQuestion) -> None:
        """Take all steps for one question; raises the fault of an endpoint that is down."""
        right = right_tools(question)
        if self.adapter.finds == "search":
            self.asked.append(await self._search(question, right))
        elif right:
            self.asked.append(await self._known_way(question, right[0]))

    def forget(self) -> None:
        """Drop what was asked so far, as a warm-up."""
        self.asked.clear()

    async def _search(self, question: GoldenQuestion, right: Sequence[str]) -> AskedQuestion:
        """The tool for the next steps is the best right one in view, else the first one that is known."""
        found, chosen = _SearchAnswer("", {}), None
        answers: list[StepAnswer] = []
        for step in self.adapter.steps:
            if step.role == "definition" and self._is_needless(step, found, chosen, right):
                continue
            answer, taken = await self._take(step, question, chosen)
            answers.append(taken)
            if step.answered is not None:
                found = self._search_answer(answer, names_in(answer, step.answered))
                known = [each for each in found.names if not is_unknown_tool(each)]
                chosen = next((each for each in (*right, *known) if each in known), None)
        call = self._call(question, right[0] if right and chosen not in right else chosen)
        return AskedQuestion(question, tuple(found.names), tuple(answers), call)

    async def _known_way(self, question: GoldenQuestion, right: str) -> AskedQuestion:
        answers = [(await self._take(step, question, right))[1] for step in self.adapter.steps]
        shown = (right,) if self._is_reached(right, answers) else ()
        return AskedQuestion(question, shown, tuple(answers), self._call(question, right))

    def _is_needless(
        self, step: AdapterStep, found: _SearchAnswer, chosen: str | None, right: Sequence[str]
    ) -> bool:
        if chosen is None or not step.unless_shown:
            return chosen is None
        tool = self._tools.get(chosen)
        if chosen not in right or tool is None:
            return True
        return tells_enough(line_of(found.text, found.names[chosen]), tool.input_schema)

    async def _take(
        self, step: AdapterStep, question: GoldenQuestion, tool: str | None
    ) -> tuple[Mapping[str, Any], StepAnswer]:
        sent = step.request.fill(self._words(question.query, tool))
        written, began = self._count_call(sent), time.perf_counter()
        try:
            answer, ms = await ask(self.peer, "tools/call", {"name": sent.tool, "arguments": sent.arguments})
        except ServerError as refusal:  # the server is up, but refused the call
            took = (time.perf_counter() - began) * 1000
            return {}, StepAnswer(step, written, count(refusal.said, self.encoding), 0, took, failed=True)
        copy = answer.get("structuredContent")
        copied = count(catalog.canonical(copy), self.encoding) if copy is not None else 0
        tokens = count(text_of(answer), self.encoding)
        return answer, StepAnswer(step, written, tokens, copied, ms, failed=answer.get("isError") is True)

    def _call(self, question: GoldenQuestion, tool: str | None) -> int:
        """Tokens of the call that a model would now write; zero if there is no tool for it."""
        words = self._words(question.query, tool)
        return 0 if tool is None else self._count_call(self.adapter.call.fill(words))

    def _words(self, query: str, tool: str | None) -> dict[str, Any]:
        if tool is None:
            return self.adapter.words(query, None, {})
        known = self._tools.get(tool)
        blank = blank_arguments(known.input_schema) if known is not None else {}
        return self.adapter.words(query, tool_name(tool), blank, self._spelled(tool))

    def _spelled(self, tool: str) -> str:
        """The other spelling, only if the menu has it and it means a single tool."""
        first, other = self.adapter.spelled(tool_name(tool)), self.adapter.spelled_else(tool_name(tool))
        is_other = _folded(first) not in self._offered and _folded(other) in self._offered
        return other if is_other and self._others[_folded(other)] == 1 else first

    def _count_call(self, sent: FilledRequest) -> int:
        return call_tokens({"name": sent.tool, "arguments": sent.arguments}, self.encoding)

    def _search_answer(self, answer: Mapping[str, Any], names: Sequence[str]) -> _SearchAnswer:
        ids: dict[str, str] = {}
        for name in names:
            ids.setdefault(self._spellings.id_of(name), name)
        self.unknown_names |= {name for tool, name in ids.items() if is_unknown_tool(tool)}
        return _SearchAnswer(text_of(answer), ids)

    def _is_reached(self, wanted: str, answers: Sequence[StepAnswer]) -> bool:
        """For an endpoint without a search: every step succeeded; without any step, the tool is in the menu."""
        if answers:
            return not any(each.failed for each in answers)
        return _folded(self._spelled(wanted)) in self._offered


def _folded(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())


async def open_probe(
    peer: Peer, adapter: EndpointAdapter, exam: Exam, encoding: str, timeout: float
) -> Probe:
    """List the menu, timed; raises the fault of an endpoint that does not answer."""
    began = time.perf_counter()
    menu = await list_tools(peer, "", timeout)
    return Probe(adapter, exam, encoding, peer, menu, (time.perf_counter() - began) * 1000)
