"""The tools, functions and modules that code mentions.

The names are found by regular expressions, not by a parser: those in strings and comments are found too, which costs a
line in a stub. A parser would be one more thing that hostile code could break.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from toolbooth import catalog
from toolbooth.sandbox.identifiers import HOST_NAMES, TOOLS, Namespace

# Modules that the sandbox has and that code is likely to forget to import.
FAMILIAR: Final = (
    "asyncio",
    "collections",
    "datetime",
    "functools",
    "itertools",
    "json",
    "math",
    "random",
    "re",
    "time",
)
_NAME: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?:\s*\.\s*([A-Za-z_]\w*))?")
_CHOSEN: Final = re.compile(r"(?<![\w.])tools\s*\[\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*\]")
_ANY_CHOICE: Final = re.compile(r"(?<![\w.])tools\b")
_IMPORTED: Final = re.compile(  # `\s` at the start would scan each of 60,000 empty lines 60,000 times
    r"^[ \t]*(?:import|from)[ \t]+([^\n#]*)", re.MULTILINE
)


@dataclass(frozen=True)
class Mentions:
    """`tools` by server and name as written; `chosen` as `tools["…"]`; `missing` are names that no tool has.

    `any_tool`: `tools` is used without a literal name, so that any tool may be meant.
    """

    tools: dict[str, dict[str, catalog.Tool]] = field(default_factory=dict)
    chosen: dict[str, catalog.Tool] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    chooses: bool = False
    any_tool: bool = False
    functions: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()


def mentions(code: str, names: Namespace) -> Mentions:
    """One pass over the code for names, and one for choices by text."""
    tools: dict[str, dict[str, catalog.Tool]] = {}
    missing: dict[str, None] = {}
    written: set[str] = set()
    for match in _NAME.finditer(code):
        name, attribute = match.groups()
        written.add(name)
        if name not in names.servers:
            continue
        known = names.tools_of(name)
        found = tools.setdefault(name, {})
        if attribute is None:  # passed as a value, or `from server import …`: any of its tools may be meant
            found.update(known)
        elif attribute in known:
            found[attribute] = known[attribute]
        else:
            missing[f"{name}.{attribute}"] = None
    chosen, unknown = _chosen(code, names)
    return Mentions(
        tools,
        chosen,
        (*missing, *unknown),
        TOOLS in written,
        len(_ANY_CHOICE.findall(code)) > len(_CHOSEN.findall(code)),
        (HOST_NAMES - {TOOLS}) & written,
        _familiar(code, written, names),
    )


def _chosen(code: str, names: Namespace) -> tuple[dict[str, catalog.Tool], list[str]]:
    written = {match[1] or match[2] or "" for match in _CHOSEN.finditer(code)}
    found = {text: names.by_id(text) for text in sorted(written)}
    return (
        {text: tool for text, tool in found.items() if tool is not None},
        [text for text, tool in found.items() if tool is None],
    )


def _familiar(code: str, written: set[str], names: Namespace) -> tuple[str, ...]:
    imported = set(re.findall(r"\w+", " ".join(_IMPORTED.findall(code))))
    return tuple(
        name for name in FAMILIAR if name in written and name not in imported and name not in names.servers
    )
