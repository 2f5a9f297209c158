"""The book and a surface → what a client's model reads first: which servers there are, what for, and how to use them.

Agents do not look for what they do not know is there; but this is paid on every model call, so its tokens are counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from toolbooth.catalog import ServerTools
from toolbooth.gateway.book import Book
from toolbooth.limits import INSTRUCTION_TOKENS
from toolbooth.safetext import for_terminal

_HOW: Final = {
    "search": "Find a tool with search_tools, then call_tool with the name and parameters it shows.",
    "full": "Find a tool with search_tools, then call_tool with the name and parameters it shows.",
    "direct": "Tools are named server__tool.",
}
_NAME: Final = 40  # characters of a server's name
_LENGTHS: Final = (100, 60, 30, 15)  # characters of what a server is for: tried in turn until all fit
_LONGEST: Final = 40 * INSTRUCTION_TOKENS  # characters: far too long, and not worth counting
_WORD: Final = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_TELLS_NOTHING: Final = re.compile(
    "get|list|create|update|delete|add|remove|set|search|find|read|write|send|new|all|the|for|and|with|from|fetch|"
    "show|run|make|edit|put|post|query|execute|start|stop|check|move|copy|upload|download|tools?"
)


def instructions(book: Book, surface: str) -> str:
    """At most 120 tokens, however many servers there are: fewer words on each, then names only, then some names."""
    known = book.servers
    names = dict.fromkeys((*book.configured, *known))
    servers = [known.get(name) or ServerTools(name, ()) for name in names]
    how = _HOW.get(surface, "")
    if surface == "direct" and len(book.configured) == 1:
        how = ""
    short = [for_terminal(each.server, _NAME) for each in servers]
    if not _fits(_joined(short, how, 0)):
        return _names_only(short, how)
    texts = (_joined([_described(each, length) for each in servers], how, 0) for length in _LENGTHS)
    return next((text for text in texts if _fits(text)), _joined(short, how, 0))


def _names_only(names: Sequence[str], how: str) -> str:
    """As many names as fit, found by halving."""
    least, most = 0, len(names)
    while least < most:
        middle = (least + most + 1) // 2
        if _fits(_joined(names[:middle], how, len(names) - middle)):
            least = middle
        else:
            most = middle - 1
    return _joined(names[:least], how, len(names) - least)


def _joined(servers: Sequence[str], how: str, hidden: int) -> str:
    find = "; search_tools finds them" if "search_tools" in how else ""
    more = f" … and {hidden} more{find}" if hidden else ""
    listed = f"Servers: {'; '.join(servers)}{more}." if servers or hidden else ""
    return " ".join(part for part in (listed, how) if part)


def _fits(text: str) -> bool:
    from toolbooth.tokens import count

    return len(text) <= _LONGEST and count(text) <= INSTRUCTION_TOKENS


def _described(server: ServerTools, length: int) -> str:
    name = for_terminal(server.server, _NAME)
    purpose = _purpose(server, length)
    return f"{name} ({purpose})" if purpose else name


def _purpose(server: ServerTools, length: int) -> str:
    """The beginning of what it says of itself; else what its tools' names speak of most: a title says less."""
    said = next((each for each in (server.description, server.instructions) if each and each.strip()), "")
    things = ", ".join(_things(server, most=max(1, length // 15)))
    return _first_words(said, length) if said else things


def _first_words(text: str, length: int) -> str:
    line = for_terminal(re.split(r"(?<=[.!?])\s|\n\s*\n", text.strip(), maxsplit=1)[0], length * 4).rstrip(
        "."
    )
    if len(line) <= length:
        return line
    return line[:length].rpartition(" ")[0] + "…" if " " in line[:length] else line[: length - 1] + "…"


def _things(server: ServerTools, most: int) -> Iterable[str]:
    own = {word.lower() for word in _WORD.findall(server.server)}
    counted = Counter(
        word
        for tool in server.tools
        for word in dict.fromkeys(found.lower() for found in _WORD.findall(tool.name))
        if word not in own and not _TELLS_NOTHING.fullmatch(word)
    )
    return (word for word, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:most])
