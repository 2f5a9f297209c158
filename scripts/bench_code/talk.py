"""What an agent says and hears: calls as it writes them, answers as it reads them; one agent is one generator."""

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
        """What is counted: the JSON that a model puts out for it."""
        return json.dumps({"name": self.tool, "arguments": self.arguments}, ensure_ascii=False)


# Yields the calls of a turn, is sent their answers' texts, and returns what it tells the user.
Agent = Generator[Sequence[Call], Sequence[str], str]
Way = Callable[[], Agent]


class Door(Protocol):
    """Where an agent's calls go: the servers themselves, or a gateway."""

    @property
    def menu(self) -> int:
        """Tokens of the tools' definitions and the instructions, paid on every model call."""

    def call(self, call: Call) -> str:
        """The answer's text."""

    def made(self) -> int:
        """Calls that the servers have seen so far."""

    def peek(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool of a server says now, at nobody's cost: to see whether a change was made."""


def direct(name: str, **arguments: Any) -> Call:
    """A tool of a server, where all are in the menu."""
    return Call(name, arguments)


def find(query: str, limit: int = 4, **more: Any) -> Call:
    return Call("search_tools", {"query": query, "limit": limit, **more})


def through(name: str, arguments: Mapping[str, Any] | None = None, **wish: str) -> Call:
    """A tool of a server by `call_tool`; `fields` or `intent` as wish."""
    return Call("call_tool", {"name": name, "arguments": arguments or {}, **wish})


def read(answer: str, **where: Any) -> Call:
    """More of an answer that was cut, by the ref that stands in it."""
    found = _REF.search(answer)
    return Call("read_result", {"ref": found[1] if found else "none", **where})


def chain(code: str) -> Call:
    return Call("call_tool_chain", {"code": code.strip()})


def by_code(
    searches: Sequence[Call], looks: Sequence[str], code: str, told: Callable[[str], str]
) -> dict[str, Way]:
    """By code: with a look at what the tools answer first, and as one who knows that does it."""

    def after_looking() -> Agent:
        yield searches
        for look in looks:
            yield [chain(look)]
        [answer] = yield [chain(code)]
        return told(answer)

    def knowing() -> Agent:
        yield searches
        [answer] = yield [chain(code)]
        return told(answer)

    return {"code": after_looking, "code, known": knowing}


def data(answer: str) -> Any:
    """The JSON that an answer begins with; a line about its size may follow."""
    return json.JSONDecoder().raw_decode(answer.lstrip())[0]


def lines(answer: str) -> list[str]:
    return answer.strip().splitlines()
