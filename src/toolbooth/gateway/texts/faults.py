"""What went wrong → one or two short sentences that tell an agent what happened and what to do."""

from collections.abc import Collection, Mapping
from typing import Final

from toolbooth.catalog import Tool
from toolbooth.errors import (
    BackendBusy,
    BackendCrashed,
    BackendFault,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendResting,
    BackendTimeout,
    FrameTooLarge,
    SignInNeeded,
    ToolHeldBack,
)
from toolbooth.gateway.book import Book
from toolbooth.gateway.names import Ambiguous, Unknown
from toolbooth.safetext import fault_for_terminal, for_terminal

_NAME: Final = 100  # characters of a name that an agent wrote
_COMPLETE: Final = 600  # of a line that names a tool twice and holds its own advice
_MAY_HAVE_HAPPENED: Final = "The call may have had its effect: check before you repeat it"
_NOT_SENT: Final = "The call did not reach the server"
_TELL: Final = "Calling again will not help; tell the user"
# The nearest class of a fault's family gives the advice.
_ADVICE: Final[Mapping[type[BackendFault], str]] = {
    BackendNotFound: _TELL,
    BackendCrashed: f"{_MAY_HAVE_HAPPENED}. The server is started again at the next call",
    BackendTimeout: f"{_MAY_HAVE_HAPPENED}, or ask for less",
    BackendRefused: "Mend the call, or use another tool",
    SignInNeeded: _TELL,
    BackendResting: "Use another tool, or try later",
    BackendBusy: "Make fewer calls at once",
    BackendProtocolError: _TELL,
    FrameTooLarge: "Ask for less: a narrower filter, a smaller limit, one page",
    BackendFault: "Use another tool, or tell the user",
}
# For a call that ended before anything of it was sent: at the server's start, say.
_ADVICE_UNSENT: Final[Mapping[type[BackendFault], str]] = {
    **_ADVICE,
    BackendCrashed: f"{_NOT_SENT}. The server is started again at the next call",
    BackendTimeout: f"{_NOT_SENT}. Try later, or use another tool",
}


def backend_failed(fault: BackendFault) -> str:
    """What a server did instead of answering, cleaned, and what to do now."""
    if isinstance(fault, ToolHeldBack):
        return for_terminal(str(fault), _COMPLETE)
    said = fault_for_terminal(str(fault)).rstrip(".")
    advices = _ADVICE if fault.sent else _ADVICE_UNSENT
    advice = next(advices[kind] for kind in type(fault).__mro__ if kind in advices)
    return f"{said}. {advice}."


def unknown_tool(book: Book, name: str, jobs: Collection[str] = ("call_tool",)) -> str:
    """Why a name is not one of the menu. Without `jobs` it holds every tool by its public name, and no search."""
    found = book.find(name)
    if isinstance(found, Unknown) and (found.held is not None or found.absent):
        return not_found(found)
    if not jobs:
        ids = found.nearest if isinstance(found, Unknown) else _ids(found)
        public = (book.names.public(tool) for tool in map(book.look_up, ids) if isinstance(tool, Tool))
        return _no_such_tool(name, tuple(public))
    if isinstance(found, Tool):
        shown = for_terminal(found.id)
        by_name, by_code = (
            f'call_tool(name="{shown}", arguments={{…}})',
            f'call_tool_chain(code="await {shown}(…)")',
        )
        use = by_name if "call_tool" in jobs else by_code
        return f'"{for_terminal(name, _NAME)}" is not in this menu: use {use}.'
    return not_found(found)


def _ids(found: Tool | Ambiguous) -> tuple[str, ...]:
    return (found.id,) if isinstance(found, Tool) else found.candidates


def ambiguous_tool(found: Ambiguous) -> str:
    """Which tools a name may mean."""
    name = for_terminal(found.name, _NAME)
    return f'Several tools are called "{name}": {_listed(found.candidates)}. Use one of these.'


def not_found(found: Ambiguous | Unknown) -> str:
    """Ambiguous: the candidates. Unknown: the nearest names, or why the tool of this name is held back."""
    if isinstance(found, Ambiguous):
        return ambiguous_tool(found)
    if found.held is not None:
        return found.held.why
    if found.absent:
        return f"{_no_such_tool(found.name, ())} {absent_server(found.absent)}"
    return f"{_no_such_tool(found.name, found.nearest)} search_tools finds tools by what they do."


def absent_server(why: str) -> str:
    """Why a server cannot be used, for an agent that cannot mend it."""
    return f"{for_terminal(why, _COMPLETE).rstrip('.')}. {_TELL}."


def _no_such_tool(name: str, nearest: tuple[str, ...]) -> str:
    said = f" Nearest: {_listed(nearest)}." if nearest else ""
    return f'There is no tool "{for_terminal(name, _NAME)}".{said}'


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(for_terminal(name) for name in names)
