"""`model: scripted`: the calls that the suite gives, turn by turn, whatever the surface."""

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from toolbooth.suite.agents.talk import Opening, Reply, ToolResult, ToolUse
from toolbooth.suite.spec.script import ScriptedTurn, ScriptedUse


class Scripted:
    """Needs no key and costs nothing."""

    def __init__(self, turns: Sequence[ScriptedTurn]) -> None:
        self._turns = tuple(turns)

    def talk(self, opening: Opening) -> "ScriptedTalk":
        """Each run says the same."""
        return ScriptedTalk(self._turns, opening)

    def price(self, _input_tokens: int, _output_tokens: int) -> float | None:
        """Free."""
        return None

    async def close(self) -> None:
        """Nothing is open."""


class ScriptedTalk:
    """Says what comes next, and is done after the last."""

    def __init__(self, turns: Sequence[ScriptedTurn], opening: Opening) -> None:
        self._turns, self._opening = iter(turns), opening
        self._menu = {str(tool["name"]) for tool in opening.menu}
        self._ids = count(1)

    async def reply(self, _results: Sequence[ToolResult]) -> Reply:
        """The next turn of the script."""
        turn = next(self._turns, ScriptedTurn())
        return Reply(turn.say, tuple(self._use(each) for each in turn.uses))

    def _use(self, wanted: ScriptedUse) -> ToolUse:
        name, arguments = (wanted.name, wanted.arguments) if wanted.from_menu else self._through(wanted)
        return ToolUse(f"call_{next(self._ids)}", name, arguments)

    def _through(self, wanted: ScriptedUse) -> tuple[str, Mapping[str, Any]]:
        return through_menu(self._menu, self._opening.ids, wanted.name, wanted.arguments)


def through_menu(
    menu: set[str], ids: Mapping[str, str], tool: str, arguments: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """A real tool → the call of the menu that reaches it: itself, or the surface's own way."""
    if tool in ids:
        return ids[tool], arguments
    bare = [name for real, name in ids.items() if real.endswith(f".{tool}")]
    if len(bare) == 1:
        return bare[0], arguments
    if "call_tool" in menu:
        return "call_tool", {"name": tool, "arguments": dict(arguments)}
    if "call_tool_chain" in menu:
        return "call_tool_chain", {"code": json.dumps({"tool": tool, "arguments": dict(arguments)})}
    return tool, arguments
