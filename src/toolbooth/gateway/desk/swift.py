"""A `tools/call` → its answer without a task of its own: most calls, most of the time.

The event loop turns twice for such a call, once for each side; a task would make it five turns. What only passes
through is not read: arguments are checked, the result goes on as the bytes that came.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import anyio
import anyio.to_thread

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import RawResult, ServerError
from toolbooth.errors import BackendCrashed, BackendFault
from toolbooth.gateway.account import Account
from toolbooth.gateway.arguments import check_arguments
from toolbooth.gateway.aside import leaves_the_loop
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.call_report import wants_report
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.daemon.log import kind_and_place
from toolbooth.gateway.desk.calls import repeatable, said
from toolbooth.gateway.desk.eras import fitted, input_required
from toolbooth.gateway.desk.jobs import fitted_answer, wish_of
from toolbooth.gateway.desk.questions import passed_on
from toolbooth.gateway.desk.registry import Params, Result
from toolbooth.gateway.desk.shape import is_error, misshapen, misshapen_result
from toolbooth.gateway.jobs import Call
from toolbooth.gateway.refusal import Refusal, own_fault, refusal_of
from toolbooth.gateway.texts import backend_failed
from toolbooth.gateway.view import View

Finish = Callable[[Result | Refusal], None]
Abandon = Callable[[], None]
_PLAIN = {"name", "arguments"}
_PLAIN_CALL = Call("")
_logger = logging.getLogger(__name__)


class _Wanted(NamedTuple):
    """A backend's tool, its arguments, and whether it was named through our `call_tool`."""

    tool: Tool
    backend: Backend
    arguments: dict[str, Any]
    ours: bool


class _Ending:
    """How a call ends: with one row and one answer, whatever went wrong; abandoned meanwhile, it has both already."""

    def __init__(self, account: Account, finish: Finish) -> None:
        self._account, self._finish = account, finish

    def answer(self, answer: Result | Refusal, error: bool | None = None) -> None:
        if self._account.closed:
            return
        shown = None if isinstance(answer, Refusal) else answer
        wrong = shown is not None and is_error(shown) if error is None else error
        try:
            self._account.close(shown, error=wrong)
        finally:
            self._finish(answer)

    def failed(self, error: Exception) -> None:
        """A fault of our own: else the client would wait for ever, and its place be taken."""
        _logger.warning("a call failed in the gateway: %s", kind_and_place(error))
        self._account.failed(error)
        self.answer(own_fault(error), True)


def swift_call(
    view: View, caller: Caller, params: Params, finish: Finish, slowly: Callable[[], None]
) -> Abandon | None:
    """Begin the call and give back how to abandon it; None where it has to be done with a task.

    `slowly` takes over where the answer turns out to need more than to be passed on, and the row with it.
    """
    slow = caller.session.modern or "requestState" in params or wants_report(params)
    wanted = None if slow else _wanted(view, params)
    if wanted is None or check_arguments(wanted.tool, wanted.arguments):
        return None
    account = Account(view.gateway.ledger, caller.session.id, wanted.tool.server, wanted.tool.name)

    ending = _Ending(account, finish)

    def done(outcome: Result | BackendFault) -> None:
        try:
            heard(outcome)
        except Exception as error:
            ending.failed(error)

    def heard(outcome: Result | BackendFault) -> None:
        if type(outcome) is RawResult and leaves_the_loop(len(outcome.data)):
            account.answered(outcome)
            view.gateway.spawn(_read_aside, view, caller, wanted, outcome, ending, slowly)
            return
        if type(outcome) is RawResult and misshapen(outcome):
            outcome = misshapen_result(wanted.tool)
        if type(outcome) is RawResult and not _stateless(wanted.backend):
            account.answered(outcome)
            ending.answer(_fitted(view, caller, wanted, outcome) if wanted.ours else outcome)
        elif isinstance(outcome, BackendCrashed) and repeatable(wanted.tool):
            caller.retried = True
            slowly()
        elif not isinstance(outcome, BackendFault) and input_required(outcome) is not None:
            caller.first = outcome
            slowly()
        else:
            ending.answer(_answer(view, caller, wanted, outcome))

    caller.admit = view.gateway.lock.admission(wanted.tool)
    asked = passed_on(params, name=wanted.tool.name, arguments=wanted.arguments)
    abandon = wanted.backend.request_now(caller, "tools/call", asked, done)
    if abandon is None:
        return None
    caller.account = account
    view.gateway.book.used(wanted.tool.id)
    return partial(_abandon, abandon, account)


def _abandon(abandon: Abandon, account: Account) -> None:
    account.outcome, account.before = "cancelled", None  # an answer that nobody gets saves nobody anything
    account.close(None)
    abandon()


def _wanted(view: View, params: Params) -> _Wanted | None:
    name, given = params.get("name"), params.get("arguments")
    surface = view.surface
    ours = name == "call_tool" and "call_tool" in surface.jobs
    tool: object
    if ours:
        if type(given) is not dict or not given.keys() <= _PLAIN or type(given.get("name")) is not str:
            return None
        tool, given = view.gateway.book.find(given["name"]), given.get("arguments")
    else:
        tool = surface.tools.get(name) if isinstance(name, str) else None
    if not isinstance(tool, Tool) or (given is not None and type(given) is not dict):
        return None
    backend = view.gateway.backends.get(tool.server)
    if backend is None or backend.spec.transport != "stdio":
        return None
    return _Wanted(tool, backend, given or {}, ours)


async def _read_aside(
    view: View,
    caller: Caller,
    wanted: _Wanted,
    result: RawResult,
    ending: _Ending,
    slowly: Callable[[], None],
) -> None:
    """Whatever has to be read of a long result is read in a thread: everybody else would wait for it."""
    try:
        looked = await anyio.to_thread.run_sync(_looked_at, view, caller, wanted, result)
    except BackendFault as fault:
        looked = _answer(view, caller, wanted, fault), True
    except Exception as error:
        ending.failed(error)
        return
    if looked is not None:
        ending.answer(*looked)
    elif caller.account is None or not caller.account.closed:
        caller.first = result
        slowly()


def _looked_at(
    view: View, caller: Caller, wanted: _Wanted, result: RawResult
) -> tuple[Result | Refusal, bool] | None:
    """What the client gets of a long result, and whether it is an error; None where the server asks something."""
    if misshapen(result):
        return _answer(view, caller, wanted, misshapen_result(wanted.tool)), True
    passed: Result = result
    if _stateless(wanted.backend):
        if input_required(result) is not None:
            return None
        passed = fitted(result, modern=False)
    answer = _fitted(view, caller, wanted, passed) if wanted.ours else passed
    return answer, is_error(answer)


def _fitted(view: View, caller: Caller, wanted: _Wanted, result: Result) -> Result:
    """What cannot be read cannot be cut: the agent gets words instead of it."""
    try:
        return fitted_answer(
            view, caller, wish_of(view.gateway.reduction(wanted.tool.id), _PLAIN_CALL), result
        )
    except BackendFault as fault:
        caller.failed(fault)
        return said(backend_failed(fault), modern=False, error=True)


def _stateless(backend: Backend) -> bool:
    """Only results of such servers can be questions, and carry what older clients do not know."""
    return any(line.link.era.modern for line in backend.lines)


def _answer(view: View, caller: Caller, wanted: _Wanted, outcome: Result | BackendFault) -> Result | Refusal:
    if isinstance(outcome, BackendFault):
        caller.failed(outcome)
        if isinstance(outcome, ServerError) and not wanted.ours:
            return refusal_of(outcome)
        return said(backend_failed(outcome), modern=False, error=True)
    if caller.account is not None:
        caller.account.answered(outcome)
    result = fitted(outcome, modern=False)
    return _fitted(view, caller, wanted, result) if wanted.ours else result
