"""The fast path of `tools/call`: an answer without a task of its own, for most calls most of the time.

The event loop turns twice for such a call, once for each side; a task would make it five turns. What is only
passed on is not parsed: arguments are checked, and the result is sent on as the bytes that came.
`upstream_call.py` is the slow path.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import anyio
import anyio.to_thread

from toolbooth import catalog, errors
from toolbooth.catalog.connect import RawResult, ServerError
from toolbooth.gateway import agent_texts, methods, process, session
from toolbooth.gateway.arguments import check_arguments
from toolbooth.gateway.builtin_tools import RequestedCall
from toolbooth.gateway.calls import builtin_call, result_format, upstream_call
from toolbooth.gateway.calls.record import CallRecord, wants_report
from toolbooth.gateway.offload import belongs_in_thread
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream

Finish = Callable[[methods.Result | session.Refusal], None]
Abandon = Callable[[], None]
_PLAIN = {"name", "arguments"}
_PLAIN_CALL = RequestedCall("")
_logger = logging.getLogger(__name__)


class _Target(NamedTuple):
    """An upstream's tool, its arguments, and whether it was named through our `call_tool`."""

    tool: catalog.Tool
    upstream: Upstream
    arguments: dict[str, Any]
    ours: bool


class _Ending:
    """Ends a call with one row and one answer, whatever went wrong; an abandoned call has both already."""

    def __init__(self, record: CallRecord, finish: Finish) -> None:
        self._record, self._finish = record, finish

    def answer(self, answer: methods.Result | session.Refusal, error: bool | None = None) -> None:
        if self._record.closed:
            return
        shown = None if isinstance(answer, session.Refusal) else answer
        wrong = shown is not None and result_format.is_error(shown) if error is None else error
        try:
            self._record.close(shown, error=wrong)
        finally:
            self._finish(answer)

    def failed(self, error: Exception) -> None:
        """An error of our own: otherwise the client would wait for ever, and its slot would stay taken."""
        _logger.warning("a call failed in the gateway: %s", process.error_summary(error))
        self._record.failed(error)
        self.answer(session.internal_error(error), True)


def fast_call(
    view: View, caller: session.Caller, params: methods.Params, finish: Finish, slowly: Callable[[], None]
) -> Abandon | None:
    """Start the call and return a function that abandons it; None if it needs a task.

    `slowly` takes over, together with the row, if the answer needs more than to be passed on.
    """
    slow = caller.session.modern or "requestState" in params or wants_report(params)
    wanted = None if slow else _target(view.seen_by(caller.session.principal), params)
    if wanted is None or check_arguments(wanted.tool, wanted.arguments):
        return None
    record = CallRecord(view.gateway.ledger, caller.session.id, wanted.tool.server, wanted.tool.name)

    ending = _Ending(record, finish)

    def done(outcome: methods.Result | errors.BackendFault) -> None:
        try:
            heard(outcome)
        except Exception as error:
            ending.failed(error)

    def heard(outcome: methods.Result | errors.BackendFault) -> None:
        if type(outcome) is RawResult and belongs_in_thread(len(outcome.data)):
            record.answered(outcome)
            view.gateway.spawn(_finish_in_thread, view, caller, wanted, outcome, ending, slowly)
            return
        if type(outcome) is RawResult and result_format.misshapen(outcome):
            outcome = result_format.misshapen_result(wanted.tool)
        if type(outcome) is RawResult and not _stateless(wanted.upstream):
            record.answered(outcome)
            ending.answer(_fitted(view, caller, wanted, outcome) if wanted.ours else outcome)
        elif isinstance(outcome, errors.BackendCrashed) and upstream_call.repeatable(wanted.tool):
            caller.retried = True
            slowly()
        elif (
            not isinstance(outcome, errors.BackendFault) and result_format.input_required(outcome) is not None
        ):
            caller.first = outcome
            slowly()
        else:
            ending.answer(_answer(view, caller, wanted, outcome))

    caller.admit = view.gateway.lock.admission(wanted.tool)
    asked = upstream_call.passed_on(params, name=wanted.tool.name, arguments=wanted.arguments)
    abandon = wanted.upstream.request_now(caller, "tools/call", asked, done)
    if abandon is None:
        return None
    caller.record = record
    view.gateway.registry.used(wanted.tool.id)
    return partial(_abandon, abandon, record)


def _abandon(abandon: Abandon, record: CallRecord) -> None:
    record.outcome, record.before = "cancelled", None  # an answer that nobody gets saves nothing
    record.close(None)
    abandon()


def _target(view: View, params: methods.Params) -> _Target | None:
    name, given = params.get("name"), params.get("arguments")
    surface = view.surface
    ours = name == "call_tool" and "call_tool" in surface.builtin_tools
    tool: object
    if ours:
        if type(given) is not dict or not given.keys() <= _PLAIN or type(given.get("name")) is not str:
            return None
        tool, given = view.registry.find(given["name"]), given.get("arguments")
    else:
        tool = surface.tools.get(name) if isinstance(name, str) else None
    if not isinstance(tool, catalog.Tool) or (given is not None and type(given) is not dict):
        return None
    upstream = view.upstreams.get(tool.server)
    if upstream is None or upstream.spec.transport != "stdio":
        return None
    return _Target(tool, upstream, given or {}, ours)


async def _finish_in_thread(
    view: View,
    caller: session.Caller,
    wanted: _Target,
    result: RawResult,
    ending: _Ending,
    slowly: Callable[[], None],
) -> None:
    """A long result that has to be parsed is parsed in a thread: everybody else would wait for it."""
    try:
        looked = await anyio.to_thread.run_sync(_looked_at, view, caller, wanted, result)
    except errors.BackendFault as fault:
        looked = _answer(view, caller, wanted, fault), True
    except Exception as error:
        ending.failed(error)
        return
    if looked is not None:
        ending.answer(*looked)
    elif caller.record is None or not caller.record.closed:
        caller.first = result
        slowly()


def _looked_at(
    view: View, caller: session.Caller, wanted: _Target, result: RawResult
) -> tuple[methods.Result | session.Refusal, bool] | None:
    """What the client gets of a long result, and whether it is an error; None if the server asks something."""
    if result_format.misshapen(result):
        return _answer(view, caller, wanted, result_format.misshapen_result(wanted.tool)), True
    passed: methods.Result = result
    if _stateless(wanted.upstream):
        if result_format.input_required(result) is not None:
            return None
        passed = result_format.fitted(result, modern=False)
    answer = _fitted(view, caller, wanted, passed) if wanted.ours else passed
    return answer, result_format.is_error(answer)


def _fitted(view: View, caller: session.Caller, wanted: _Target, result: methods.Result) -> methods.Result:
    """A result that cannot be parsed cannot be reduced: the agent gets a message instead."""
    try:
        return builtin_call.fitted_answer(
            view,
            caller,
            builtin_call.reduce_options(view.gateway.reduction(wanted.tool.id), _PLAIN_CALL),
            result,
        )
    except errors.BackendFault as fault:
        caller.failed(fault)
        return upstream_call.said(agent_texts.upstream_failed(fault), modern=False, error=True)


def _stateless(upstream: Upstream) -> bool:
    """Only results of such servers can be questions, and contain what older clients do not know."""
    return any(connection.peer.protocol.modern for connection in upstream.connections)


def _answer(
    view: View, caller: session.Caller, wanted: _Target, outcome: methods.Result | errors.BackendFault
) -> methods.Result | session.Refusal:
    if isinstance(outcome, errors.BackendFault):
        caller.failed(outcome)
        if isinstance(outcome, ServerError) and not wanted.ours:
            return session.refusal_of(outcome)
        return upstream_call.said(agent_texts.upstream_failed(outcome), modern=False, error=True)
    if caller.record is not None:
        caller.record.answered(outcome)
    result = result_format.fitted(outcome, modern=False)
    return _fitted(view, caller, wanted, result) if wanted.ours else result
