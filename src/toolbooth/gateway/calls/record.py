"""The record of one call while it is made: its row in the ledger, and the report that a client may ask for.

A call has one row, however it ends. A client that sends `"toolbooth/calls": true` in the `_meta` of a
`tools/call` gets the calls that were made, and the first error of a server, under the same key in the
result's `_meta`.
"""

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from toolbooth import access, catalog, errors, limits, safetext, store
from toolbooth.catalog.connect import RawResult, ServerError
from toolbooth.errors import (
    BackendBusy,
    BackendCrashed,
    BackendFault,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendResting,
    BackendTimeout,
    CodeFailed,
    CodeMistake,
    CodeStopped,
    SandboxFault,
    SignInNeeded,
    ToolHeldBack,
    WrongArguments,
)
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.ledger import EndedCall, Ledger
from toolbooth.gateway.ledger.ledger import Menu

if TYPE_CHECKING:
    from toolbooth.gateway.gateway import Gateway
    from toolbooth.gateway.session import Caller

SOME_TOOL = "tools/call"  # a name that no tool has may be anything that a client wrote: it is not stored
Payload = RawResult | dict[str, object] | Menu | None
KINDS = {
    "search_tools": "discovery",
    "list_tools": "discovery",
    "tool_info": "discovery",
    "read_result": "read",
    "manage_servers": "servers",
    "call_tool_chain": store.CODE,
}
# Specific classes first: the first class that an error belongs to names its outcome.
_OUTCOMES = (
    (SignInNeeded, "sign_in_needed"),
    (BackendRefused, "refused"),
    (BackendCrashed, "crashed"),
    (BackendTimeout, "timeout"),
    (BackendNotFound, "not_found"),
    (BackendResting, "resting"),
    (BackendBusy, "busy"),
    (ToolHeldBack, "held_back"),
    (BackendProtocolError, "protocol_error"),
    (WrongArguments, "bad_arguments"),
    (CodeMistake, "code_mistake"),
    (CodeStopped, "code_stopped"),
    (CodeFailed, "code_failed"),
    (SandboxFault, "no_sandbox"),
)


class CallRecord:
    """Who called what. `outcome` is set if the answer itself does not show how the call ended."""

    __slots__ = (
        "_began",
        "_calls_are",
        "_ledger",
        "_measured",
        "_principal",
        "_session",
        "before",
        "closed",
        "kind",
        "ms",
        "outcome",
        "server",
        "steps",
        "tool",
    )

    def __init__(
        self,
        ledger: Ledger | None,
        session: str,
        server: str = store.BUILTIN_SERVER,
        tool: str = SOME_TOOL,
        *,
        principal: str = store.LOCAL_PRINCIPAL,
        in_code: bool = False,
        measured: bool = False,
    ) -> None:
        self._ledger, self._session, self._principal = ledger, session, principal
        self._calls_are = store.CODE_CALL if in_code else store.CALL
        self._measured = measured
        self.server, self.tool, self.kind = server, tool, self._calls_are
        self.before: Payload = None
        self.outcome = ""
        self.steps: tuple[str, ...] = ()
        self.ms: float | None = None
        self._began = perf_counter()
        self.closed = False

    @property
    def counted(self) -> bool:
        """Whether it is a call of the user's agents: search ranks what they call a little higher."""
        return self._ledger is not None and not self._measured

    def builtin(self, tool: str) -> None:
        """It is a call of a built-in tool."""
        self.server, self.tool, self.kind = store.BUILTIN_SERVER, tool, KINDS.get(tool, self._calls_are)

    def named(self, server: str, tool: str) -> None:
        """It turned out to be a call of this tool."""
        self.server, self.tool, self.kind = server, tool, self._calls_are

    def returned(self, result: Payload) -> None:
        """A client's code has ended with this; what it read on the way has rows of its own."""
        if (
            self._calls_are == store.CALL
        ):  # what only other code reads is represented by that code's own calls
            self.kind = store.CODE
            self.answered(result)

    def answered(self, result: Payload) -> None:
        """The server has answered; what follows is our own work."""
        self.before, self.ms = result, self._elapsed()

    def cut(self, read: Payload, steps: tuple[str, ...]) -> None:
        """The result was parsed and cut: it need not be parsed again to be measured."""
        self.steps = steps
        if self.before is not None:
            self.before = read

    def asks(self) -> None:
        """The server asks back: the client comes again with the answer, or never."""
        self.kind, self.outcome, self.before = store.QUESTION, "input_required", None

    def failed(self, error: BaseException) -> None:
        """The call ends without a result of its server, or nobody receives it."""
        self.outcome, self.before = self.outcome or outcome_of(error), None

    def close(self, after: Payload, error: bool = False) -> None:
        """Write the row: once, however often this is called."""
        if self.closed:
            return
        self.closed = True
        if self._ledger is None:  # see `new_record`
            return
        self._ledger.record(
            EndedCall(
                self.server,
                self.tool,
                self._session,
                store.MEASURED if self._measured else self.kind,
                self._elapsed() if self.ms is None else self.ms,
                self.outcome or ("tool_error" if error else "ok"),
                self.before,
                after,
                self.steps,
                self._principal,
            )
        )

    def _elapsed(self) -> float:
        return (perf_counter() - self._began) * 1000


def new_record(
    gateway: "Gateway",
    caller: "Caller",
    server: str = store.BUILTIN_SERVER,
    tool: str = SOME_TOOL,
    *,
    in_code: bool = False,
) -> CallRecord:
    """The row of a call that begins now.

    It has none if the ledger is off, or if a client of the local user only measures. That is the client's own word:
    whoever has a key cannot hide a call with it, and leaves a row that no sum counts.
    """
    session, measures = caller.session, caller.client_identity.measures
    off = gateway.settings.ledger == "off" or (measures and session.principal == access.LOCAL_USER)
    return CallRecord(
        None if off else gateway.ledger,
        session.id,
        server,
        tool,
        principal=session.principal.id,
        in_code=in_code,
        measured=measures,
    )


def outcome_of(error: BaseException) -> str:
    """One word for how a call failed."""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return next((word for kind, word in _OUTCOMES if isinstance(error, kind)), "refused")


OURS: Final = "toolbooth/"  # keys of `_meta` between a client and us: no server gets them
CALLS: Final = f"{OURS}calls"
FAULT: Final = f"{OURS}fault"
OUTCOME: Final = f"{OURS}outcome"
STEPS: Final = f"{OURS}steps"


class Reported(NamedTuple):
    """A report as it is read again: the calls as they were sent, the error as its class, and the end of the call.

    The outcome is the ledger's word for how the call ended; empty if the result itself shows it. `steps` are those that
    cut the answer.
    """

    calls: tuple[Mapping[str, Any], ...] = ()
    fault: BackendFault | None = None
    outcome: str = ""
    steps: tuple[str, ...] = ()


class CallReport:
    """Calls in the order in which they were made, and the first error of a server."""

    def __init__(self) -> None:
        self._calls: list[dict[str, Any]] = []
        self._bytes_left = limits.REPORTED_TEXT
        self._fault: dict[str, str] | None = None

    def called(self, tool: catalog.Tool, arguments: Mapping[str, Any]) -> None:
        """A tool is about to be called, even if wrongly; arguments that are too long are left out."""
        if len(self._calls) >= limits.REPORTED_CALLS:
            return
        call: dict[str, Any] = {"server": tool.server, "name": tool.name}
        size = _size(arguments)
        if size <= min(limits.REPORTED_ARGUMENTS, self._bytes_left):
            self._bytes_left -= size
            call["arguments"] = dict(arguments)
        self._calls.append(call)

    def failed(self, error: BaseException) -> None:
        """Keep the error if the server failed; a tool that answers with an error has worked."""
        if self._fault is None and isinstance(error, BackendFault) and not isinstance(error, ServerError):
            said = safetext.for_terminal(error.message)
            self._fault = {"kind": type(error).__name__, "server": error.server, "message": said}

    def on(self, result: ToolResult, record: CallRecord) -> ToolResult:
        """The result with this report in it."""
        report: dict[str, Any] = {CALLS: self._calls, OUTCOME: record.outcome, STEPS: record.steps}
        if self._fault is not None:
            report[FAULT] = self._fault
        return result.with_meta(report).prepare()


def wants_report(params: Mapping[str, Any]) -> bool:
    """Whether the client of this request asks for a report."""
    meta = params.get("_meta")
    return isinstance(meta, Mapping) and meta.get(CALLS) is True


def read_report(result: Mapping[str, Any]) -> Reported:
    """The report in the result of a gateway of this same version."""
    meta = result.get("_meta") or {}
    fault, error = meta.get(FAULT), None
    if fault is not None:
        error = getattr(errors, fault["kind"], BackendFault)(fault["message"], fault["server"])
    calls, steps = tuple(meta.get(CALLS, ())), tuple(meta.get(STEPS, ()))
    return Reported(calls, error, str(meta.get(OUTCOME, "")), steps)


def _size(arguments: Mapping[str, Any]) -> int:
    try:
        return len(catalog.encode_line(arguments))
    except (TypeError, ValueError):  # half a surrogate pair, for example: cannot be written
        return limits.REPORTED_TEXT + 1
