"""An async function → its result, on the fastest event loop that is installed."""

from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import TypeVar, TypeVarTuple

import anyio

__all__ = ["run"]

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


def run(function: Callable[[*Arguments], Awaitable[Result]], *arguments: *Arguments) -> Result:
    """uvloop where there is one, asyncio elsewhere."""
    fast = find_spec("uvloop") is not None
    return anyio.run(function, *arguments, backend="asyncio", backend_options={"use_uvloop": fast})
