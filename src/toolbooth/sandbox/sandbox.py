"""Code that a model wrote × what it may reach → the value of its last expression and what it printed, or a fault."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

import anyio
from pydantic_monty import (
    CollectString,
    MontyConversionError,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySyntaxError,
    MontyTypingError,
)

from toolbooth.catalog import Tool
from toolbooth.errors import CodeFailed, CodeFault, CodeMistake, CodeStopped, SandboxFault
from toolbooth.limits import CODE_AT_ONCE, CODE_CALLS, CODE_PRINTED, CODE_SECONDS, MAX_CODE
from toolbooth.safetext import for_terminal
from toolbooth.sandbox.diagnostics import mistakes
from toolbooth.sandbox.faults import crash_fault, runtime_fault, syntax_fault, typing_fault
from toolbooth.sandbox.mentions import Mentions, mentions
from toolbooth.sandbox.signatures import help_with
from toolbooth.sandbox.values import TooMuch, plain
from toolbooth.sandbox.workers import Room, Workers
from toolbooth.sandbox.world import Furnished, World, furnish

_NOT_AWAITED: Final = "<coroutine"


class Ran(NamedTuple):
    """What a code came to: `value` is made of JSON's own types."""

    value: Any
    printed: str


class Sandbox:
    """Runs code in worker processes, one for each run; nothing of a run is left for the next."""

    def __init__(self) -> None:
        self._workers = Workers()

    async def run(
        self, code: str, world: World, *, seconds: float = CODE_SECONDS, calls: int = CODE_CALLS
    ) -> Ran:
        """Raises a CodeFault, which holds what was printed until then."""
        if not code.strip():
            raise CodeMistake("there is no code; write Python such as `await server.tool(argument=1)`")
        if len(code) > MAX_CODE:
            raise CodeMistake(f"the code is longer than {MAX_CODE:,} characters; do it in several runs")
        printed = CollectString(max_bytes=CODE_PRINTED)
        try:
            async with self._workers.room() as room:
                return await _Run(code, world, room, printed, seconds, calls).result()
        except CodeFault as fault:
            fault.printed = printed.output
            raise

    async def tidy(self) -> None:
        """To be called now and then: workers that nobody needs end."""
        await self._workers.tidy()

    async def close(self) -> None:
        """End every worker process."""
        await self._workers.close()


class _Run:
    """One run: its code, its room, its calls."""

    def __init__(
        self, code: str, world: World, room: Room, printed: CollectString, seconds: float, calls: int
    ) -> None:
        self._code, self._world, self._room, self._printed = code, world, room, printed
        self._seconds, self._calls_left, self._calls = seconds, calls, calls
        self._turns = anyio.Semaphore(CODE_AT_ONCE)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._scope = anyio.CancelScope()
        self._too_many = False

    async def result(self) -> Ran:
        self._own = asyncio.current_task()
        self._scope.deadline = anyio.current_time() + self._seconds
        value: Any = None
        try:
            with self._scope:
                value = await self._fed()
        finally:
            await self._end_calls()
        if self._too_many:
            raise CodeStopped(f"the code made more than {self._calls} calls; ask for more in fewer calls")
        if self._scope.cancelled_caught:
            raise CodeStopped(
                f"the code took longer than {self._seconds:g} s, its calls included; do less in one run"
            )
        return Ran(await self._plain(value), self._printed.output)

    async def _fed(self) -> Any:
        """Imports, then the code: checked, and then run."""
        mentioned = mentions(self._code, self._world.names)
        world = World(self._world.names, self._call, self._world.functions)
        furnished = furnish(world, mentioned)
        self._room.modules.update(furnished.modules)
        try:
            if furnished.imports:
                await self._feed(furnished.imports, furnished)
            try:
                return await self._feed(self._code, furnished)
            except MontyTypingError as error:
                self._refuse(error.display(), mentioned, furnished)
            return await self._feed(self._code, furnished, skip=True)
        except MontyError as error:
            self._fail(error)

    async def _feed(self, code: str, furnished: Furnished, *, skip: bool = False) -> Any:
        return await self._room.session.feed_run(
            code,
            external_lookup=furnished.lookup,
            print_callback=self._printed,
            skip_type_check=skip,
        )

    def _refuse(self, said: str, mentioned: Mentions, furnished: Furnished) -> None:
        found = mistakes(said, self._code, furnished.callable)
        if found:
            names = self._world.names
            raise typing_fault(found, self._code, help_with(names, mentioned), names.servers)

    def _fail(self, error: MontyError) -> NoReturn:
        match error:
            case MontySyntaxError():
                raise syntax_fault(error, self._code) from None
            case MontyRuntimeError():
                raise runtime_fault(error, self._code) from None
            case MontyCrashedError():
                raise crash_fault(error) from None
            case MontyConversionError():
                raise CodeFailed(for_terminal(str(error))) from None
            case _:
                raise SandboxFault(for_terminal(f"{type(error).__name__}: {error}")) from None

    async def _call(self, tool: Tool, arguments: dict[str, Any]) -> Any:
        """One call: counted, a few at a time, and ended with the run."""
        task = asyncio.current_task()
        if task is not None and task is not self._own:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._calls_left -= 1
        if self._calls_left < 0:
            self._too_many = True
            self._scope.cancel()
            await anyio.sleep_forever()  # that is, until the run has ended
        try:
            given = await plain(arguments)
        except TooMuch as error:
            raise ValueError(f"the arguments of {tool.id} cannot be sent: {error}") from None
        async with self._turns:
            return await self._world.call(tool, given)

    async def _end_calls(self) -> None:
        """A run that has ended leaves no call behind, whichever way it ended."""
        open_calls: Sequence[asyncio.Task[Any]] = tuple(self._tasks)
        for task in open_calls:
            task.cancel()
        if open_calls:
            with anyio.CancelScope(shield=True, deadline=anyio.current_time() + _GRACE):
                await asyncio.wait(open_calls)

    async def _plain(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith(_NOT_AWAITED):
            raise CodeMistake("the last line is a call that was not awaited: write `await` before it")
        try:
            return await plain(value)
        except TooMuch as error:
            raise CodeStopped(f"the value cannot be shown: {error}; end with less of it") from None


_GRACE: Final = 2.0  # seconds in which calls that are cancelled may say so to their servers
