"""Groups of exceptions, as task groups make them → the one error that a person has to hear of."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from toolbooth.errors import ToolboothError


@asynccontextmanager
async def alone() -> AsyncIterator[None]:
    """An error of ours leaves by itself, whatever it ended on its way; so does any that is the only one."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise _telling(group) from None


def _telling(group: BaseExceptionGroup[BaseException]) -> BaseException:
    found = list(_leaves(group))
    ours = next((each for each in found if isinstance(each, ToolboothError)), None)
    return ours or (found[0] if len(found) == 1 else group)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for each in error.exceptions:
        yield from _leaves(each)
