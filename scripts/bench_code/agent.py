"""The scripted agents: the calls that they write and the answers that they read. Each agent is one generator."""

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

_REF = re.compile(r"ref='([\w-]+)'")


class Call(NamedTuple):
    """One call of a tool of the menu, as the model writes it."""

    tool: str
    arguments: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The JSON that a model writes for it, which is what is counted."""
        return json.dumps({"name": self.tool, "arguments": self.arguments}, ensure_ascii=False)


# Yields the calls of a turn, is sent the texts of their answers, and returns its answer to the user.
Agent = Generator[Sequence[Call], Sequence[str], str]
Way = Callable[[], Agent]


class Endpoint(Protocol):
    """Where an agent's calls go: to the servers directly, or to a gateway."""

    @property
    def menu(self) -> int:
        """Tokens of the tools' definitions and the instructions, paid on every model call."""

    def call(self, call: Call) -> str:
        """The answer's text."""

    def made(self) -> int:
        """The number of calls that the servers got so far."""

    def peek(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool of a server answers now, at no cost: to see whether a change was made."""


def direct(name: str, **arguments: Any) -> Call:
    """A call of a server's tool in a menu that has all tools."""
    return Call(name, arguments)


def find(query: str, limit: int = 4, **more: Any) -> Call:
    return Call("search_tools", {"query": query, "limit": limit, **more})


def through(name: str, arguments: Mapping[str, Any] | None = None, **options: str) -> Call:
    """A call of a server's tool by `call_tool`; `options` are `fields` or `intent`."""
    return Call("call_tool", {"name": name, "arguments": arguments or {}, **options})


def read(answer: str, **where: Any) -> Call:
    """More of an answer that was cut, by the ref in it."""
    found = _REF.search(answer)
    return Call("read_result", {"ref": found[1] if found else "none", **where})


def chain(code: str) -> Call:
    return Call("call_tool_chain", {"code": code.strip()})


def by_code(
    searches: Sequence[Call], looks: Sequence[str], code: str, conclude: Callable[[str], str]
) -> dict[str, Way]:
    """By code: once with a look at what the tools answer first, and once as an agent that knows it already."""

    def after_looking() -> Agent:
        yield searches
        for look in looks:
            yield [chain(look)]
        [answer] = yield [chain(code)]
        return conclude(answer)

    def knowing() -> Agent:
        yield searches
        [answer] = yield [chain(code)]
        return conclude(answer)

    return {"code": after_looking, "code, known": knowing}


def data(answer: str) -> Any:
    """The JSON at the beginning of an answer; a line about its size may follow."""
    return json.JSONDecoder().raw_decode(answer.lstrip())[0]


def lines(answer: str) -> list[str]:
    return answer.strip().splitlines()
