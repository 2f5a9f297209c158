"""A request that may fail for a while → its answer, or one fault when it is given up."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from toolbooth.limits import FIRST_BACKOFF, MAX_BACKOFF, MAX_RETRY_AFTER
from toolbooth.suite.agents.providers.faults import Failure, Judge

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Patience:
    """How often to try again, and how to wait in between; all talks of a model share its dice."""

    retries: int
    dice: Random
    sleep: Sleep

    async def keep_trying(self, ask: Callable[[], Awaitable[T]], judge: Judge) -> T:
        """Raises ProviderFault for what will not pass, and for what has not passed in time. A cancellation goes on."""
        tries = 0
        while True:
            tries += 1
            try:
                return await ask()
            except Exception as error:
                failure = judge.read(error)
            if not failure.again or tries > self.retries or (failure.wait or 0) > MAX_RETRY_AFTER:
                raise judge.fault(_with_wait(failure), tries)
            await self.sleep(self._pause(failure, tries))

    def _pause(self, failure: Failure, tries: int) -> float:
        if failure.wait is not None:
            return failure.wait
        # Anywhere below the ceiling: cells that failed together do not come back together.
        return self.dice.uniform(0, min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** (tries - 1)))


def _with_wait(failure: Failure) -> Failure:
    if (failure.wait or 0) <= MAX_RETRY_AFTER:
        return failure
    return failure._replace(line=f"{failure.line} and asks to wait {failure.wait:.0f} s")
