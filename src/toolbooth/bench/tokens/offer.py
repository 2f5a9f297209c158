"""A catalog offered in every mode: the weight of its menus, and the session that a question takes in each.

The baseline is the servers themselves; every other mode is a surface of the gateway. Savings in percent are shown only
where both sides have real schemas. What a model writes, and whether it knows enough to call a tool, follow one rule for
our own surfaces and for any endpoint.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import gateway, search
from toolbooth.bench.golden import GoldenQuestion
from toolbooth.bench.metrics import RELEVANT
from toolbooth.bench.report import SchemaCount
from toolbooth.bench.tokens.session import QuestionSession, SessionStep
from toolbooth.catalog import Catalog, Json, Tool
from toolbooth.tokens import Weights, count, weigh


class Way(NamedTuple):
    """One mode of offering the tools; `surface` is empty where the servers are asked directly."""

    mode: str
    surface: str
    searches: bool


BASELINE: Final = Way("baseline", "", searches=False)
DIRECT_SLIM: Final = Way("direct", "direct", searches=False)
HEADLINE: Final = Way("search", "search", searches=True)
WAYS: Final = (
    BASELINE,
    DIRECT_SLIM,
    HEADLINE,
    Way("code", "code", searches=True),
    Way("full", "full", searches=True),
)


TOLERATED: Final = 0.05  # share of a side's tools without a schema: some real servers send a few
# The required share of tools with parameters among those with a schema: in public catalogs it is 90%. Where most
# tools have none, `properties: {}` comes from parameters that were lost.
WITH_PARAMETERS: Final = 0.5


def count_schemas(schemas: Iterable[Json | None]) -> SchemaCount:
    """A stub, which is an object without `properties`, is not a schema; `properties: {}` means no parameters."""
    real = without = missing = 0
    for schema in schemas:
        if search.members(schema):
            real += 1
        elif schema and "properties" in schema:
            without += 1
        else:
            missing += 1
    enough = real > 0 and real >= WITH_PARAMETERS * (real + without)
    counted = enough and missing <= TOLERATED * (real + without + missing)
    return SchemaCount(real, without, missing, counted)


def savings(tokens: int, baseline: int) -> float:
    """The share of the baseline that a mode saves: negative if it costs more, zero without a baseline."""
    return 1 - tokens / baseline if baseline else 0.0


def call_tokens(call: Mapping[str, Any], encoding: str) -> int:
    """Tokens of a call `{"name": …, "arguments": {…}}`, as a model writes it."""
    return count(json.dumps(call, separators=(",", ":"), ensure_ascii=False), encoding)


def blank_arguments(schema: object) -> dict[str, str]:
    """Every required parameter, with an empty value."""
    return {each.name: "" for each in search.members(schema) if each.required}


def tells_enough(line: str, schema: object) -> bool:
    """Whether the text shown for a tool has every required parameter in it, with no type cut."""
    needed = [each for each in search.parameters(schema) if each.required]
    return all(str(each) in line and "…" not in each.type for each in needed)


class MenuWeight(NamedTuple):
    """What a model reads on every call: definitions, and the instructions with them."""

    tools: int
    tokens: int
    instructions: int
    schemas: SchemaCount

    @property
    def carried(self) -> int:
        """Definitions and instructions together."""
        return self.tokens + self.instructions


class Offer:
    """These tools in every mode: from the servers directly, and through each surface of a gateway."""

    def __init__(self, catalog: Catalog, encoding: str) -> None:
        self.catalog, self.encoding = catalog, encoding
        self._gateway = gateway.OfflineGateway(catalog)
        self._tools = {tool.id: tool for tool in catalog}
        self._menus: dict[str, MenuWeight] = {}

    @property
    def weights(self) -> Weights:
        """The weights of the tools as their servers define them, with their plain names."""
        return weigh(self.catalog, self.encoding)

    def menu(self, way: Way) -> MenuWeight:
        """The weight of a mode's menu, counted once."""
        if way.mode not in self._menus:
            self._menus[way.mode] = self._baseline() if way == BASELINE else self._of_surface(way.surface)
        return self._menus[way.mode]

    def _baseline(self) -> MenuWeight:
        instructions = sum(self._count(each.instructions or "") for each in self.catalog.servers)
        schemas = count_schemas(tool.input_schema for tool in self.catalog)
        return MenuWeight(len(self.catalog), self.weights.total_tokens, instructions, schemas)

    def _of_surface(self, surface: str) -> MenuWeight:
        entries = self._gateway.menu(surface)
        tokens = weigh(entries, self.encoding).total_tokens
        schemas = count_schemas(entry.get("inputSchema") for entry in entries)
        return MenuWeight(len(entries), tokens, self._count(self._gateway.instructions(surface)), schemas)

    def answer_tokens(self, way: Way, query: str) -> int:
        """Tokens of the answer to one search."""
        return self._count(self._gateway.search(way.surface, query).text)

    def session(self, way: Way, question: GoldenQuestion) -> QuestionSession:
        """Find, perhaps read the definition, call.

        The best right tool in view is called. If there is none, a search and a call of the first one are counted
        nevertheless, but no definition is read.
        """
        right = right_tools(question)
        if not way.searches:
            return QuestionSession(self._call(way, self._tools[right[0]]))
        found = self._gateway.search(way.surface, question.query)
        shown = [each for each in right if each in found.ids]
        tool = self._tools[(shown or right)[0]]
        return QuestionSession(
            self._call(way, tool),
            SessionStep(self._count_call(self._gateway.search_call(question.query)), self._count(found.text)),
            self._definition(tool) if shown and not self._is_shown(way, tool, found) else None,
            shown=bool(shown),
            first=any(each in right for each in found.ids[:1]),
        )

    def _call(self, way: Way, tool: Tool) -> SessionStep:
        needed = blank_arguments(tool.input_schema)
        if way == BASELINE:
            return SessionStep(self._count_call({"name": tool.name, "arguments": needed}))
        return SessionStep(self._count_call(self._gateway.tool_call(way.surface, tool.id, needed)))

    def _definition(self, tool: Tool) -> SessionStep:
        asked = self._gateway.search_call(tool.id)
        return SessionStep(self._count_call(asked), self._count(self._gateway.definition(tool.id)))

    def _is_shown(self, way: Way, tool: Tool, found: gateway.SearchAnswer) -> bool:
        """Whether a model can call it now, without its definition."""
        if found.text.startswith(self._gateway.definition(tool.id)):
            return True  # the query was the tool's name
        line = shown_line(found.text, self._gateway.shown_name(way.surface, tool.id))
        return tells_enough(line, tool.input_schema)

    def _count(self, text: str) -> int:
        return count(text, self.encoding)

    def _count_call(self, call: Mapping[str, Any]) -> int:
        return call_tokens(call, self.encoding)


def right_tools(question: GoldenQuestion) -> list[str]:
    """Catalog ids of the relevant labels, the best first."""
    relevant = (label for label in question.labels if label.relevance >= RELEVANT)
    return [label.tool for label in sorted(relevant, key=lambda label: -label.relevance)]


def shown_line(text: str, name: str) -> str:
    """The line of a search answer that shows this tool; empty if none does."""
    return next((line for line in text.splitlines() if line.startswith(f"{name}(")), "")
