"""All servers → texts of one server that name a tool of another, and say how it is to be used."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.scan.rule import whole_rule
from toolbooth.contracts.scan.texts import Kind, Text, texts_of
from toolbooth.contracts.scan.words import Span, Words
from toolbooth.contracts.served import Served
from toolbooth.contracts.word_set import word_set

_NAME: Final = re.compile(
    r"(?<![\w./-])[A-Za-z][\w-]{7,63}+(?![\w/:=])"
)  # `name:` explains an input of its own
_PARTS: Final = re.compile(r"[_-]|(?<=[a-z])(?=[A-Z])")
_DIRECTS: Final = word_set(
    "must always never instead before after when whenever should every all only first dont not"
)
_TAMPERS: Final = word_set(
    "recipient recipients bcc cc address number amount account change replace modify redirect append additionally also "
    "secretly forward override parameter argument"
)


class _Home(NamedTuple):
    server: str
    names: frozenset[str]


@whole_rule(
    "directs-another-servers-tool",
    Level.HIGH,
    "A text that says how another server's tool is to be used steers that tool without ever being called.",
)
def directs_another_servers_tool(servers: Sequence[Served]) -> Iterator[Finding]:
    owners = _owners(servers)
    for served in servers:
        home = _Home(served.server, frozenset(tool.name for tool in served.tools))
        yield from _of_texts(home, "", list(texts_of(served.said)), owners)
        for tool in served.tools:
            yield from _of_texts(home, tool.name, list(texts_of(tool.wire)), owners)


def _owners(servers: Sequence[Served]) -> Mapping[str, str]:
    """Names of several words, each with the one server that has it; what many have is an ordinary word."""
    owners: dict[str, str] = {}
    for served in servers:
        for name in {tool.name for tool in served.tools}:
            if _NAME.fullmatch(name) and _PARTS.search(name):
                owners[name] = "" if name in owners else served.server
    return {name: server for name, server in owners.items() if server}


def _of_texts(home: _Home, tool: str, texts: Sequence[Text], owners: Mapping[str, str]) -> Iterator[Finding]:
    own = {text.text for text in texts if text.kind is not Kind.PROSE}
    for text in texts:
        if text.kind is not Kind.PROSE or len(text.text) < 8:
            continue
        for found in _NAME.finditer(text.text):
            name = found[0]
            if name in owners and owners[name] != home.server and name not in home.names and name not in own:
                level = _level(text.text, found)
                message = f"it names `{name}`, a tool of {owners[name]}" + _WORDS[level]
                around = text.text[max(0, found.start() - 80) : found.end() + 80]
                yield Finding(
                    "directs-another-servers-tool", level, home.server, tool, text.path, message, around
                )
                break


_WORDS: Final = {
    Level.HIGH: ", and changes what it is given",
    Level.MEDIUM: ", and says how to use it",
    Level.LOW: "",
}


def _level(text: str, found: re.Match[str]) -> Level:
    words = Words(text[max(0, found.start() - 300) : found.end() + 300])
    at = next((i for i, start in enumerate(words.starts) if start >= min(found.start(), 300)), 0)
    said = (
        set(words.words_in(words.sentence_around(Span(at, at), len(words.words)))) if words.words else set()
    )
    if _DIRECTS.isdisjoint(said):
        return Level.LOW
    return Level.MEDIUM if _TAMPERS.isdisjoint(said) else Level.HIGH
