"""Which tools of a server a client lets its model see, as the client's config says it.

A filter belongs to one config: the same server may have another in another client's. So it is applied where a client
is weighed and where a gateway takes tools in, and never to a server's process.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from toolbooth.catalog.tool import ServerTools

# The keys of an entry, each with its client: Gemini CLI and Amp, VS Code forks, Codex, Copilot CLI.
_ONLY: Final = ("includeTools", "enabledTools", "enabled_tools", "tools")
# Gemini CLI; Windsurf, Kiro, Roo Code, Kilo Code and Antigravity; Codex.
_WITHOUT: Final = ("excludeTools", "disabledTools", "disabled_tools")
_ALL: Final = "*"
_NOT_IN_RULES: Final = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass(frozen=True)
class ToolFilter:
    """What is let through: of all tools the `only` ones (None: all), without those in `without`, by the server's names.

    `denied` are rules of Claude Code, in which `*` stands for any text, each after the prefix that it puts before the
    server's tools. `keys` say where all this was written.
    """

    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    denied: frozenset[tuple[str, str]] = frozenset()
    keys: tuple[str, ...] = field(default=(), compare=False)

    def lets(self, tool: str) -> bool:
        """Whether the tool of this name is let through."""
        if tool in self.without or (self.only is not None and tool not in self.only):
            return False
        return not any(matches(rule, prefix + rule_name(tool)) for prefix, rule in self.denied)

    def of(self, offered: "ServerTools") -> "ServerTools":
        """What is let through of a server; the very same object if that is all of it."""
        if self == EVERY_TOOL:
            return offered
        kept = tuple(tool for tool in offered.tools if self.lets(tool.name))
        return offered if len(kept) == len(offered.tools) else replace(offered, tools=kept)

    def joined(self, other: "ToolFilter") -> "ToolFilter":
        """What both let through."""
        sets = [each.only for each in (self, other) if each.only is not None]
        return ToolFilter(
            frozenset.intersection(*sets) if sets else None,
            self.without | other.without,
            self.denied | other.denied,
            tuple(dict.fromkeys((*self.keys, *other.keys))),
        )


EVERY_TOOL: Final = ToolFilter()


def rule_name(name: str) -> str:
    """A server or a tool as Claude Code's rules name it."""
    return _NOT_IN_RULES.sub("_", name)


def matches(rule: str, name: str) -> bool:
    """Whether a rule, in which `*` stands for any text, means this name; linear, because a project writes rules."""
    first, *rest = rule.split(_ALL)
    if not rest:
        return rule == name
    *middle, last = rest
    at = len(first)
    if not name.startswith(first) or not name.endswith(last) or at + len(last) > len(name):
        return False
    for part in middle:
        found = name.find(part, at, len(name) - len(last))
        if found < 0:
            return False
        at = found + len(part)
    return True


def filter_of_entry(entry: Mapping[str, Any]) -> ToolFilter:
    """The filter that an entry of any client's config has; a key that cannot be read as names is left out."""
    found = EVERY_TOOL
    for key in (*_ONLY, *_WITHOUT):
        names = _names(entry.get(key))
        if names is None or (key in _ONLY and _ALL in names):
            continue
        said = ToolFilter(only=names, keys=(key,)) if key in _ONLY else ToolFilter(without=names, keys=(key,))
        found = found.joined(said if names or key in _ONLY else EVERY_TOOL)
    return found


def unread_filter(entry: Mapping[str, Any]) -> str:
    """The key of an entry that limits its tools in a way that `filter_of_entry` cannot read; empty if there is none."""
    written = (key for key in (*_ONLY, *_WITHOUT) if entry.get(key) is not None)
    return next((key for key in written if _names(entry[key]) is None), "")


def _names(value: object) -> frozenset[str] | None:
    """A list of names, or names in one text with commas. Gemini CLI allows `name(arguments)`."""
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        return None
    written = (spelling.strip() for item in listed for spelling in (item, item.partition("(")[0]))
    return frozenset(name for name in written if name)
