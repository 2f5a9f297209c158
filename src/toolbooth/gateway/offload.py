"""The one place that decides when work leaves the event loop.

Short work is done at once, because a thread costs 0.1 ms. Long work is done in a thread, so that nobody else
waits.
"""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio.to_thread

from toolbooth import limits

Done = TypeVar("Done")
Arguments = TypeVarTuple("Arguments")


def belongs_in_thread(size: int, quick: int = limits.REDUCE_ASIDE) -> bool:
    """Whether work on so many bytes or characters is too long for the event loop."""
    return size >= quick


async def offload(
    size: int, work: Callable[[*Arguments], Done], *arguments: *Arguments, quick: int = limits.REDUCE_ASIDE
) -> Done:
    """Run it here or in a thread, depending on the size of what is worked on."""
    if not belongs_in_thread(size, quick):
        return work(*arguments)
    return await anyio.to_thread.run_sync(work, *arguments)
