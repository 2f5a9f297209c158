"""The measurement of endpoints side by side on the questions of an exam.

An endpoint that fails keeps the answers that it gave.
"""

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio

from toolbooth import catalog, errors, safetext, tokens
from toolbooth.bench.golden import GoldenQuestion
from toolbooth.bench.live.adapter import EndpointAdapter
from toolbooth.bench.live.exam import Exam
from toolbooth.bench.live.probe import Probe, open_probe
from toolbooth.catalog.connect import Peer, connected

_SOME: Final = 3

Progress = Callable[[int, int], None]
"""Gets the number of questions done so far, and their total."""
Beside = Callable[[GoldenQuestion], Awaitable[None]]
"""Sends another request to the same endpoint right after a question."""
Settle = Callable[[Peer], Awaitable[None]]
"""Waits until an endpoint has finished its work after the start; within its deadline."""


@dataclass(frozen=True)
class Endpoint:
    """What is measured, and its adapter; `environ` is the environment in which a command starts."""

    name: str
    spec: catalog.ServerSpec
    adapter: EndpointAdapter
    environ: Mapping[str, str] | None = None
    beside: Beside | None = None
    settle: Settle | None = None


@dataclass
class MeasuredEndpoint:
    """The result for one endpoint: `probe` holds its answers, `fault` says why it ended early.

    `mistake`: the adapter is for another kind of endpoint, so nothing was asked.
    """

    endpoint: Endpoint
    probe: Probe | None = None
    fault: errors.BackendFault | None = None
    mistake: errors.UserMistake | None = None
    first_ms: float | None = None
    _settled: anyio.Event = field(default_factory=anyio.Event)

    async def hold(self, exam: Exam, encoding: str, leaving: anyio.Event) -> None:
        """Connect, list, and stay connected; the deadline is that of the spec."""
        spec = self.endpoint.spec
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + spec.timeout) as deadline:
                async with connected(spec, environ=self.endpoint.environ) as peer:
                    probe = await open_probe(peer, self.endpoint.adapter, exam, encoding, spec.timeout)
                    if probe.misses:
                        self.mistake = _wrong_adapter(probe)
                        return
                    self.probe = probe
                    if self.endpoint.settle is not None:
                        await self.endpoint.settle(peer)
                    deadline.deadline = math.inf
                    self._settled.set()
                    await leaving.wait()
            if deadline.cancelled_caught:
                self._failed(
                    errors.BackendTimeout(
                        f"did not answer within {spec.timeout:g} s; raise it with --timeout"
                    )
                )
        except errors.BackendFault as fault:
            self._failed(fault)
        finally:
            self._settled.set()

    async def settled(self) -> None:
        """Wait until it is up, or has failed to start."""
        await self._settled.wait()

    async def warm_up(self, question: GoldenQuestion) -> None:
        """Ask the first question once, so that work done only once affects no other figure."""
        began = anyio.current_time()
        await self.ask(question)
        if self.probe is not None and self.fault is None:
            self.first_ms = (anyio.current_time() - began) * 1000
            self.probe.forget()

    async def ask(self, question: GoldenQuestion) -> None:
        """Ask one question, unless the endpoint is down."""
        if self.probe is None or self.fault is not None:
            return
        try:
            await self.probe.ask(question)
            if self.endpoint.beside is not None:
                await self.endpoint.beside(question)
        except errors.BackendFault as fault:
            self._failed(fault)

    def _failed(self, fault: errors.BackendFault) -> None:
        if self.fault is None:
            fault.server, spec = self.endpoint.name, self.endpoint.spec
            fault.message = catalog.redact_secrets(fault.message, spec, self.endpoint.environ)
            self.fault = fault


def _wrong_adapter(probe: Probe) -> errors.UserMistake:
    """Checked before the first question, because errors would look like answers."""
    shown = ", ".join(safetext.for_terminal(tool.name, 40) for tool in probe.menu.tools[:_SOME]) or "nothing"
    missed = ", ".join(safetext.for_terminal(name, 60) for name in probe.misses)
    more = ", …" if len(probe.menu.tools) > _SOME else ""
    return errors.UserMistake(
        f"adapter {safetext.for_terminal(probe.adapter.name, 40)} calls {missed}, which the endpoint does not offer; "
        f"it offers {shown}{more}; name another --adapter"
    )


async def measure_endpoints(
    endpoints: Sequence[Endpoint], exam: Exam, progress: Progress, encoding: str = tokens.DEFAULT_ENCODING
) -> list[MeasuredEndpoint]:
    """Measure all endpoints at once, in turn for each question, so that a busy moment of the machine affects all."""
    found = [MeasuredEndpoint(endpoint) for endpoint in endpoints]
    leaving = anyio.Event()
    async with anyio.create_task_group() as tasks:
        try:
            for each in found:
                tasks.start_soon(each.hold, exam, encoding, leaving)
            for each in found:
                await each.settled()
            await _ask_all(found, exam.questions, progress)
        finally:
            leaving.set()
    return found


async def _ask_all(
    found: Sequence[MeasuredEndpoint], questions: Sequence[GoldenQuestion], progress: Progress
) -> None:
    for each in found if questions else ():
        await each.warm_up(questions[0])
    for done, question in enumerate(questions):
        progress(done, len(questions))
        start = done % len(found)
        for each in (*found[start:], *found[:start]):
            await each.ask(question)
