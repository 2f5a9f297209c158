"""Rules that compare servers: texts that direct another server's tool, and names mistaken for another tool's."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from toolbooth import catalog
from toolbooth.contracts import contract, finding
from toolbooth.contracts.scan import lookalikes, rule
from toolbooth.contracts.scan.texts import FoundText, TextKind, texts_of
from toolbooth.contracts.words import TextWords, WordSpan, word_set

# `name:` explains one of the tool's own inputs
_NAME: Final = re.compile(r"(?<![\w./-])[A-Za-z][\w-]{7,63}+(?![\w/:=])")
_PARTS: Final = re.compile(r"[_-]|(?<=[a-z])(?=[A-Z])")
_DIRECTS: Final = word_set(
    "must always never instead before after when whenever should every all only first dont not"
)
_TAMPERS: Final = word_set(
    "recipient recipients bcc cc address number amount account change replace modify redirect append additionally also "
    "secretly forward override parameter argument"
)


class _Source(NamedTuple):
    server: str
    names: frozenset[str]


@rule.catalog_rule(
    "directs-another-servers-tool",
    finding.Level.HIGH,
    "A text that says how to use another server's tool steers that tool, even if its own tool is never called.",
)
def directs_another_servers_tool(servers: Sequence[contract.ServerDefinitions]) -> Iterator[finding.Finding]:
    owners = _owners(servers)
    for definitions in servers:
        source = _Source(definitions.server, frozenset(tool.name for tool in definitions.tools))
        yield from _of_texts(source, "", list(texts_of(definitions.own_texts)), owners)
        for tool in definitions.tools:
            yield from _of_texts(source, tool.name, list(texts_of(tool.raw)), owners)


def _owners(servers: Sequence[contract.ServerDefinitions]) -> Mapping[str, str]:
    """Names of several words that only one server has, with that server. A name on many servers is ordinary."""
    owners: dict[str, str] = {}
    for definitions in servers:
        for name in {tool.name for tool in definitions.tools}:
            if _NAME.fullmatch(name) and _PARTS.search(name):
                owners[name] = "" if name in owners else definitions.server
    return {name: server for name, server in owners.items() if server}


def _of_texts(
    source: _Source, tool: str, texts: Sequence[FoundText], owners: Mapping[str, str]
) -> Iterator[finding.Finding]:
    own = {text.text for text in texts if text.kind is not TextKind.PROSE}
    for text in texts:
        if text.kind is not TextKind.PROSE or len(text.text) < 8:
            continue
        for found in _NAME.finditer(text.text):
            name = found[0]
            if (
                name in owners
                and owners[name] != source.server
                and name not in source.names
                and name not in own
            ):
                level = _level(text.text, found)
                message = f"it names `{name}`, a tool of {owners[name]}" + _SUFFIXES[level]
                around = text.text[max(0, found.start() - 80) : found.end() + 80]
                yield finding.Finding(
                    "directs-another-servers-tool", level, source.server, tool, text.path, message, around
                )
                break


_SUFFIXES: Final = {
    finding.Level.HIGH: ", and changes what is passed to it",
    finding.Level.MEDIUM: ", and says how to use it",
    finding.Level.LOW: "",
}


def _level(text: str, found: re.Match[str]) -> finding.Level:
    words = TextWords(text[max(0, found.start() - 300) : found.end() + 300])
    at = next((i for i, start in enumerate(words.starts) if start >= min(found.start(), 300)), 0)
    sentence = (
        set(words.words_in(words.sentence_around(WordSpan(at, at), len(words.words))))
        if words.words
        else set()
    )
    if _DIRECTS.isdisjoint(sentence):
        return finding.Level.LOW
    return finding.Level.MEDIUM if _TAMPERS.isdisjoint(sentence) else finding.Level.HIGH


_SHORTEST_TYPO: Final = 8  # characters: shorter names differ by one letter by coincidence
_LONGEST_NAME: Final = 128  # characters: the limit that the protocol recommends


class _NamedTool(NamedTuple):
    server: str
    tool: catalog.Tool


@rule.catalog_rule(
    "shadowed-name",
    finding.Level.LOW,
    "If two servers offer the same name, a model may call the wrong one, and a server may intend that.",
)
def shadowed_name(servers: Sequence[contract.ServerDefinitions]) -> Iterator[finding.Finding]:
    for name, bearers in _by(servers, lambda tool: tool.name).items():
        first = bearers[0]
        several = len({bearer.server for bearer in bearers}) > 1
        if several and any(bearer.tool.digest != first.tool.digest for bearer in bearers):
            message = f"a different tool of the same name is on {_others(first, bearers)}"
            yield finding.Finding(
                "shadowed-name", finding.Level.LOW, first.server, name, "/name", message, name
            )


@rule.catalog_rule(
    "confusable-name",
    finding.Level.HIGH,
    "A name that differs from another only in look-alike letters was made to be mistaken for it.",
)
def confusable_name(servers: Sequence[contract.ServerDefinitions]) -> Iterator[finding.Finding]:
    for bearers in _by(servers, lambda tool: lookalikes.skeleton(tool.name)).values():
        for one in bearers:
            twins = [each for each in bearers if each.tool.name.lower() != one.tool.name.lower()]
            if twins:
                level = finding.Level.HIGH if not one.tool.name.isascii() else finding.Level.LOW
                twin = twins[0]
                message = f"it looks like `{twin.tool.name}` of {twin.server}, but is a different name"
                yield finding.Finding(
                    "confusable-name", level, one.server, one.tool.name, "/name", message, one.tool.name
                )


@rule.catalog_rule(
    "near-name",
    finding.Level.LOW,
    "A name that is one typing error away from another server's tool gets that tool's mistyped calls.",
)
def near_name(servers: Sequence[contract.ServerDefinitions]) -> Iterator[finding.Finding]:
    by_name = {name: bearers[0] for name, bearers in _by(servers, lambda tool: tool.name).items()}
    for one, bearer in by_name.items():
        for other in _swaps(one):
            if other > one and other in by_name and by_name[other].server != bearer.server:
                message = f"it is one swap of letters away from `{other}` of {by_name[other].server}"
                yield finding.Finding(
                    "near-name", finding.Level.LOW, bearer.server, one, "/name", message, one
                )


def _swaps(name: str) -> Iterator[str]:
    """Every swap of two neighbouring letters. Other typing errors mostly make other words: `get_block`, `get_clock`."""
    for at in range(len(name) - 1) if _SHORTEST_TYPO <= len(name) <= _LONGEST_NAME else ():
        pair = name[at : at + 2]
        if pair.isalpha() and pair[0] != pair[1]:
            yield name[:at] + pair[::-1] + name[at + 2 :]


def _by(
    servers: Sequence[contract.ServerDefinitions], key: Callable[[catalog.Tool], str]
) -> dict[str, list[_NamedTool]]:
    found: dict[str, list[_NamedTool]] = defaultdict(list)
    for definitions in servers:
        for tool in definitions.tools:
            found[key(tool)].append(_NamedTool(definitions.server, tool))
    return found


def _others(first: _NamedTool, bearers: Sequence[_NamedTool]) -> str:
    servers = list(dict.fromkeys(each.server for each in bearers if each.server != first.server))
    more = f" and {len(servers) - 3} more" if len(servers) > 3 else ""
    return ", ".join(servers[:3]) + more
