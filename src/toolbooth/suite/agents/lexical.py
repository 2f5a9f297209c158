"""`model: lexical`: picks by our own search for each step of the prompt; a floor that costs nothing and never moves."""

import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from toolbooth.suite.agents.scripted import through_menu
from toolbooth.suite.agents.talk import Opening, Reply, ToolResult, ToolUse

if TYPE_CHECKING:
    from toolbooth.search import SearchEngine

# One step of a prompt: a sentence, or a part of one that begins a new thing to do.
_STEPS: Final = re.compile(
    r"(?<![.;!?\n])[.;!?\n]+(?:\s|$)"
    r"|(?:,|(?<!\s)|(?<=[.;!?\n]\s))\s++(?:(?:and then|then|and also|afterwards)\s++|and\s++(?=[a-z]+\s))"
)
_MOST_STEPS: Final = 8
_HIT: Final = re.compile(r"^([^\s(]+)\(", re.MULTILINE)


class Lexical:
    """Engines are kept by menu: all runs of a cell see the same one."""

    def __init__(self) -> None:
        self._engines: dict[tuple[str, ...], SearchEngine] = {}

    def talk(self, opening: Opening) -> "LexicalTalk":
        """One run."""
        return LexicalTalk(self, opening)

    def price(self, _input_tokens: int, _output_tokens: int) -> float | None:
        """Free."""
        return None

    async def close(self) -> None:
        """Nothing is open."""

    def engine(self, menu: Sequence[Mapping[str, Any]]) -> "SearchEngine":
        """Search over what the model sees."""
        from toolbooth.catalog import Catalog, canonical, sort_entries
        from toolbooth.search import SearchEngine

        key = tuple(canonical(tool) for tool in menu)
        if key not in self._engines:
            self._engines[key] = SearchEngine.of(Catalog((sort_entries("menu", list(menu)),)))
        return self._engines[key]


class LexicalTalk:
    """Finds first where the menu has a search of its own; what it picks is not called: it knows no arguments."""

    def __init__(self, model: Lexical, opening: Opening) -> None:
        self._model, self._opening = model, opening
        self._menu = {str(tool["name"]) for tool in opening.menu}
        self._ids = count(1)

    async def reply(self, results: Sequence[ToolResult]) -> Reply:
        """The search, then the picks; without a search in the menu the picks at once."""
        wanted = steps(self._opening.prompt)
        if "search_tools" not in self._menu:
            return self._pick([self._best(step) for step in wanted])
        if not results:
            queries = ({"query": step, "limit": 3} for step in wanted)
            return Reply(uses=tuple(self._use("search_tools", query) for query in queries))
        hits = (_HIT.search(result.text) for result in results if not result.is_error)
        return self._pick([hit[1] for hit in hits if hit is not None])

    def _best(self, step: str) -> str:
        found = self._model.engine(self._opening.menu).search(step, 1)
        return found.hits[0].tool.name if found.hits else ""

    def _pick(self, tools: Sequence[str]) -> Reply:
        uses = []
        for tool in dict.fromkeys(filter(None, tools)):
            known = tool in self._menu
            name, arguments = (tool, {}) if known else through_menu(self._menu, self._opening.ids, tool, {})
            uses.append(self._use(name, arguments))
        return Reply(uses=tuple(uses), only_picks=True)

    def _use(self, name: str, arguments: Mapping[str, Any]) -> ToolUse:
        return ToolUse(f"call_{next(self._ids)}", name, arguments)


def steps(prompt: str) -> list[str]:
    """The things to do in a prompt, in order."""
    parts = (part.strip(" ,") for part in _STEPS.split(prompt))
    return [part for part in parts if len(part.split()) > 1][:_MOST_STEPS] or [prompt]
