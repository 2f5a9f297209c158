"""The instructions that a client's model reads first: which servers there are, what they are for, and how to use
them.

Agents do not look for tools they do not expect, but this text is paid on every model call, so its tokens are
counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from toolbooth import catalog, limits, safetext, tokens
from toolbooth.gateway.tool_registry import ToolRegistry

_HOW: Final = {
    "search": "Find a tool with search_tools, then call_tool with the name and parameters it shows.",
    "full": "Find a tool with search_tools, then call_tool with the name and parameters it shows.",
    "code": "Find tools with search_tools, then call them from Python with call_tool_chain.",
    "direct": "Tools are named server__tool.",
}
_CALLS: Final = ("search", "full")  # surfaces with `call_tool`, which may be split
_HOW_SPLIT: Final = (
    "Find a tool with search_tools, then call_read_tool with the name and parameters it shows, call_write_tool if it "
    "is marked [write], call_destructive_tool if [destructive]."
)
_NAME: Final = 40  # characters of a server's name
_LENGTHS: Final = (100, 60, 30, 15)  # characters of what a server is for: tried in turn until all fit
_LONGEST: Final = 40 * limits.INSTRUCTION_TOKENS  # characters: far too long, and not worth counting
_SENTENCE: Final = 400  # characters in which a first sentence must end
_END: Final = re.compile(r"(?<=[.!?])\s|\n\s*\n")
_HEADINGS: Final = re.compile(r"\A(?:\s*#[^\n]*(?:\n|\Z))+")  # a title in Markdown repeats the name
_WORD: Final = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_UNINFORMATIVE: Final = re.compile(
    "get|list|create|update|delete|add|remove|set|search|find|read|write|send|new|all|the|for|and|with|from|fetch|"
    "show|run|make|edit|put|post|query|execute|start|stop|check|move|copy|upload|download|tools?"
)


def surface_instructions(registry: ToolRegistry, surface: str, *, split: bool = False) -> str:
    """At most 120 tokens for any number of servers: fewer words on each, then only names, then some names."""
    known = registry.servers
    names = dict.fromkeys((*registry.configured, *known))
    servers = [known.get(name) or catalog.ServerTools(name, ()) for name in names]
    how = _HOW_SPLIT if split and surface in _CALLS else _HOW.get(surface, "")
    short = [safetext.for_terminal(each.server, _NAME) for each in servers]
    if not _fits(_joined(short, how, 0)):
        return _names_only(short, how)
    texts = (_joined([_described(each, length) for each in servers], how, 0) for length in _LENGTHS)
    return next((text for text in texts if _fits(text)), _joined(short, how, 0))


def _names_only(names: Sequence[str], how: str) -> str:
    """As many names as fit, found by bisection."""
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
    return len(text) <= _LONGEST and tokens.count(text) <= limits.INSTRUCTION_TOKENS


def _described(server: catalog.ServerTools, length: int) -> str:
    name = safetext.for_terminal(server.server, _NAME)
    purpose = _purpose(server, length)
    return f"{name} ({purpose})" if purpose else name


def _purpose(server: catalog.ServerTools, length: int) -> str:
    """The server's description if it is one short sentence; else what the names of its tools are about."""
    texts = (_HEADINGS.sub("", each or "") for each in (server.description, server.instructions))
    said = next((each for each in texts if each.strip()), "")
    sentence = safetext.for_terminal(_END.split(said.strip(), maxsplit=1)[0], _SENTENCE).rstrip(".")
    if said and len(sentence) <= length:
        return sentence
    return ", ".join(_things(server, most=max(1, length // 15))) or _cut(sentence, length)


def _cut(sentence: str, length: int) -> str:
    words = sentence[:length].rpartition(" ")[0]
    return f"{words or sentence[: length - 1]}…" if sentence else ""


def _things(server: catalog.ServerTools, most: int) -> Iterable[str]:
    """The words that most of its tools' names contain; a plural counts as its singular if both occur."""
    named = [{found.lower() for found in _WORD.findall(tool.name)} for tool in server.tools]
    own = {found.lower() for found in _WORD.findall(server.server)}
    known = set[str]().union(*named)
    counted = Counter(
        thing
        for words in named
        for thing in {_singular(word, known) for word in words}
        if thing not in own and not _UNINFORMATIVE.fullmatch(thing)
    )
    return (word for word, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


def _singular(word: str, known: set[str]) -> str:
    shorter = (word.removesuffix("ies") + "y", word.removesuffix("es"), word.removesuffix("s"))
    return next((each for each in shorter if each in known), word)
