"""One call while it is made → its one row in the ledger, whichever way it ends."""

import asyncio
from time import perf_counter

from toolbooth.catalog.connect import RawResult
from toolbooth.errors import (
    BackendBusy,
    BackendCrashed,
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
from toolbooth.gateway.ledger import Answered, Ledger
from toolbooth.gateway.ledger.answered import Menu
from toolbooth.gateway.ledger.row import CALL, CODE, CODE_CALL, OWN, QUESTION

SOME_TOOL = (
    "tools/call"  # a name that no tool has may be anything that a client wrote: it is not written down
)
Payload = RawResult | dict[str, object] | Menu | None
KINDS = {
    "search_tools": "discovery",
    "list_tools": "discovery",
    "tool_info": "discovery",
    "read_result": "read",
    "manage_servers": "servers",
    "call_tool_chain": CODE,
}
# The more exact class first: the first that an error belongs to names its outcome.
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


class Account:
    """Who called what. `outcome` is set where the answer itself does not tell how the call ended."""

    __slots__ = (
        "_began",
        "_calls_are",
        "_ledger",
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
        ledger: Ledger,
        session: str,
        server: str = OWN,
        tool: str = SOME_TOOL,
        *,
        in_code: bool = False,
    ) -> None:
        self._ledger, self._session = ledger, session
        self._calls_are = CODE_CALL if in_code else CALL
        self.server, self.tool, self.kind = server, tool, self._calls_are
        self.before: Payload = None
        self.outcome = ""
        self.steps: tuple[str, ...] = ()
        self.ms: float | None = None
        self._began = perf_counter()
        self.closed = False

    def own(self, job: str) -> None:
        """It is a call of one of our own tools."""
        self.server, self.tool, self.kind = OWN, job, KINDS.get(job, self._calls_are)

    def named(self, server: str, tool: str) -> None:
        """It turned out to be a call of this tool."""
        self.server, self.tool, self.kind = server, tool, self._calls_are

    def returned(self, result: Payload) -> None:
        """Code of a client has ended with this: what it read on the way has rows of its own."""
        if self._calls_are == CALL:  # what only other code reads of it, its own calls stand for
            self.kind = CODE
            self.answered(result)

    def answered(self, result: Payload) -> None:
        """The server has answered; what comes now is our own work."""
        self.before, self.ms = result, self._elapsed()

    def cut(self, read: Payload, steps: tuple[str, ...]) -> None:
        """The answer was read and cut: it need not be read a second time to be measured."""
        self.steps = steps
        if self.before is not None:
            self.before = read

    def asks(self) -> None:
        """The server asks back: the client comes again with the answer, or never."""
        self.kind, self.outcome, self.before = QUESTION, "input_required", None

    def failed(self, error: BaseException) -> None:
        """The call ends without a result of its server, or nobody gets it."""
        self.outcome, self.before = self.outcome or outcome_of(error), None

    def close(self, after: Payload, error: bool = False) -> None:
        """Write the row: once, however often it is asked for."""
        if self.closed:
            return
        self.closed = True
        self._ledger.record(
            Answered(
                self.server,
                self.tool,
                self._session,
                self.kind,
                self._elapsed() if self.ms is None else self.ms,
                self.outcome or ("tool_error" if error else "ok"),
                self.before,
                after,
                self.steps,
            )
        )

    def _elapsed(self) -> float:
        return (perf_counter() - self._began) * 1000


def outcome_of(error: BaseException) -> str:
    """One word for how a call failed."""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return next((word for kind, word in _OUTCOMES if isinstance(error, kind)), "refused")
