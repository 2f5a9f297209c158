"""`search_tools`: a wish in words → tools that a model can call from what it reads, a line each."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.job import FLAG, NUMBER, TEXT, Job
from toolbooth.gateway.texts.faults import absent_server
from toolbooth.gateway.texts.tool_text import definition_text, hit_text
from toolbooth.limits import MAX_HITS, MAX_QUERY
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.search import SearchResult

NAME: Final = "search_tools"
DEFAULT_HITS: Final = 8
_PARAMETERS: Final = {"query": TEXT, "limit": NUMBER, "brief": FLAG, "server": TEXT}
_ALSO: Final = 4  # other hits beside a definition, where the name is a word that may have meant more
_CUT: Final = f"The query is long: only its first {MAX_QUERY:,} characters were searched for."
_SHOWN_QUERY, _SHOWN_SERVERS = 80, 30
_SHOWN_ABSENT, _SHOWN_REASONS = 3, 600
_WORDS: Final = re.compile(r"[^\W_]{3,40}")


class Sought(NamedTuple):
    """What a call came to. `named`: the query is the very name of this tool; `found` is empty where it says all."""

    query: str
    brief: bool
    named: Tool | None
    found: "SearchResult"

    @property
    def beside(self) -> list[Tool]:
        """The hits that stand below a definition, where the name is a word that may have meant more."""
        return [hit.tool for hit in self.found.hits if hit.tool != self.named][:_ALSO]

    @property
    def tools(self) -> list[Tool]:
        """Every tool that the answer shows, in its order."""
        hits = [hit.tool for hit in self.found.hits]
        return hits if self.named is None else [self.named, *self.beside]


def seek(book: Book, given: Mapping[str, Any]) -> Sought:
    """Read the call and search; wrong arguments raise `WrongArguments`."""
    from toolbooth.search import SearchResult

    arguments = Arguments(NAME, given, _PARAMETERS)
    query = arguments.text("query", '"create an issue"')
    limit = arguments.whole("limit", DEFAULT_HITS, 1, MAX_HITS)
    brief = arguments.flag("brief", True)
    server = known_server(book, arguments.optional_text("server"))
    named = _named(book, query.strip(), server)
    searches = named is None or query.strip().isalnum()
    return Sought(query, brief, named, book.search(query, limit, server) if searches else SearchResult())


def answer(book: Book, given: Mapping[str, Any], returns: bool = False) -> str:
    """Hits for the query; the definition of a tool where the query is its name. `returns`: with what they return."""
    sought = seek(book, given)
    if sought.named is not None:
        others = [hit_text(tool, True) for tool in sought.beside]
        return "\n".join(
            [definition_text(sought.named, sought.brief), *(["also:"] if others else []), *others]
        )
    held = book.held_back(sought.query.strip())
    cut = [_CUT] if len(sought.query) > MAX_QUERY else []
    lines = [held.why] if held is not None else [] if sought.found.hits else book.held_note()
    return "\n".join([_hits_text(sought, returns), *cut, *lines, *_absent_lines(book, sought)])


def _absent_lines(book: Book, sought: Sought) -> list[str]:
    """The servers that the query speaks of and nobody can use; where nothing was found, all that lack something."""
    asked = set(_WORDS.findall(sought.query[:MAX_QUERY].lower()))
    named = [name for name in book.absent if set(_WORDS.findall(name.lower())) & asked]
    if not named and not sought.found.hits:
        named = list(book.absent)
    more = f"; and {len(named) - _SHOWN_ABSENT} more" if len(named) > _SHOWN_ABSENT else ""
    told = "; ".join(f"{name} ({book.absent[name]})" for name in named[:_SHOWN_ABSENT])
    return [f"cannot be used, so not searched: {for_terminal(told + more, _SHOWN_REASONS)}"] if named else []


def known_server(book: Book, server: str | None) -> str | None:
    """The server's name, if it is given and there is one."""
    if server is None or server in book.servers:
        return server
    if why := book.why_absent(server):
        raise WrongArguments(absent_server(why))
    names = list(book.servers)
    more = f" and {len(names) - _SHOWN_SERVERS} more" if len(names) > _SHOWN_SERVERS else ""
    listed = ", ".join(for_terminal(name, _SHOWN_QUERY) for name in names[:_SHOWN_SERVERS])
    raise WrongArguments(
        f'there is no server "{for_terminal(server, _SHOWN_QUERY)}"; there are {listed}{more}'
    )


def _named(book: Book, query: str, server: str | None) -> Tool | None:
    """The tool of this very name, of the given server if one is given."""
    found = (book.look_up(query), book.look_up(f"{server}.{query}") if server else None)
    return next((tool for tool in found if isinstance(tool, Tool) and server in (None, tool.server)), None)


def _hits_text(sought: Sought, returns: bool) -> str:
    found = sought.found
    repaired = ", ".join(f'"{word}"' for word in dict.fromkeys(found.corrected.values()))
    lines = [f"searched for {repaired}"] if repaired else []
    if not found.hits:
        asked = for_terminal(sought.query, _SHOWN_QUERY)
        terms = f" Nearest terms here: {', '.join(found.nearest)}." if found.nearest else ""
        return "\n".join([*lines, f'No tool here fits "{asked}".{terms}'])
    lines += [hit_text(hit.tool, sought.brief, rank, returns) for rank, hit in enumerate(found.hits)]
    return "\n".join([*lines, *([f"try_also: {', '.join(found.try_also)}"] if found.try_also else [])])


def answer_for_code(book: Book, given: Mapping[str, Any]) -> str:
    """Code is written before an answer is seen, so its writer is told the keys."""
    return answer(book, given, returns=True)


JOB: Final = Job(
    NAME,
    "Find tools for a task. Hits read `name(parameters) — purpose`; * is required. "
    "An exact name gives its definition.",
    _PARAMETERS,
    ("query",),
    answer=answer,
)
