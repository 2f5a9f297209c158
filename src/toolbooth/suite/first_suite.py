"""A catalog × how its servers are reached → a first suite: what to test is chosen, prompts are left to its user."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from toolbooth.catalog import Catalog, Tool
from toolbooth.economics import near_duplicates
from toolbooth.errors import NothingToWeigh
from toolbooth.safetext import for_terminal
from toolbooth.suite.first_servers import ServersOf, servers_of
from toolbooth.suite.first_suite_yaml import suite_text

__all__ = ["FirstSuite", "FirstTest", "ServersOf", "first_suite", "servers_of"]

MOST_TESTS: Final = 8  # as many as a person writes prompts for at one sitting
MOST_ALIKE: Final = 5  # of them about tools that look alike
_MOST_MEMBERS: Final = 20
_LONGEST_ID: Final = 200
_NAME: Final = 60
_HINT: Final = 140
_SENTENCE: Final = re.compile(r"[.!?](?:\s|$)")


class FirstTest(NamedTuple):
    """One test: any of `members` is right. `hint` is what the first of them says of itself, `why` why they are one."""

    name: str
    members: tuple[str, ...]
    hint: str
    why: str = ""


class FirstSuite(NamedTuple):
    """The file's text, and what is in it."""

    text: str
    tests: tuple[FirstTest, ...]
    servers: ServersOf
    tools: int = 0  # that tests could be written for
    possible: int = 0  # tests that would name them all

    @property
    def named(self) -> int:
        """Tools that stand in a test."""
        return len({member for test in self.tests for member in test.members})


def first_suite(
    catalog: Catalog, servers: ServersOf, name: str = "first", most: int = MOST_TESTS
) -> FirstSuite:
    """At most so many tests. Raises NothingToWeigh where there is no tool to write a test for.

    Tools of servers that the suite cannot start are left out; unless there are no others, as in a saved catalog.
    """
    known = [tool for tool in catalog if tool.server in servers.names]
    tools = [tool for tool in known or catalog if _can_be_written(tool)]
    every = _tests(tools, most)
    tests = tuple(_uniquely_named(every[:most]))
    if not tests:
        raise NothingToWeigh("there is no tool to write a test for")
    return FirstSuite(
        suite_text(tests, servers, name), tests, servers, len({tool.id for tool in tools}), len(every)
    )


def _can_be_written(tool: Tool) -> bool:
    return len(tool.id) <= _LONGEST_ID and not any("\ud800" <= letter <= "\udfff" for letter in tool.id)


def _tests(tools: Sequence[Tool], most: int) -> list[FirstTest]:
    """All that could be written, the most telling first."""
    by_id = {tool.id: tool for tool in tools}
    groups = [each for each in near_duplicates(tools) if len(set(each.tools)) > 1]
    alike = [_alike([by_id[each] for each in group.tools], group.why) for group in groups]
    grouped = {member for group in groups for member in group.tools}
    single = [_single(tool) for tool in _telling(tools) if tool.id not in grouped]
    ahead = max(MOST_ALIKE, most - len(single))
    return [*alike[:ahead], *single, *alike[ahead:]]


def _alike(tools: Sequence[Tool], why: str) -> FirstTest:
    members = tuple(dict.fromkeys(tool.id for tool in tools))[:_MOST_MEMBERS]
    return FirstTest(f"{_shown(tools[0])} or one like it", members, _hint(tools[0]), why)


def _single(tool: Tool) -> FirstTest:
    return FirstTest(_shown(tool), (tool.id,), _hint(tool))


def _telling(tools: Iterable[Tool]) -> Iterator[Tool]:
    """One of each server in turn, in its own order; what destroys, or says nothing of itself, comes last."""
    ranked: dict[int, dict[str, list[Tool]]] = {0: {}, 1: {}}
    for tool in tools:
        last = (tool.annotations or {}).get("destructiveHint") is True or not tool.description.strip()
        ranked[int(last)].setdefault(tool.server, []).append(tool)
    for servers in ranked.values():
        yield from filter(None, chain.from_iterable(zip_longest(*servers.values())))


def _shown(tool: Tool) -> str:
    return for_terminal(tool.name, _NAME).strip() or "a tool"


def _hint(tool: Tool) -> str:
    """The first sentence of its description."""
    text = " ".join(tool.description[: _HINT * 8].split())
    end = _SENTENCE.search(text)
    return for_terminal(text[: end.start() + 1] if end else text, _HINT)


def _uniquely_named(tests: Iterable[FirstTest]) -> Iterator[FirstTest]:
    taken: set[str] = set()
    for test in tests:
        name, number = test.name, 2
        while name in taken:
            name, number = f"{test.name} ({number})", number + 1
        taken.add(name)
        yield test._replace(name=name)
