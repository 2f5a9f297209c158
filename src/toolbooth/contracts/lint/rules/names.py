"""Lint of names: names that say nothing, mixed spelling styles, and tools that a model would confuse."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth import economics
from toolbooth.contracts import contract, finding
from toolbooth.contracts.lint.rule import (
    LintFault,
    WeighedServer,
    WeighedTool,
    catalog_rule,
    server_rule,
    tool_rule,
)
from toolbooth.contracts.words import word_set, words_of

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
_MOST_STYLED_NAMES: Final = 4


@tool_rule(
    "generic-name",
    finding.Level.LOW,
    "Beside other servers' tools, a name such as `run` or `get` tells a model nothing.",
)
def generic_name(weighed: WeighedTool) -> Iterator[LintFault]:
    words = words_of(weighed.tool.name)
    if len(words) == 1 and words[0] in _EMPTY | _BARE_VERBS:
        level = finding.Level.LOW if words[0] in _EMPTY else finding.Level.NOTE
        yield LintFault(level, "/name", "the name does not say what the tool works on", weighed.tool.name)


@server_rule(
    "mixed-name-styles",
    finding.Level.NOTE,
    "Models misspell names where one server uses several naming styles.",
)
def mixed_name_styles(server: WeighedServer) -> Iterator[LintFault]:
    by_style: dict[str, list[str]] = defaultdict(list)
    for each in server.tools:
        style = _style(each.tool.name)
        if style:
            by_style[style].append(each.tool.name)
    if len(by_style) > 1:
        ranked = sorted(by_style.items(), key=lambda item: (-len(item[1]), item[0]))
        words = ", ".join(f"{len(names)} in {style}" for style, names in ranked)
        rare = [name for _, names in ranked[1:] for name in names]
        more = "…" if len(rare) > _MOST_STYLED_NAMES else ""
        yield LintFault(
            finding.Level.NOTE,
            "/tools",
            f"names in several styles: {words}",
            ", ".join(rare[:_MOST_STYLED_NAMES]) + more,
        )


def _style(name: str) -> str:
    return next((style for style, pattern in _STYLES if pattern.fullmatch(name)), "")


_MOST_LOOK_ALIKES: Final = 3


@catalog_rule(
    "near-duplicate",
    finding.Level.LOW,
    "Of two tools that look alike a model picks one by chance, and both are paid for.",
)
def near_duplicate(servers: Sequence[WeighedServer]) -> Iterator[finding.Finding]:
    catalog = contract.catalog_of(server.definitions for server in servers)
    weights = {each.tool.id: each.weight.tokens for server in servers for each in server.tools}
    homes = {tool.id: tool for tool in catalog}
    for cluster in economics.near_duplicates(catalog, weights):
        first = homes[cluster.tools[0]]
        others = ", ".join(cluster.tools[1 : _MOST_LOOK_ALIKES + 1])
        more = (
            f" and {len(cluster.tools) - _MOST_LOOK_ALIKES - 1} more"
            if len(cluster.tools) > _MOST_LOOK_ALIKES + 1
            else ""
        )
        level = finding.Level.LOW if cluster.within_one_server else finding.Level.NOTE
        words = f"a model may confuse it with {others}{more}: {cluster.why}"
        yield finding.Finding(
            "near-duplicate",
            level,
            first.server,
            first.name,
            "/name",
            words,
            first.name,
            cluster.saving_tokens,
        )
