"""Names of tools → those that say nothing, and servers that spell theirs in several ways."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import Fault, Weighed, WeighedServer, server_rule, tool_rule
from toolbooth.contracts.lint.telling import words_of
from toolbooth.contracts.word_set import word_set

_EMPTY: Final = word_set(
    "run do execute exec process handle call invoke action tool main helper util data task job perform start go"
)
_BARE_VERBS: Final = word_set(
    "get list search query fetch read write add create update delete remove set find send open load save show"
)
_STYLES: Final = (
    ("snake_case", re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:_[a-z0-9]++)++")),
    ("kebab-case", re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:-[a-z0-9]++)++")),
    ("camelCase", re.compile(r"(?<![a-z0-9])[a-z][a-z0-9]*+(?:[A-Z][a-z0-9]*+)++")),
    ("PascalCase", re.compile(r"(?:[A-Z][a-z0-9]++){2,}+")),
)
_MOST_NAMED: Final = 4


@tool_rule(
    "generic-name",
    Level.LOW,
    "Beside other servers' tools, a name such as `run` or `get` tells a model nothing.",
)
def generic_name(weighed: Weighed) -> Iterator[Fault]:
    words = words_of(weighed.tool.name)
    if len(words) == 1 and words[0] in _EMPTY | _BARE_VERBS:
        level = Level.LOW if words[0] in _EMPTY else Level.NOTE
        yield Fault(level, "/name", "the name does not say on what it works", weighed.tool.name)


@server_rule(
    "mixed-name-styles",
    Level.NOTE,
    "Names that are spelled in several ways on one server are misspelled by models.",
)
def mixed_name_styles(server: WeighedServer) -> Iterator[Fault]:
    by_style: dict[str, list[str]] = defaultdict(list)
    for each in server.tools:
        style = _style(each.tool.name)
        if style:
            by_style[style].append(each.tool.name)
    if len(by_style) > 1:
        ranked = sorted(by_style.items(), key=lambda item: (-len(item[1]), item[0]))
        words = ", ".join(f"{len(names)} in {style}" for style, names in ranked)
        rare = [name for _, names in ranked[1:] for name in names]
        more = "…" if len(rare) > _MOST_NAMED else ""
        yield Fault(
            Level.NOTE, "/tools", f"names in several styles: {words}", ", ".join(rare[:_MOST_NAMED]) + more
        )


def _style(name: str) -> str:
    return next((style for style, pattern in _STYLES if pattern.fullmatch(name)), "")
