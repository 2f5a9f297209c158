"""The interface between the agent loop and tools: a menu as the model sees it, and calls that report the real tools.

`open_toolbox` opens one by the name of a surface; `direct` uses no gateway.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from toolbooth import catalog, errors, safetext
from toolbooth.catalog import Catalog, ServerSpec, encode_line
from toolbooth.suite.spec.suite import SURFACES
from toolbooth.suite.trace import MadeCall


class ToolboxAnswer(NamedTuple):
    """An answer as the model reads it, and the real calls that were made."""

    text: str
    is_error: bool = False
    made: tuple[MadeCall, ...] = ()


class Toolbox(Protocol):
    """The tools of one run. `instructions` are the instructions of the servers, or of the gateway, for the model."""

    menu: tuple[Mapping[str, Any], ...]
    instructions: str
    catalog: Catalog

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolboxAnswer:
        """Call a tool of the menu. Raises BackendFault if its server fails."""
        ...

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """The real tools that this call would reach; the call is not made."""
        ...


Specs = Sequence[ServerSpec]
Environ = Mapping[str, str]
Opened = AbstractAsyncContextManager[Toolbox]


def open_toolbox(specs: Specs, surface: str, environ: Environ, cwd: Path) -> Opened:
    """`direct` uses no gateway. Entering it raises BackendFault if a server does not start."""
    if surface not in SURFACES:
        known = ", ".join(SURFACES)
        raise errors.UserMistake(
            f"unknown surface {safetext.for_terminal(surface, 40)!r}; choose one of {known}"
        )
    if surface == "direct":
        return _directly(specs, environ)
    return _through_a_gateway(specs, surface, environ, cwd)


# Both import the MCP SDK, which takes a second; a replay needs neither.
def _directly(specs: Specs, environ: Environ) -> Opened:
    from toolbooth.suite.agents.direct_toolbox import direct_toolbox

    return direct_toolbox(specs, environ)


def _through_a_gateway(specs: Specs, surface: str, environ: Environ, cwd: Path) -> Opened:
    from toolbooth.suite.agents.surface_toolbox import surface_toolbox

    return surface_toolbox(specs, surface, environ, cwd)


@asynccontextmanager
async def single_error() -> AsyncIterator[None]:
    """Replaces an exception group by the ToolboothError in it, or by its only error."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise _most_useful(group) from None


def _most_useful(group: BaseExceptionGroup[BaseException]) -> BaseException:
    found = list(_leaves(group))
    ours = next((each for each in found if isinstance(each, errors.ToolboothError)), None)
    return ours or (found[0] if len(found) == 1 else group)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for each in error.exceptions:
        yield from _leaves(each)


def sendable(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments unchanged; lone surrogates, which JSON cannot encode, become question marks."""
    try:
        encode_line(arguments)
    except UnicodeEncodeError:
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        read: dict[str, Any] = json.loads(text.encode("utf-8", "replace"))
        return read
    return arguments


_ASKS: Final = "The tool asks the user a question, which nobody can answer here."


def result_text(result: Mapping[str, Any]) -> str:
    """Text as it is, one line for any other item, and structured data only if there is no text.

    Raises BackendProtocolError.
    """
    if result.get("resultType") == "input_required":
        return _ASKS
    content = result.get("content", [])
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise errors.BackendProtocolError("sent a result whose content is not a list of items")
    lines = [catalog.block_line(each) for each in content]
    data = result.get("structuredContent")
    if data is not None and all(catalog.block_text(each) is None for each in content):
        lines.insert(0, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return "\n".join(lines)


def is_error(result: Mapping[str, Any]) -> bool:
    """Whether the tool reports a failure, or did not finish."""
    return result.get("isError") is True or result.get("resultType") == "input_required"
