"""A first suite for a catalog: which tests to write, and the commented YAML file.

The user writes the prompts. Foreign text appears in the file only quoted or cleaned.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, Final, NamedTuple

from toolbooth import economics, errors, safetext
from toolbooth.catalog import Catalog, Tool
from toolbooth.suite.first_suite_servers import SuiteServerEntries, suite_server_entries

__all__ = ["FirstSuite", "FirstTest", "SuiteServerEntries", "first_suite", "suite_server_entries"]


_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}(?:[.-][A-Za-z0-9_]{1,60}){0,8}", re.ASCII)
_WORDS_OF_YAML: Final = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
_HEAD: Final = """\
# A first suite, written by `toolbooth init`. Each test checks whether an agent calls the right tool.
#
#   1. fill in every `prompt`: what a user would ask, in the user's words and not in the tool's
#   2. toolbooth validate        checks this file
#   3. toolbooth test            runs it: `model: lexical` needs no key and no network
#
# Then name a real model and record its runs with `toolbooth test --record`. CI replays the recordings for free.
"""
_DEFAULTS: Final = """\
defaults:
  model: lexical              # a baseline that matches words. Real models: anthropic:claude-sonnet-4-5, openai:gpt-5
  surface: [direct, search]   # all tools at once, and the gateway's search; each is a column of the report
"""
_NO_SERVER: Final = """\
# These tools are from a saved catalog, so there is no server to call. Name a config file that has one:
# config: .mcp.json
"""


def suite_text(tests: "Sequence[FirstTest]", servers: SuiteServerEntries, name: str) -> str:
    """YAML that is a valid suite as soon as every prompt is filled in."""
    return "".join(f"{line}\n" for line in _lines(tests, servers, name))


def scalar(text: str) -> str:
    """Any text as a value on one line: in double quotes, unless every YAML parser reads it as a plain word."""
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


def _lines(tests: "Sequence[FirstTest]", servers: SuiteServerEntries, name: str) -> Iterator[str]:
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


def _servers(servers: SuiteServerEntries) -> Iterator[str]:
    if not servers.names:
        yield _NO_SERVER.rstrip("\n")
    for variable in servers.variables:
        yield f"# Set {variable}: it replaces a secret, which is not written into this file."
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
        yield f"  # These tools look alike ({safetext.for_terminal(test.why)}): calling any one of them is right."
        yield "  # Remove those that do something else."
    hint = f": {test.hint}" if test.hint else ", which has no description"
    yield f"  - name: {scalar(test.name)}"
    yield f'    prompt: ""  # a request that needs {safetext.for_terminal(test.members[0], 80)}{hint}'
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


MOST_TESTS: Final = 8  # as many prompts as a person writes in one sitting
MOST_ALIKE: Final = 5  # of these, tests of tools that look alike
_MOST_MEMBERS: Final = 20
_LONGEST_ID: Final = 200
_NAME: Final = 60
_HINT: Final = 140
_SENTENCE: Final = re.compile(r"[.!?](?:\s|$)")


class FirstTest(NamedTuple):
    """One test: any of `members` is right. `hint` describes the first member; `why` says why they are alike."""

    name: str
    members: tuple[str, ...]
    hint: str
    why: str = ""


class FirstSuite(NamedTuple):
    """The text of the file, and its tests and servers."""

    text: str
    tests: tuple[FirstTest, ...]
    servers: SuiteServerEntries
    tools: int = 0  # the number of tools that a test could name
    possible: int = 0  # the number of tests that would name them all

    @property
    def named(self) -> int:
        """The number of tools that a test names."""
        return len({member for test in self.tests for member in test.members})


def first_suite(
    catalog: Catalog, servers: SuiteServerEntries, name: str = "first", most: int = MOST_TESTS
) -> FirstSuite:
    """A suite of at most `most` tests. Raises NothingToWeigh if there is no tool to test.

    Tools of servers that the suite cannot start are left out, unless there are no others, as in a saved catalog.
    """
    known = [tool for tool in catalog if tool.server in servers.names]
    tools = [tool for tool in known or catalog if _can_be_written(tool)]
    every = _tests(tools, most)
    tests = tuple(_uniquely_named(every[:most]))
    if not tests:
        raise errors.NothingToWeigh(
            "there is no tool to write a test for; name a server or config that has tools"
        )
    return FirstSuite(
        suite_text(tests, servers, name), tests, servers, len({tool.id for tool in tools}), len(every)
    )


def _can_be_written(tool: Tool) -> bool:
    return len(tool.id) <= _LONGEST_ID and not any("\ud800" <= letter <= "\udfff" for letter in tool.id)


def _tests(tools: Sequence[Tool], most: int) -> list[FirstTest]:
    """Every possible test, the most useful first."""
    by_id = {tool.id: tool for tool in tools}
    groups = [each for each in economics.near_duplicates(tools) if len(set(each.tools)) > 1]
    alike = [_alike([by_id[each] for each in group.tools], group.why) for group in groups]
    grouped = {member for group in groups for member in group.tools}
    single = [_single(tool) for tool in _by_usefulness(tools) if tool.id not in grouped]
    ahead = max(MOST_ALIKE, most - len(single))
    return [*alike[:ahead], *single, *alike[ahead:]]


def _alike(tools: Sequence[Tool], why: str) -> FirstTest:
    members = tuple(dict.fromkeys(tool.id for tool in tools))[:_MOST_MEMBERS]
    return FirstTest(f"{_shown(tools[0])} or one like it", members, _hint(tools[0]), why)


def _single(tool: Tool) -> FirstTest:
    return FirstTest(_shown(tool), (tool.id,), _hint(tool))


def _by_usefulness(tools: Iterable[Tool]) -> Iterator[Tool]:
    """One tool of each server in turn; destructive tools and those without a description come last."""
    ranked: dict[int, dict[str, list[Tool]]] = {0: {}, 1: {}}
    for tool in tools:
        last = (tool.annotations or {}).get("destructiveHint") is True or not tool.description.strip()
        ranked[int(last)].setdefault(tool.server, []).append(tool)
    for servers in ranked.values():
        yield from filter(None, chain.from_iterable(zip_longest(*servers.values())))


def _shown(tool: Tool) -> str:
    return safetext.for_terminal(tool.name, _NAME).strip() or "a tool"


def _hint(tool: Tool) -> str:
    """The first sentence of its description."""
    text = " ".join(tool.description[: _HINT * 8].split())
    end = _SENTENCE.search(text)
    return safetext.for_terminal(text[: end.start() + 1] if end else text, _HINT)


def _uniquely_named(tests: Iterable[FirstTest]) -> Iterator[FirstTest]:
    taken: set[str] = set()
    for test in tests:
        name, number = test.name, 2
        while name in taken:
            name, number = f"{test.name} ({number})", number + 1
        taken.add(name)
        yield test._replace(name=name)
