"""The surfaces: what a client sees of a gateway, as built-in tools, upstream tools, or both.

A surface is a function that is registered under its name and builds the menu from the tool registry and the
settings.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from toolbooth import catalog, errors, safetext, suggest
from toolbooth.catalog.config import SURFACE_NAMES, AnswerCaps, Reduction
from toolbooth.gateway import client_meta, normalized_tool
from toolbooth.gateway.builtin_tools import (
    CALL_TOOL,
    CALL_TOOL_CHAIN,
    LIST_TOOLS,
    READ_RESULT,
    SEARCH_TOOLS,
    TOOL_INFO,
    BuiltinTool,
    calling,
    manage_servers_tool,
)
from toolbooth.gateway.builtin_tools.find_tools import search_answer_for_code
from toolbooth.gateway.builtin_tools.split_calls import marked_info, marked_search
from toolbooth.gateway.surfaces.client_hints import destroys, for_client
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.registry import Registry

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@dataclass(frozen=True)
class Surface:
    """`builtin_tools` by name, then `tools` by public name: the order of the menu, the same every time.

    `asking` are the ids of pinned tools of which each call is a question to the user. `notes` says what could not be
    done as the settings ask. Without `slim` the definitions of upstreams stay as they
    were sent, except for the name and the mark of a pinned tool.
    """

    name: str
    builtin_tools: Mapping[str, BuiltinTool] = field(default_factory=dict)
    tools: Mapping[str, catalog.Tool] = field(default_factory=dict)
    slim: bool = True
    asking: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    reduction: Reduction = field(default_factory=Reduction)
    caps: AnswerCaps = field(default_factory=AnswerCaps)

    def menu(self, *, legacy: bool = False) -> Iterator[dict[str, Any]]:
        """The entries of `tools/list`, as clients of this protocol version accept them."""
        for builtin in self.builtin_tools.values():
            yield builtin.definition
        for name, tool in self.tools.items():
            definition = normalized_tool.normalized_definition(tool, legacy=legacy)
            if self.slim:
                definition = normalized_tool.slim_definition(tool, definition)
            yield {**self._for_client(tool, definition), "name": name}

    def prepare(self) -> None:
        """Do what takes long at the first menu of many tools: made for a thread."""
        if self.slim:
            normalized_tool.slim_ahead(self.tools.values())
            if self.name == "direct":
                client_meta.hints_ahead(self.tools.values())

    def _for_client(self, tool: catalog.Tool, definition: dict[str, Any]) -> dict[str, Any]:
        """A pinned tool is loaded at once. Of a menu of all tools a client that searches may defer each."""
        pinned = self.name != "direct"
        if pinned:
            definition = client_meta.always_loaded(definition)
        elif self.slim:
            definition = client_meta.findable(tool, definition)
        return for_client(definition, cut=self.cuts(tool.id), asks=tool.id in self.asking)

    def cuts(self, tool_id: str) -> bool:
        """Whether the answers of this tool may be shown in part."""
        settings = self.reduction
        return (settings.capped(self.caps.cap_for(tool_id)) if self.caps.rules else settings).cuts


Builder = Callable[[ToolRegistry, "GatewaySettings"], Surface]
BUILDERS = Registry[Builder]("surface")
surface = BUILDERS.register
_COMPARED: Final = 2_000  # names that a misspelled name is compared with: about 20 ms
OFFERED: Final = ", ".join(SURFACE_NAMES[:-1]) + f" or {SURFACE_NAMES[-1]}"


def build(
    name: str, registry: ToolRegistry, settings: "GatewaySettings", caps: AnswerCaps | None = None
) -> Surface:
    """The surface of this name, with `read_result` if an answer may be cut; raises UserMistake if there is none."""
    builder = BUILDERS.get(name)
    if builder is None:
        raise errors.UserMistake(f'there is no surface "{safetext.for_terminal(name, 40)}"; choose {OFFERED}')
    made = replace(builder(registry, settings), reduction=settings.reduce, caps=caps or AnswerCaps())
    if not settings.reduce.cuts and not any(rule.cap.cuts for rule in made.caps.rules):
        return made
    return replace(made, builtin_tools={**made.builtin_tools, READ_RESULT.name: READ_RESULT})


def _why(registry: ToolRegistry, wanted: str) -> str:
    if registry.look_up(wanted) is not None:
        return "several servers have such a tool"
    return "it is held back" if registry.held_back(wanted) is not None else "no server offers it so far"


def pin_problems(registry: ToolRegistry, settings: "GatewaySettings") -> list[str]:
    """What `always_visible` names that no server has; servers that are not known yet are not reported.

    Nor are tools that are held back: agents read these lines, and people see them in the contract's own
    counts.
    """
    waiting = [server for server in registry.configured if server not in registry.servers]
    return [
        f"always_visible: {safetext.for_terminal(wanted, 100)} is not shown: {_why(registry, wanted)}"
        f"{_meant(registry, wanted)}"
        for wanted in settings.always_visible
        if not isinstance(registry.look_up(wanted), catalog.Tool)
        and registry.held_back(wanted) is None
        and not _may_come(wanted, registry, waiting)
    ]


def _may_come(wanted: str, registry: ToolRegistry, waiting: list[str]) -> bool:
    of = [server for server in registry.configured if wanted.startswith(f"{server}.")]
    return bool(set(of) & set(waiting)) or (not of and "." not in wanted and bool(waiting))


def _meant(registry: ToolRegistry, wanted: str) -> str:
    meant = suggest.did_you_mean(wanted, [tool.id for tool in registry.catalog][:_COMPARED])
    return f"; {meant}" if meant else ""


def menu_of(
    name: str, builtin_tools: Iterable[BuiltinTool], registry: ToolRegistry, settings: "GatewaySettings"
) -> Surface:
    """A surface of built-in tools, with the upstream tools that the settings pin."""
    tools: dict[str, catalog.Tool] = {}
    notes = []
    for wanted in settings.always_visible:
        found = registry.look_up(wanted)
        if isinstance(found, catalog.Tool):
            tools[registry.names.public(found)] = found
        else:
            notes.append(
                f"always_visible: {safetext.for_terminal(wanted, 100)} is not shown: {_why(registry, wanted)}"
            )
    offered = calling(builtin_tools, split=settings.split)
    asking = frozenset(tool.id for tool in tools.values() if destroys(registry.hints(tool)))
    by_name = {builtin.name: builtin for builtin in offered}
    return Surface(name, by_name, tools, settings.slim, asking, tuple(notes))


@surface("search")
def search(registry: ToolRegistry, settings: "GatewaySettings") -> Surface:
    """Three short tools, and those that are pinned."""
    return menu_of("search", (short_search(settings.split), CALL_TOOL, READ_RESULT), registry, settings)


def short_search(marks: bool = False) -> BuiltinTool:
    """`brief` is accepted but not listed: an exact name shows everything. `marks` say how to call a hit."""
    named = {name: kind for name, kind in SEARCH_TOOLS.parameters.items() if name != "brief"}
    return replace(SEARCH_TOOLS, parameters=named, answer=marked_search if marks else SEARCH_TOOLS.answer)


@surface("full")
def full(registry: ToolRegistry, settings: "GatewaySettings") -> Surface:
    """All built-in tools, and the tools that are pinned."""
    split = settings.split
    builtin_tools = (
        replace(SEARCH_TOOLS, answer=marked_search) if split else SEARCH_TOOLS,
        LIST_TOOLS,
        replace(TOOL_INFO, answer=marked_info) if split else TOOL_INFO,
        CALL_TOOL,
        CALL_TOOL_CHAIN,
        READ_RESULT,
        manage_servers_tool(settings.manage_servers),
    )
    return menu_of("full", builtin_tools, registry, settings)


@surface("code")
def code(registry: ToolRegistry, settings: "GatewaySettings") -> Surface:
    """Three short tools, and those that are pinned; a single call is one line of code."""
    return menu_of(
        "code",
        (replace(short_search(), answer=search_answer_for_code), CALL_TOOL_CHAIN, READ_RESULT),
        registry,
        settings,
    )


@surface("direct")
def direct(registry: ToolRegistry, settings: "GatewaySettings") -> Surface:
    """In the order of the config and of each server; schemas are slimmed unless the settings turn it off."""
    tools = {registry.names.public(tool): tool for tool in registry.catalog.tools}
    return Surface("direct", {}, tools, settings.slim)
