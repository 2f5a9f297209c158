"""The pool of worker processes: each run checks out one session with every limit set, while a spare one is prepared.

A fresh session takes the type checker 15 ms to load Python's own stubs; a spare one has done that in advance.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
from pydantic_monty import (
    AsyncMonty,
    AsyncMontySession,
    CollectString,
    ExternalModule,
    MontyError,
    ResourceLimits,
)

from toolbooth import errors, limits

_LIMITS: Final[ResourceLimits] = {
    "max_feed_duration_secs": limits.CODE_CPU,
    "max_turn_duration_secs": limits.CODE_CPU,
    "max_memory": limits.CODE_MEMORY,
    "gc_interval": 10_000,
    "max_recursion_depth": limits.CODE_RECURSION,
    "max_suspensions": limits.CODE_TURNS,
    "max_total_sleep_secs": limits.CODE_SLEEP,
}
WARM_UP: Final = "warm_up"  # the checker remembers this module, so that no server may have its name
# Seconds for the pool's threads to release what they hold; a Python that exits meanwhile aborts: 30 of 100 did.
_SETTLE: Final = 0.1
# What most code does, so that the checker has already read the parts of Python's stubs that it needs.
_FIRST_CODE: Final = """
import warm_up as _warm_up
async def _run() -> None:
    import asyncio
    async def first(*, number: int) -> dict:
        return {"rows": [number, *sorted([{"a": 1}], key=lambda each: each["a"])]}
    got = await asyncio.gather(*[first(number=at) for at in range(1)])
    rows = [each["rows"] for each in got if len(each) > 1]
    [{**each} for each in rows if _warm_up.tool is None]
await _run()
"""
_FIRST_STUB: Final = """from typing import Any, Literal, Protocol, overload
async def tool(*, a: str | None = None, b: Literal["x"] = ..., c: dict[str, Any] = ..., d: list[int] = ...) -> Any: ...
"""


@dataclass(eq=False)
class Checkout:
    """A session that was taken from the pool.

    The session reads `modules` whenever the code imports something, so entries may be added at any time.
    """

    session: AsyncMontySession
    modules: dict[str, ExternalModule] = field(default_factory=dict)


class Workers:
    """The pool; it starts at the first run and ends after some idle time. There are as many runs at once as workers."""

    def __init__(self) -> None:
        self._pool: AsyncMonty | None = None
        self._starting = anyio.Lock()
        self._spare: asyncio.Task[Checkout] | None = None
        self._releasing: set[asyncio.Task[None]] = set()
        self._in_use = 0
        self._last_used = time.monotonic()

    @asynccontextmanager
    async def checkout(self) -> AsyncIterator[Checkout]:
        """A session for one run; raises SandboxFault if none is free or none can be started."""
        self._in_use += 1
        try:
            checkout = await self._take()
            try:
                yield checkout
            finally:
                await _release(checkout)
        finally:
            self._in_use -= 1
            self._last_used = time.monotonic()
            self._make_spare()

    async def _take(self) -> Checkout:
        spare, self._spare = self._spare, None
        if spare is not None:
            try:
                checkout = await asyncio.shield(spare)
            except asyncio.CancelledError:
                self._give_back(spare)
                raise
            except Exception:  # its worker died, or there was none: a new one may still start
                return await self._open()
            if await _is_alive(checkout):
                return checkout
        return await self._open()

    async def _open(self, *, ready: bool = False) -> Checkout:
        modules: dict[str, ExternalModule] = {}
        try:
            pool = await self._started()
            session = pool.checkout(
                limits=_LIMITS,
                type_check=True,
                type_check_format="concise",
                external_modules=modules,
                os_policy={"sleep": "system", "sleep_system_max": limits.CODE_SLEEP + 1},
            )
            await session.__aenter__()
        except TimeoutError:
            raise errors.SandboxFault(
                f"{limits.CODE_WORKERS} runs of code are already under way; try again when one of them has ended"
            ) from None
        except (MontyError, OSError) as error:
            raise errors.SandboxFault(f"the sandbox cannot be started: {error}") from None
        checkout = Checkout(session, modules)
        _bound_memory(session.worker_pid)
        if ready:
            await _warm_up(checkout)
        return checkout

    async def _started(self) -> AsyncMonty:
        async with self._starting:
            if self._pool is None:
                pool = AsyncMonty(
                    min_processes=1,
                    max_processes=limits.CODE_WORKERS,
                    checkout_timeout=limits.CODE_WAIT,
                    request_timeout=limits.CODE_CPU + 2,
                    max_checkouts_per_worker=limits.CODE_REUSE,
                )
                await pool.__aenter__()
                self._pool = pool
            return self._pool

    def _make_spare(self) -> None:
        """Prepare a spare session, unless every worker may be needed by other runs."""
        if self._spare is None and self._pool is not None and self._in_use < limits.CODE_WORKERS // 2:
            self._spare = asyncio.get_running_loop().create_task(self._open(ready=True))
            self._spare.add_done_callback(_look_at)

    def _give_back(self, spare: "asyncio.Task[Checkout]") -> None:
        """Keep the session of a cancelled run as the spare; if there is one already, release its worker."""
        if self._spare is None:
            self._spare = spare
        else:
            spare.cancel()
            spare.add_done_callback(self._let_go)

    def _let_go(self, spare: "asyncio.Task[Checkout]") -> None:
        if not spare.cancelled() and spare.exception() is None:
            leaving = asyncio.get_running_loop().create_task(_release(spare.result()))
            self._releasing.add(leaving)
            leaving.add_done_callback(self._releasing.discard)

    async def tidy(self) -> None:
        """End all workers when none was used for a while."""
        if (
            self._pool is not None
            and not self._in_use
            and time.monotonic() - self._last_used > limits.CODE_IDLE
        ):
            await self.close()

    async def close(self) -> None:
        """End all workers."""
        with anyio.CancelScope(shield=True):
            spare, self._spare = self._spare, None
            if spare is not None:
                with suppress(Exception):
                    await _release(await spare)
            pool, self._pool = self._pool, None
            if pool is not None:
                await pool.__aexit__(None, None, None)
                await anyio.sleep(_SETTLE)


async def _warm_up(checkout: Checkout) -> None:
    """Raises if it fails; such a session is not used."""
    checkout.modules[WARM_UP] = ExternalModule({"tool": _nothing}, stubs=_FIRST_STUB)
    try:
        await checkout.session.feed_run(_FIRST_CODE, print_callback=CollectString())
    except BaseException:
        await _release(checkout)
        raise


async def _nothing(**_arguments: Any) -> Mapping[str, Any]:
    return {}


def _look_at(task: "asyncio.Task[Checkout]") -> None:
    """Ignore a failure to prepare the spare; the next run reports it if it persists."""
    if not task.cancelled():
        task.exception()


async def _is_alive(checkout: Checkout) -> bool:
    """Whether the session works and its run still waits for it; otherwise it is closed."""
    try:
        await checkout.session.feed_run("None", print_callback=CollectString(), skip_type_check=True)
    except BaseException as error:
        await _release(checkout)
        if not isinstance(error, MontyError):
            raise
        return False
    return True


async def _release(checkout: Checkout) -> None:
    """Give the session back. The pool ends the worker of a cancelled run."""
    with anyio.CancelScope(shield=True), suppress(MontyError):
        await checkout.session.__aexit__(None, None, None)


def _bound_memory(worker: int | None) -> None:
    """Limit the memory of the whole process; the sandbox counts only its own heap. Linux only."""
    if worker is None:
        return
    try:
        import resource

        resource.prlimit(worker, resource.RLIMIT_AS, (limits.CODE_ADDRESS_SPACE, limits.CODE_ADDRESS_SPACE))
    except (ImportError, AttributeError, OSError, ValueError):
        return
