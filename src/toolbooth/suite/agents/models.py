"""The models of a run, opened once each by their name in the suite, and the two models that need no key.

`scripted` makes the calls that the suite lists. `lexical` picks tools with our own search: a baseline that costs
nothing and always gives the same result.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final

from toolbooth import catalog, errors, search
from toolbooth.suite.agents import model_name
from toolbooth.suite.agents.conversation import Model, Opening, Reply, ToolUse, ToolUseResult
from toolbooth.suite.spec import script, suite


class ScriptedModel:
    """The model `scripted`: it needs no key and costs nothing."""

    def __init__(self, turns: Sequence[script.ScriptedTurn]) -> None:
        self._turns = tuple(turns)

    def conversation(self, opening: Opening) -> "ScriptedConversation":
        """Every run plays the same script."""
        return ScriptedConversation(self._turns, opening)

    def price(self, _input_tokens: int, _output_tokens: int) -> float | None:
        """The price, which is zero."""
        return None

    async def close(self) -> None:
        """Do nothing: no connection is open."""


class ScriptedConversation:
    """Plays one turn of the script after another, and ends after the last."""

    def __init__(self, turns: Sequence[script.ScriptedTurn], opening: Opening) -> None:
        self._turns, self._opening = iter(turns), opening
        self._menu = {str(tool["name"]) for tool in opening.menu}
        self._ids = count(1)

    async def reply(self, _results: Sequence[ToolUseResult]) -> Reply:
        """The next turn of the script."""
        turn = next(self._turns, script.ScriptedTurn())
        return Reply(turn.say, tuple(self._use(each) for each in turn.uses))

    def _use(self, wanted: script.ScriptedUse) -> ToolUse:
        name, arguments = (wanted.name, wanted.arguments) if wanted.from_menu else self._through(wanted)
        return ToolUse(f"call_{next(self._ids)}", name, arguments)

    def _through(self, wanted: script.ScriptedUse) -> tuple[str, Mapping[str, Any]]:
        return through_menu(self._menu, self._opening.ids, wanted.name, wanted.arguments)


_CALL_NAMES: Final = ("call_tool", "call_destructive_tool")  # if it is split, the one that calls every tool


def through_menu(
    menu: set[str], ids: Mapping[str, str], tool: str, arguments: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """The menu call that reaches a real tool: the tool itself, or the surface's way to call it."""
    if tool in ids:
        return ids[tool], arguments
    bare = [name for real, name in ids.items() if real.endswith(f".{tool}")]
    if len(bare) == 1:
        return bare[0], arguments
    through = next((name for name in _CALL_NAMES if name in menu), "")
    if through:
        return through, {"name": tool, "arguments": dict(arguments)}
    if "call_tool_chain" in menu:
        return "call_tool_chain", {"code": json.dumps({"tool": tool, "arguments": dict(arguments)})}
    return tool, arguments


# Where one step of a prompt ends: after a sentence, or before a part of one that begins a new action.
_STEPS: Final = re.compile(
    r"(?<![.;!?\n])[.;!?\n]+(?:\s|$)"
    r"|(?:,|(?<!\s)|(?<=[.;!?\n]\s))\s++(?:(?:and then|then|and also|afterwards)\s++|and\s++(?=[a-z]+\s))"
)
_MOST_STEPS: Final = 8
_HIT: Final = re.compile(r"^([^\s(]+)\(", re.MULTILINE)


class LexicalModel:
    """The model `lexical`. It keeps one search engine per menu, because all runs of a cell see the same menu."""

    def __init__(self) -> None:
        self._engines: dict[tuple[str, ...], search.SearchEngine] = {}

    def conversation(self, opening: Opening) -> "LexicalConversation":
        """One run."""
        return LexicalConversation(self, opening)

    def price(self, _input_tokens: int, _output_tokens: int) -> float | None:
        """The price, which is zero."""
        return None

    async def close(self) -> None:
        """Do nothing: no connection is open."""

    def engine(self, menu: Sequence[Mapping[str, Any]]) -> "search.SearchEngine":
        """The search engine over a menu."""
        key = tuple(catalog.canonical(tool) for tool in menu)
        if key not in self._engines:
            self._engines[key] = search.SearchEngine.of(
                catalog.Catalog((catalog.sort_entries("menu", list(menu)),))
            )
        return self._engines[key]


class LexicalConversation:
    """Searches first if the menu has a search tool. It makes no calls, because it cannot choose arguments."""

    def __init__(self, model: LexicalModel, opening: Opening) -> None:
        self._model, self._opening = model, opening
        self._menu = {str(tool["name"]) for tool in opening.menu}
        self._ids = count(1)

    async def reply(self, results: Sequence[ToolUseResult]) -> Reply:
        """First the search, then the picks; without a search tool in the menu, the picks at once."""
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
    """The steps of a prompt, in order."""
    parts = (part.strip(" ,") for part in _STEPS.split(prompt))
    return [part for part in parts if len(part.split()) > 1][:_MOST_STEPS] or [prompt]


_PASSED_ON: Final = ("base_url", "api_key_env", "temperature", "max_tokens", "retries", "price")


class Models:
    """The models of a run. An unknown model or a missing key is an error before anything runs."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._open: dict[tuple[object, ...], Model] = {}

    def open(self, name: str, test: suite.TestCase) -> Model:
        """Raises NoSuchModel, NoKey or another ProviderFault."""
        key = (name, test.script if name == "scripted" else settings_of(test))
        if key not in self._open:
            self._open[key] = self._new(name, test)
        return self._open[key]

    def _new(self, name: str, test: suite.TestCase) -> Model:
        settings = settings_of(test)
        read = model_name.read_model_name(name, settings.base_url)
        if read.provider == "scripted":
            return ScriptedModel(test.script)
        if read.provider == "lexical":
            return LexicalModel()
        if read.key_free:
            raise errors.NoSuchModel(
                f"{test.name}: the model `replay` only scores recordings; name another model to run live"
            )
        from toolbooth.suite.agents.providers.model import open_provider

        return open_provider(read, settings, self._environ)

    async def close(self) -> None:
        """Close all connections."""
        for model in self._open.values():
            await model.close()


def settings_of(test: suite.TestCase) -> suite.ProviderSettings:
    """The settings of a test, with defaults for the rest."""
    given = {key: getattr(test.agent, key) for key in _PASSED_ON}
    return suite.ProviderSettings(**{key: value for key, value in given.items() if value not in (None, "")})
