"""An async function → its result, on the fastest event loop that is installed."""

from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import TypeVar, TypeVarTuple

import anyio

from toolbooth.errors import ToolboothError

__all__ = ["run"]

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


def run(function: Callable[[*Arguments], Awaitable[Result]], *arguments: *Arguments) -> Result:
    """uvloop where there is one. An error of ours comes alone, out of whatever groups of tasks it ended."""
    fast = find_spec("uvloop") is not None
    try:
        return anyio.run(function, *arguments, backend="asyncio", backend_options={"use_uvloop": fast})
    except BaseExceptionGroup as group:
        raise _ours(group) or group from None


def _ours(group: BaseExceptionGroup[BaseException]) -> ToolboothError | None:
    for error in group.exceptions:
        found = _ours(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, ToolboothError):
            return found
    return None
