"""The steps of a call, and the two paths through them: without a task for most calls, in a task for the rest.

Before a call is sent it is authorized and checked; then it is admitted and sent; its result is shaped and reduced; its
end is recorded. Both paths run the same functions and differ only in how they send.
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

from toolbooth import catalog, errors
from toolbooth.catalog.connect import ServerError
from toolbooth.gateway import agent_texts, process, public_names, session
from toolbooth.gateway.arguments import check_arguments, explain_bad_call
from toolbooth.gateway.builtin_tools import PLAIN_CALL, PLAIN_CALLS
from toolbooth.gateway.builtin_tools.split_calls import wrong_variant
from toolbooth.gateway.calls import upstream_call
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.reduce_step import as_asked
from toolbooth.gateway.calls.tool_result import ServerResult, ToolResult
from toolbooth.gateway.offload import belongs_in_thread, offload
from toolbooth.gateway.upstreams.upstream import Upstream

Answer = ToolResult | session.Refusal
Finish = Callable[[Answer], None]
Abandon = Callable[[], object]
Slowly = Callable[[Callable[[], Coroutine[Any, Any, ToolResult]]], Abandon]
_PLAIN = {"name", "arguments"}
_logger = logging.getLogger(__name__)


# -- the steps ---------------------------------------------------------------------------------------------
def before(call: CallContext) -> ToolResult | None:
    """Authorize and check. The answer, if the call is refused; no step sees it then."""
    gateway, tool = call.view.gateway, call.tool
    if not gateway.authorizer.may(call.principal, tool):  # it could, when it was found
        call.record.outcome = "unknown_tool"
        return call.said(agent_texts.not_found(public_names.UnknownName(tool.id)), error=True)
    if call.report is not None and gateway.scripts.get(tool) is None:
        call.report.called(tool, call.arguments)
    if call.asked is not None and (wrong := wrong_variant(call.view.registry, tool, call.asked.through)):
        call.record.outcome = "bad_arguments"
        return call.said(wrong, error=True)
    problems = check_arguments(tool, call.arguments)
    if problems:
        call.record.outcome = "bad_arguments"
        return call.said(explain_bad_call(tool, problems, call.menu_name), error=True)
    return None


def in_place(call: CallContext) -> ToolResult | None:
    """The added steps before the call. A result takes the place of the server's, which gets nothing then."""
    for step in call.view.gateway.steps:
        answer = step.before(call)
        if answer is not None:
            return answer
    if call.record.counted:
        call.view.gateway.registry.used(call.tool.id)
    return None


async def send(call: CallContext, received: upstream_call.Received) -> ToolResult:
    """Admit and send in a task, and translate questions. A saved script is run instead."""
    gateway, tool = call.gateway, call.tool
    script = gateway.scripts.get(tool)
    if script is not None:
        from toolbooth.gateway.calls import code_run  # imports the sandbox

        return await code_run.run_script(call, script)
    upstream = call.view.upstreams.get(tool.server)
    if upstream is None:
        raise session.Refusal(session.INTERNAL_ERROR, f"{tool.server} is no longer configured")
    result = await upstream_call.send_request(
        gateway.suspended_calls,
        upstream,
        call.caller,
        "tools/call",
        upstream_call.call_params(call.params, tool, call.arguments),
        headers=None
        if upstream.spec.transport == "stdio"
        else upstream_call.headers_of(tool, call.arguments),
        admit=gateway.lock.admission(tool),
        again=upstream_call.repeatable(tool),
        received=received,
    )
    call.record.answered(result.given)
    return result


def finished(call: CallContext, result: ToolResult) -> ToolResult:
    """Shape, the added steps, reduce. All that reads a result is done here, for a long one in a thread."""
    if result.asked is not None:
        return result
    if result.misshapen:
        raise errors.BackendProtocolError(
            "sent a result whose content is not a list of items", call.tool.server
        )
    for step in call.view.gateway.steps:
        result = step.after(call, result)
    result = result.for_version(call.caller.session.modern)
    if call.asked is not None:
        result = as_asked(call, call.asked, result)
    return result.prepare()


async def recorded(call: CallContext, answer: Awaitable[ToolResult]) -> ToolResult:
    """The answer with its row, however the call ends; a question on the way has a kind of its own."""
    try:
        result = await answer
        if call.report is not None:
            result = await offload(result.size, call.report.on, result, call.record)
        await offload(result.unread, result.prepare)
    except BaseException as error:
        call.record.failed(error)
        close(call)
        raise
    close(call, result)
    return result


def close(call: CallContext, result: ToolResult | None = None, *, sent: bool = True) -> None:
    """The record step: the row of the call, written once. What only code gets is not `sent` to a client."""
    record = call.record
    if record.closed:
        return
    if result is None:
        record.close(None)
    else:
        if result.asked is not None:
            record.asks()
        record.close(result.given if sent else None, error=result.is_error)
    for step in call.view.gateway.steps:
        try:
            step.ended(call)
        except Exception as error:  # the answer is good, and the other steps wait for the end
            _logger.warning("an added step failed at the end of a call: %s", process.error_summary(error))


def fault_answer(call: CallContext, fault: errors.BackendFault) -> Answer:
    """A failed server in words for an agent; an error that the server of a menu's tool answered, as it came."""
    call.failed(fault)
    if isinstance(fault, ServerError) and call.menu_name:
        return session.refusal_of(fault)
    return call.said(agent_texts.upstream_failed(fault), error=True)


# -- the slow path -----------------------------------------------------------------------------------------
async def call_tool(call: CallContext) -> ToolResult:
    """Call the tool of a context that is named; raises BackendFault where its server failed."""
    for step in call.gateway.steps:
        if step.waits:
            await step.prepare(call)
    refusal = before(call)
    if refusal is not None:
        return refusal
    answer = in_place(call)
    return await go_on(call) if answer is None else await finish_in_place(call, answer)


async def finish_in_place(call: CallContext, answer: ToolResult) -> ToolResult:
    """What a step answered takes the steps of a server's result."""
    return await offload(answer.size, finished, call, answer)


async def go_on(call: CallContext, received: upstream_call.Received = None) -> ToolResult:
    """The rest of a call that is checked; the fast path may have `received` something already."""
    result = await send(call, received)
    return await offload(result.size, finished, call, result)


async def in_words(call: CallContext, answer: Awaitable[ToolResult]) -> ToolResult:
    """The answer, also where the server failed."""
    try:
        return await answer
    except errors.BackendFault as fault:
        said = fault_answer(call, fault)
    if isinstance(said, session.Refusal):
        raise said
    return said


# -- the fast path -----------------------------------------------------------------------------------------
def start_call(call: CallContext, finish: Finish, slowly: Slowly) -> Abandon | None:
    """Start the call and return a function that abandons it; None if it needs a task from the beginning.

    `slowly` takes over in a task if it turns out to need one.
    """
    upstream = None if _needs_task(call) else _name(call)
    return None if upstream is None else _FastCall(call, upstream, finish, slowly).start()


def _needs_task(call: CallContext) -> bool:
    params = call.params
    if call.caller.session.modern or call.report is not None or "requestState" in params or "task" in params:
        return True
    return any(step.waits for step in call.view.gateway.steps) if call.view.gateway.steps else False


def _name(call: CallContext) -> Upstream | None:
    """Find the tool, if it belongs to a server on stdio; `call_tool` is read only where it asks nothing more."""
    name, given = call.params.get("name"), call.params.get("arguments")
    view, asked = call.view, PLAIN_CALL
    tool: object
    if isinstance(name, str) and name in PLAIN_CALLS and name in view.surface.builtin_tools:
        if type(given) is not dict or not given.keys() <= _PLAIN or type(given.get("name")) is not str:
            return None
        tool, given = view.registry.look_up(given["name"]), given.get("arguments")
        name, asked = "", PLAIN_CALLS[name]
    else:
        tool = view.surface.tools.get(name) if isinstance(name, str) else None
    if not isinstance(tool, catalog.Tool) or (given is not None and type(given) is not dict):
        return None
    upstream = view.upstreams.get(tool.server)
    if upstream is None or upstream.spec.transport != "stdio":
        return None
    call.named(tool, given or {}, menu_name=name or "", asked=asked)
    return upstream


class _FastCall:
    """One call without a task. It ends with one row and one answer, whatever goes wrong.

    The event loop turns twice for it, once for each side; a task would make it five turns.
    """

    __slots__ = ("_call", "_finish", "_leave", "_slowly", "_upstream")

    def __init__(self, call: CallContext, upstream: Upstream, finish: Finish, slowly: Slowly) -> None:
        self._call, self._upstream, self._finish, self._slowly = call, upstream, finish, slowly
        self._leave: Abandon | None = None

    def start(self) -> Abandon:
        """Run the steps before, admit and send; what ends here is answered in a task, after this returns."""
        call = self._call
        try:
            refusal = before(call)
            answer = in_place(call) if refusal is None else None
            if refusal is None and answer is None:
                self._leave = self._upstream.request_now(
                    call.caller,
                    "tools/call",
                    upstream_call.call_params(call.params, call.tool, call.arguments),
                    self._hear,
                    call.view.gateway.lock.admission(call.tool),
                )
        except Exception as error:
            return self._slowly(partial(_end, call, error))
        if refusal is not None:
            return self._slowly(partial(_end, call, refusal))
        if answer is not None:
            return self._slowly(partial(_end_in_place, call, answer))
        return self._hand_over(None) if self._leave is None else self.abandon

    def abandon(self) -> None:
        """The client wants no answer any more."""
        record = self._call.record
        record.outcome, record.before = "cancelled", None  # an answer that nobody gets saves nothing
        close(self._call)
        if self._leave is not None:
            self._leave()

    def _hear(self, outcome: ServerResult | errors.BackendFault) -> None:
        try:
            self._take(outcome)
        except Exception as error:
            self._broke(error)

    def _take(self, outcome: ServerResult | errors.BackendFault) -> None:
        call = self._call
        if isinstance(outcome, errors.BackendFault):
            if isinstance(outcome, errors.BackendCrashed) and upstream_call.repeatable(call.tool):
                self._hand_over(outcome)
            else:
                self._answer(fault_answer(call, outcome))
            return
        call.record.answered(outcome)
        result = ToolResult(outcome)
        if belongs_in_thread(result.size):
            call.view.gateway.spawn(self._finish_aside, result)
        elif result.asked is not None:
            self._hand_over(result)
        else:
            try:
                self._answer(finished(call, result))
            except errors.BackendFault as fault:
                self._answer(fault_answer(call, fault))

    async def _finish_aside(self, result: ToolResult) -> None:
        """A long result is read in a thread: everybody else would wait for it."""
        call = self._call
        try:
            done = await offload(result.size, finished, call, result)
        except errors.BackendFault as fault:
            self._answer(fault_answer(call, fault))
        except Exception as error:
            self._broke(error)
        else:
            if done.asked is None:
                self._answer(done)
            elif not call.record.closed:
                self._hand_over(done)

    def _hand_over(self, received: upstream_call.Received) -> Abandon:
        return self._slowly(partial(_take_over, self._call, received))

    def _answer(self, answer: Answer) -> None:
        """An abandoned call has its row and no answer."""
        if self._call.record.closed:
            return
        try:
            close(self._call, None if isinstance(answer, session.Refusal) else answer)
        finally:
            self._finish(answer)

    def _broke(self, error: Exception) -> None:
        """An error of our own, or a step's refusal: the client would wait for ever, and its slot would stay taken."""
        self._call.record.failed(error)
        if isinstance(error, session.Refusal):
            return self._answer(error)
        _logger.warning("a call failed in the gateway: %s", process.error_summary(error))
        return self._answer(session.internal_error(error))


async def _take_over(call: CallContext, received: upstream_call.Received) -> ToolResult:
    return await recorded(call, in_words(call, go_on(call, received)))


async def _end_in_place(call: CallContext, answer: ToolResult) -> ToolResult:
    return await recorded(call, in_words(call, finish_in_place(call, answer)))


async def _end(call: CallContext, outcome: ToolResult | Exception) -> ToolResult:
    async def ended() -> ToolResult:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return await recorded(call, in_words(call, ended()))
