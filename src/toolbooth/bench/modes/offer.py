"""A catalog, offered in every way → its menus, weighed; a question → the session that each way takes for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolbooth.bench.golden import Question
from toolbooth.bench.metrics import RELEVANT
from toolbooth.bench.modes.schemas import count_schemas
from toolbooth.bench.modes.session import Session, Step
from toolbooth.bench.modes.ways import BASELINE, Way
from toolbooth.bench.modes.writing import blank_arguments, call_tokens, tells_enough
from toolbooth.bench.report import SchemaCount
from toolbooth.catalog import Catalog, Tool
from toolbooth.gateway.offline import Found, OfflineGateway
from toolbooth.tokens import Weights, count, weigh


class Menu(NamedTuple):
    """What a model reads on every call: definitions, and the instructions beside them."""

    tools: int
    tokens: int
    instructions: int
    schemas: SchemaCount

    @property
    def carried(self) -> int:
        """All of it."""
        return self.tokens + self.instructions


class Offer:
    """These tools behind the servers themselves, and behind each surface of a gateway in front of them."""

    def __init__(self, catalog: Catalog, encoding: str) -> None:
        self.catalog, self.encoding = catalog, encoding
        self._gateway = OfflineGateway(catalog)
        self._tools = {tool.id: tool for tool in catalog}
        self._menus: dict[str, Menu] = {}

    @property
    def weights(self) -> Weights:
        """Of the tools as their servers define them, by their bare names."""
        return weigh(self.catalog, self.encoding)

    def menu(self, way: Way) -> Menu:
        """Weighed once."""
        if way.mode not in self._menus:
            self._menus[way.mode] = self._baseline() if way == BASELINE else self._of_surface(way.surface)
        return self._menus[way.mode]

    def _baseline(self) -> Menu:
        told = sum(self._count(each.instructions or "") for each in self.catalog.servers)
        schemas = count_schemas(tool.input_schema for tool in self.catalog)
        return Menu(len(self.catalog), self.weights.total_tokens, told, schemas)

    def _of_surface(self, surface: str) -> Menu:
        entries = self._gateway.menu(surface)
        tokens = weigh(entries, self.encoding).total_tokens
        schemas = count_schemas(entry.get("inputSchema") for entry in entries)
        return Menu(len(entries), tokens, self._count(self._gateway.instructions(surface)), schemas)

    def answer_tokens(self, way: Way, query: str) -> int:
        """Of the answer to one search."""
        return self._count(self._gateway.search(way.surface, query).text)

    def session(self, way: Way, question: Question) -> Session:
        """Find, perhaps read the definition, call. The tool that is called is the best of the right ones in view;
        where none is, a search and a call of the best one are paid all the same, but no definition is read."""
        right = right_tools(question)
        if not way.searches:
            return Session(self._call(way, self._tools[right[0]]))
        found = self._gateway.search(way.surface, question.query)
        shown = [each for each in right if each in found.ids]
        tool = self._tools[(shown or right)[0]]
        return Session(
            self._call(way, tool),
            Step(self._count_call(self._gateway.search_call(question.query)), self._count(found.text)),
            self._definition(tool) if shown and not self._is_told(way, tool, found) else None,
            shown=bool(shown),
            first=any(each in right for each in found.ids[:1]),
        )

    def _call(self, way: Way, tool: Tool) -> Step:
        needed = blank_arguments(tool.input_schema)
        if way == BASELINE:
            return Step(self._count_call({"name": tool.name, "arguments": needed}))
        return Step(self._count_call(self._gateway.tool_call(way.surface, tool.id, needed)))

    def _definition(self, tool: Tool) -> Step:
        asked = self._gateway.search_call(tool.id)
        return Step(self._count_call(asked), self._count(self._gateway.definition(tool.id)))

    def _is_told(self, way: Way, tool: Tool, found: Found) -> bool:
        """Whether a model can call it now, without its definition."""
        if found.text.startswith(self._gateway.definition(tool.id)):
            return True  # the query was its name
        line = shown_line(found.text, self._gateway.shown_name(way.surface, tool.id))
        return tells_enough(line, tool.input_schema)

    def _count(self, text: str) -> int:
        return count(text, self.encoding)

    def _count_call(self, call: Mapping[str, Any]) -> int:
        return call_tokens(call, self.encoding)


def right_tools(question: Question) -> list[str]:
    """Catalog ids of the relevant labels, the best first."""
    relevant = (label for label in question.labels if label.relevance >= RELEVANT)
    return [label.tool for label in sorted(relevant, key=lambda label: -label.relevance)]


def shown_line(text: str, name: str) -> str:
    """The line of a search answer that shows this tool; empty where none does."""
    return next((line for line in text.splitlines() if line.startswith(f"{name}(")), "")
