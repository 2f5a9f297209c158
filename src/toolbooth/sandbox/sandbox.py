"""The run of one piece of code: it ends with the value of the last expression and the printed text, or with a fault."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

import anyio
import anyio.to_thread
from pydantic_monty import (
    CollectString,
    MontyConversionError,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySyntaxError,
    MontyTypingError,
)

from toolbooth import catalog, errors, limits, safetext
from toolbooth.sandbox import diagnostics, faults, names, signatures, values, workers
from toolbooth.sandbox.scope import BoundScope, CodeScope, HostFunction, HostFunctionStub, bind_scope

_UNWAITED: Final = (
    "a call was not awaited, and may or may not have taken effect: write `await` before it, "
    "or pass the calls to `await asyncio.gather(…)`"
)
_RETURN_EXCEPTIONS: Final = re.compile(r"\breturn_exceptions\s*=")


class CodeResult(NamedTuple):
    """The result of a run; `value` consists of JSON's own types."""

    value: Any
    printed: str


class Sandbox:
    """Runs code in worker processes, one per run; no state of a run is left for the next."""

    def __init__(self) -> None:
        self._workers = workers.Workers()

    async def run(
        self,
        code: str,
        scope: CodeScope,
        *,
        seconds: float = limits.CODE_SECONDS,
        calls: int = limits.CODE_CALLS,
    ) -> CodeResult:
        """Run the code.

        Raises a CodeFault, which carries what was printed until then.
        """
        if not code.strip():
            raise errors.CodeMistake("there is no code; write Python such as `await server.tool(argument=1)`")
        if len(code) > limits.MAX_CODE:
            raise errors.CodeMistake(
                f"the code is longer than {limits.MAX_CODE:,} characters; split it into several runs"
            )
        printed = CollectString(max_bytes=limits.CODE_PRINTED)
        try:
            async with self._workers.checkout() as checkout:
                return await _Run(code, scope, checkout, printed, seconds, calls).result()
        except errors.CodeFault as fault:
            fault.printed = printed.output
            raise

    async def tidy(self) -> None:
        """End the workers that nobody needs; to be called now and then."""
        await self._workers.tidy()

    async def close(self) -> None:
        """End every worker process."""
        await self._workers.close()


class _Run:
    """One run: its code, its session, its calls."""

    def __init__(
        self,
        code: str,
        scope: CodeScope,
        checkout: workers.Checkout,
        printed: CollectString,
        seconds: float,
        calls: int,
    ) -> None:
        self._code, self._scope, self._checkout, self._printed = code, scope, checkout, printed
        self._seconds, self._calls_left, self._calls = seconds, calls, calls
        self._turns = anyio.Semaphore(limits.CODE_AT_ONCE)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._cancel = anyio.CancelScope()
        self._too_many = False
        self._left = 0

    async def result(self) -> CodeResult:
        self._run_task = asyncio.current_task()
        self._cancel.deadline = anyio.current_time() + self._seconds
        value: Any = None
        try:
            with self._cancel:
                value = await self._fed()
        finally:
            await self._end_calls()
        if self._too_many:
            raise errors.CodeStopped(
                f"the code made more than {self._calls} calls; ask for more in fewer calls"
            )
        if self._cancel.cancelled_caught:
            raise errors.CodeStopped(
                f"the code took longer than {self._seconds:g} s, its calls included; do less in one run"
            )
        if self._left or values.NOT_AWAITED in self._printed.output:
            raise errors.CodeFailed(_UNWAITED)
        return CodeResult(await self._plain(value), self._printed.output)

    async def _fed(self) -> Any:
        """Feed the imports, then the code, which is checked before it runs."""
        self._refuse_return_exceptions()
        if len(self._code) <= limits.ONE_LINE:
            mentioned = names.mentions(self._code, self._scope.names)
        else:  # in a thread, so that other runs need not wait for it
            mentioned = await anyio.to_thread.run_sync(names.mentions, self._code, self._scope.names)
        functions = self._scope.functions.items()
        own = {name: HostFunctionStub(each.stub, self._counted(each.call)) for name, each in functions}
        scope = CodeScope(self._scope.names, self._call, own)
        bound_scope = bind_scope(scope, mentioned)
        self._checkout.modules.update(bound_scope.modules)
        try:
            if bound_scope.imports:
                await self._feed(bound_scope.imports, bound_scope)
            try:
                return await self._feed(self._code, bound_scope)
            except MontyTypingError as error:
                self._refuse(error.display(), mentioned, bound_scope)
            return await self._feed(self._code, bound_scope, skip=True)
        except MontyError as error:
            self._fail(error)

    async def _feed(self, code: str, bound_scope: BoundScope, *, skip: bool = False) -> Any:
        return await self._checkout.session.feed_run(
            code,
            external_lookup=bound_scope.lookup,
            print_callback=self._printed,
            skip_type_check=skip,
        )

    def _refuse_return_exceptions(self) -> None:
        """Checked before the run: the sandbox itself would complain only after all calls were made."""
        found = _RETURN_EXCEPTIONS.search(self._code)
        if found is not None:
            line = len(diagnostics.source_lines(self._code[: found.start()]))
            raise errors.CodeMistake(
                f"line {line}: gather has no return_exceptions here; catch in a helper: async def one(key):\n"
                "    try: return await server.tool(key=key)\n    except RuntimeError as error: return str(error)"
            )

    def _refuse(self, said: str, mentioned: names.Mentions, bound_scope: BoundScope) -> None:
        found = diagnostics.mistakes(said, self._code, bound_scope.callable)
        if found:
            names = self._scope.names
            raise faults.typing_fault(
                found, self._code, signatures.help_with(names, mentioned), names.servers
            )

    def _fail(self, error: MontyError) -> NoReturn:
        match error:
            case MontySyntaxError():
                raise faults.syntax_fault(error, self._code) from None
            case MontyRuntimeError():
                raise faults.runtime_fault(error, self._code) from None
            case MontyCrashedError():
                raise faults.crash_fault(error) from None
            case MontyConversionError():
                raise errors.CodeFailed(safetext.for_terminal(str(error))) from None
            case _:
                raise errors.SandboxFault(safetext.for_terminal(f"{type(error).__name__}: {error}")) from None

    async def _call(self, tool: catalog.Tool, arguments: dict[str, Any]) -> Any:
        """One call of a tool."""
        await self._count()
        try:
            given = await values.plain(arguments)
        except values.NotAwaited:
            raise TypeError(
                f"an argument of {tool.id} is a call that was not awaited; write `await` first"
            ) from None
        except values.ValueTooLarge as error:
            raise ValueError(f"the arguments of {tool.id} cannot be sent: {error}") from None
        async with self._turns:
            return await self._scope.call(tool, given)

    def _counted(self, function: HostFunction) -> HostFunction:
        """A host function counts against the limit like a tool."""

        async def counted(*given: Any, **named: Any) -> Any:
            await self._count()
            async with self._turns:
                return await function(*given, **named)

        return counted

    async def _count(self) -> None:
        """Count the call, limit how many run at once, and cancel it when the run ends."""
        task = asyncio.current_task()
        if task is not None and task is not self._run_task:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._calls_left -= 1
        if self._calls_left < 0:
            self._too_many = True
            self._cancel.cancel()
            await anyio.sleep_forever()  # until the run has ended

    async def _end_calls(self) -> None:
        """Cancel all calls of a run that has ended, for whatever reason."""
        open_calls: Sequence[asyncio.Task[Any]] = tuple(self._tasks)
        self._left = len(open_calls)
        for task in open_calls:
            task.cancel()
        if open_calls:
            with anyio.CancelScope(shield=True, deadline=anyio.current_time() + _GRACE):
                await asyncio.wait(open_calls)

    async def _plain(self, value: Any) -> Any:
        try:
            return await values.plain(value)
        except values.NotAwaited:
            raise errors.CodeFailed(_UNWAITED) from None
        except values.ValueTooLarge as error:
            raise errors.CodeStopped(
                f"the value cannot be shown: {error}; end with a smaller value"
            ) from None


_GRACE: Final = 2.0  # seconds that cancelled calls have to notify their servers
