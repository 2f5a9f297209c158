"""What a client's model is sent at the first turn of a session: the tools of its servers as that client writes them.

Each client renames tools, cuts long texts, and may defer tools: then its model reads their names alone, and searches
for the rest. `client_profiles.py` has the facts, and says of each client whether they were observed.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from toolbooth.catalog.client_profiles import ClientProfile
from toolbooth.catalog.tool import ServerTools, Tool

_ALWAYS_LOAD: Final = "anthropic/alwaysLoad"
_ENDS: Final = 30  # characters that are kept on both sides of a name whose middle is cut
_NO_INSTRUCTIONS: Final = "Tools in the {} namespace."
_START: Final = 250  # characters of instructions that stand beside the name of a deferred server
_GOES_ON: Final = "..."


class SentText(NamedTuple):
    """A text as it is sent, how many characters it had, and whether the client has cut it."""

    text: str
    chars: int
    is_cut: bool


@dataclass(frozen=True)
class SentTool:
    """One tool. Of a `deferred` one the model reads the name alone, or that of its server; it does not know at all of
    one that is `left_out`.
    """

    tool: Tool
    namespace: str
    name: str
    description: SentText
    deferred: bool = False
    left_out: bool = False

    @property
    def whole_name(self) -> str:
        """With its namespace."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name

    def as_sent(self) -> Tool:
        """The definition that the model reads, to weigh it."""
        return Tool("", self.name, self.description.text, self.tool.input_schema)


@dataclass(frozen=True)
class FirstTurn:
    """All that MCP servers add to the first request; the client's own tools and prompt come on top of it."""

    profile: ClientProfile
    searches: bool
    tools: tuple[SentTool, ...] = ()
    instructions: dict[str, SentText] = field(default_factory=dict)

    @property
    def loaded(self) -> tuple[SentTool, ...]:
        """The tools that the model may call at once."""
        return tuple(each for each in self.tools if not each.deferred and not each.left_out)

    @property
    def deferred(self) -> tuple[SentTool, ...]:
        """Those whose names alone it reads."""
        return tuple(each for each in self.tools if each.deferred and not each.left_out)

    @property
    def names(self) -> tuple[str, ...]:
        """What it reads of these: their names, or those of their servers."""
        by_server = self.profile.defers_servers
        return tuple(
            dict.fromkeys(each.namespace if by_server else each.whole_name for each in self.deferred)
        )

    @property
    def left_out(self) -> tuple[SentTool, ...]:
        """Those that it is not told of."""
        return tuple(each for each in self.tools if each.left_out)


def first_turn(
    profile: ClientProfile,
    servers: Sequence[ServerTools],
    *,
    searching: bool = True,
    loaded: Collection[str] = (),
) -> FirstTurn:
    """The first turn for these servers, all of them connected; `loaded` are those whose entries forbid to defer."""
    number = sum(len(each.tools) for each in servers)
    searches = searching and profile.searches and number >= profile.search_from
    prefixes = _prefixes(profile, servers)
    deferred = {each.server: searches and each.server not in loaded for each in servers}
    tools = [
        _sent(profile, tool, prefixes[each.server], deferred=deferred[each.server])
        for each in servers
        for tool in each.tools
    ]
    said = {
        each.server: _instructions(profile, each, prefixes[each.server], deferred=deferred[each.server])
        for each in servers
    }
    return FirstTurn(
        profile, searches, tuple(tools), {name: text for name, text in said.items() if text.text}
    )


def _prefixes(profile: ClientProfile, servers: Sequence[ServerTools]) -> dict[str, str]:
    """What stands before the names of each server's tools; where names are cut, a number keeps two apart."""
    found: dict[str, str] = {}
    for each in servers:
        label = each.server
        if profile.server_chars is not None:
            label = (each.title or each.server).lower()
        label, mark, number = _cleaned(profile, label), "", 2
        while profile.server_chars is not None and _prefix(profile, label, mark) in found.values():
            mark, number = str(number), number + 1
        found[each.server] = _prefix(profile, label, mark)
    return found


def _prefix(profile: ClientProfile, label: str, mark: str) -> str:
    most = None if profile.server_chars is None else profile.server_chars - len(mark)
    return profile.name_prefix.format(server=label[:most] + mark)


def _cleaned(profile: ClientProfile, name: str) -> str:
    return re.sub(f"[^{profile.name_signs}]", "_", name)


def _sent(profile: ClientProfile, tool: Tool, prefix: str, *, deferred: bool) -> SentTool:
    bare = _cleaned(profile, tool.name)
    whole = bare if profile.namespaces else prefix + bare
    too_long = len(whole) > profile.name_chars
    if too_long and profile.long_names == "cut":
        whole = whole[: profile.name_chars]
    elif too_long and profile.long_names == "middle cut":
        whole = f"{whole[:_ENDS]}...{whole[-_ENDS:]}"
    return SentTool(
        tool,
        prefix.removesuffix("__") if profile.namespaces else "",
        whole,
        _cut(profile, tool.description, profile.description_chars),
        deferred=deferred and not (profile.always_loads and _always_loaded(tool)),
        left_out=too_long and profile.long_names == "left out",
    )


def _always_loaded(tool: Tool) -> bool:
    meta: object = tool.raw.get("_meta")
    return isinstance(meta, dict) and meta.get(_ALWAYS_LOAD) is True


def _instructions(profile: ClientProfile, server: ServerTools, namespace: str, *, deferred: bool) -> SentText:
    said = (server.instructions or "").strip()
    if profile.defers_servers and deferred:
        too_long = len(said) > _START
        return SentText(said[: _START - len(_GOES_ON)] + _GOES_ON if too_long else said, len(said), too_long)
    if profile.namespaces:
        said = (said or _NO_INSTRUCTIONS.format(namespace.removesuffix("__"))) if server.tools else ""
    return _cut(profile, said, profile.instruction_chars)


def _cut(profile: ClientProfile, text: str, most: int | None) -> SentText:
    too_long = most is not None and len(text) > most
    return SentText(text[:most] + profile.cut_mark if too_long else text, len(text), too_long)
