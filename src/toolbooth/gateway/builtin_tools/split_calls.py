"""`call_tool` split by what a call may do, so that a client can let its user allow reading and ask for the rest.

With `gateway: {approvals: split}` three tools take the place of `call_tool`, each with the annotations that clients
decide by. What a tool may do is what its server says and, if there is a lock, what the lock approved: the stricter
counts, so a server cannot relabel itself. A tool of which nothing is said may write. A stricter variant calls a milder
tool, never the other way round.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import Any, Final

from toolbooth import catalog, safetext
from toolbooth.gateway.builtin_tools.call_tools import CALL_TOOL, CALL_TOOL_CHAIN, RequestedCall
from toolbooth.gateway.builtin_tools.definition import BuiltinTool
from toolbooth.gateway.builtin_tools.find_tools import info_answer, search_answer
from toolbooth.gateway.public_names import CALL_NAMES
from toolbooth.gateway.tool_registry import ToolRegistry


class Effect(IntEnum):
    """What a call may do, the mildest first."""

    READ = 0
    WRITE = 1
    DESTROY = 2


_SHORT: Final = ("name", "arguments")
_CALL_READ: Final = replace(
    CALL_TOOL,
    name="call_read_tool",
    description="Call a tool that search_tools showed without a mark. "
    "`fields` (items[].id) or `intent` shorten a long answer.",
    read_only=True,
)


def _stricter(name: str, mark: str, *, destroys: bool) -> BuiltinTool:
    """What shortens an answer is accepted there, too, but such answers are seldom long."""
    return replace(
        CALL_TOOL,
        name=name,
        description=f"Call a tool that search_tools marked {mark}.",
        parameters={key: kind for key, kind in CALL_TOOL.parameters.items() if key in _SHORT},
        also=(*CALL_TOOL.also, *(key for key in CALL_TOOL.parameters if key not in _SHORT)),
        destroys=destroys,
    )


MARKS: Final = {Effect.READ: "", Effect.WRITE: "[write]", Effect.DESTROY: "[destructive]"}
VARIANTS: Final = {
    Effect.READ: _CALL_READ,
    Effect.WRITE: _stricter("call_write_tool", MARKS[Effect.WRITE], destroys=False),
    Effect.DESTROY: _stricter("call_destructive_tool", MARKS[Effect.DESTROY], destroys=True),
}
SPLIT_CHAIN: Final = replace(CALL_TOOL_CHAIN, destroys=True)  # code may call anything
EFFECTS: Final = {builtin.name: effect for effect, builtin in VARIANTS.items()}
PLAIN_CALLS: Final = {name: RequestedCall("", through=name) for name in CALL_NAMES}


def effect_of(registry: ToolRegistry, tool: catalog.Tool) -> Effect:
    """What a call of the tool may do. A saved script may do anything."""
    if registry.is_own(tool.server):
        return Effect.DESTROY
    return max(map(_effect, registry.hints(tool)))


def _effect(hints: Mapping[str, Any]) -> Effect:
    if hints.get("destructiveHint") is True:
        return Effect.DESTROY
    return Effect.READ if hints.get("readOnlyHint") is True else Effect.WRITE


def mark_of(registry: ToolRegistry, tool: catalog.Tool) -> str:
    """What a hit says of the tool; nothing of one that only reads."""
    return MARKS[effect_of(registry, tool)]


marked_search: Final = partial(search_answer, mark=mark_of)
marked_info: Final = partial(info_answer, mark=mark_of)


def wrong_variant(registry: ToolRegistry, tool: catalog.Tool, through: str) -> str:
    """One line that names the right variant; empty if the call may go through this one."""
    if through not in EFFECTS:
        return ""
    effect = effect_of(registry, tool)
    if effect <= EFFECTS[through]:
        return ""
    is_what = "is destructive" if effect is Effect.DESTROY else "is not known to only read"
    name = safetext.for_terminal(tool.id)
    return f"{name} {is_what}: call it with {VARIANTS[effect].name}. Nothing was sent."


def calling(builtin_tools: Iterable[BuiltinTool], *, split: bool) -> tuple[BuiltinTool, ...]:
    """These tools, with the variants in the place of `call_tool` if it is split."""
    if not split:
        return tuple(builtin_tools)
    instead = {CALL_TOOL.name: tuple(VARIANTS.values()), CALL_TOOL_CHAIN.name: (SPLIT_CHAIN,)}
    return tuple(each for builtin in builtin_tools for each in instead.get(builtin.name, (builtin,)))


def call_name(menu: Collection[str], effect: Effect = Effect.DESTROY) -> str:
    """The tool of this menu that calls tools of this effect, by default any tool; empty if it has none.

    For programs, which nobody has to approve.
    """
    return next((name for name in (CALL_TOOL.name, VARIANTS[effect].name) if name in menu), "")
