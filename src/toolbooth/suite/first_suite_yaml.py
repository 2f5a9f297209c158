"""Chosen tests → a suite file that teaches: foreign text stands in it only in quotes, or cleaned behind a `#`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from toolbooth.safetext import for_terminal
from toolbooth.suite.first_servers import ServersOf

if TYPE_CHECKING:
    from toolbooth.suite.first_suite import FirstTest

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}(?:[.-][A-Za-z0-9_]{1,60}){0,8}", re.ASCII)
_WORDS_OF_YAML: Final = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
_HEAD: Final = """\
# A first suite, written by `toolbooth init`. Each test asks: does an agent reach for the right tool?
#
#   1. write into every `prompt` what a user would ask, in a user's words and not in the tool's
#   2. toolbooth validate        is everything right?
#   3. toolbooth test            run it: `model: lexical` needs no key and no network
#
# Then name a real model, and keep what it does with `toolbooth test --record`: from then on CI replays that, for free.
"""
_DEFAULTS: Final = """\
defaults:
  model: lexical              # picks by words: a floor. A real one: anthropic:claude-sonnet-4-5, openai:gpt-5-mini, …
  surface: [direct, search]   # every tool at once, and behind the gateway's search: a column each
"""
_NO_SERVER: Final = """\
# These tools are from a saved catalog, and there is no server to call. Name a config file that has one:
# config: .mcp.json
"""


def suite_text(tests: "Sequence[FirstTest]", servers: ServersOf, name: str) -> str:
    """YAML that the reader takes as soon as every prompt is written."""
    return "".join(f"{line}\n" for line in _lines(tests, servers, name))


def scalar(text: str) -> str:
    """One value on one line, whatever the text: in double quotes, unless it is a plain word to every reader of YAML."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML:
        return text
    return '"' + "".join(map(_letter, text)) + '"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _lines(tests: "Sequence[FirstTest]", servers: ServersOf, name: str) -> Iterator[str]:
    yield _HEAD
    yield "version: 1"
    yield f"name: {scalar(name)}"
    yield ""
    yield from _servers(servers)
    yield ""
    yield _DEFAULTS.rstrip("\n")
    if servers.names:
        yield f"  servers: {_list(servers.names)}"
    yield ""
    yield "tests:"
    for test in tests:
        yield from _test(test)


def _servers(servers: ServersOf) -> Iterator[str]:
    if not servers.names:
        yield _NO_SERVER.rstrip("\n")
    for variable in servers.variables:
        yield f"# {variable} must be set: it stands for a secret, and none is written here."
    if servers.configs:
        one = len(servers.configs) == 1
        yield f"config: {scalar(servers.configs[0]) if one else _list(servers.configs)}"
    if servers.entries:
        yield "servers:"
    for name, entry in servers.entries.items():
        yield f"  {scalar(name)}:"
        yield from _entry(entry)


def _entry(entry: Mapping[str, Any]) -> Iterator[str]:
    for key, value in entry.items():
        yield f"    {key}: {scalar(value) if isinstance(value, str) else _list(value)}"


def _test(test: "FirstTest") -> Iterator[str]:
    if test.why:
        yield f"  # These look alike ({for_terminal(test.why)}): one call of any of them is right."
        yield "  # Take out those that do not do the same job."
    said = f": {test.hint}" if test.hint else ", which says nothing of itself"
    yield f"  - name: {scalar(test.name)}"
    yield f'    prompt: ""  # a request that needs {for_terminal(test.members[0], 80)}{said}'
    yield "    equal_function_sets:"
    yield "      classes:"
    yield f"        - name: {scalar(test.name)}"
    if len(test.members) == 1:
        yield f"          members: {_list(test.members)}"
    else:
        yield "          members:"
        yield from (f"            - {scalar(member)}" for member in test.members)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(scalar, texts))}]"
