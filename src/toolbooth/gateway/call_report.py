"""What one request called, and which server failed it → a note in the `_meta` of its result, where its client asks.

A client that sends `"toolbooth/calls": true` in the `_meta` of a `tools/call` gets a list under the same name.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from toolbooth import errors
from toolbooth.catalog import Tool, encode_line
from toolbooth.catalog.connect import RawResult, ServerError
from toolbooth.errors import BackendFault
from toolbooth.limits import REPORTED_ARGUMENTS, REPORTED_CALLS, REPORTED_TEXT
from toolbooth.safetext import for_terminal

OURS: Final = "toolbooth/"  # keys of `_meta` between a client and us: no server gets them
CALLS: Final = f"{OURS}calls"
FAULT: Final = f"{OURS}fault"


class Reported(NamedTuple):
    """A report as it is read again: calls as they stand there, and the fault as what it was."""

    calls: tuple[Mapping[str, Any], ...] = ()
    fault: BackendFault | None = None


class CallReport:
    """Calls in the order in which they were made, and the first fault of a server."""

    def __init__(self) -> None:
        self._calls: list[dict[str, Any]] = []
        self._room = REPORTED_TEXT
        self._fault: dict[str, str] | None = None

    def called(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """A tool is about to be called, be it wrongly; arguments that are too long are left out."""
        if len(self._calls) >= REPORTED_CALLS:
            return
        call: dict[str, Any] = {"server": tool.server, "name": tool.name}
        size = _size(arguments)
        if size <= min(REPORTED_ARGUMENTS, self._room):
            self._room -= size
            call["arguments"] = dict(arguments)
        self._calls.append(call)

    def failed(self, error: BaseException) -> None:
        """Of errors only those of servers count; one that answers with an error has done its part."""
        if self._fault is None and isinstance(error, BackendFault) and not isinstance(error, ServerError):
            said = for_terminal(error.message)
            self._fault = {"kind": type(error).__name__, "server": error.server, "message": said}

    def on(self, result: dict[str, Any] | RawResult) -> dict[str, Any]:
        """The result with this report in it."""
        read: dict[str, Any] = result.value if isinstance(result, RawResult) else result
        told: dict[str, Any] = {CALLS: self._calls}
        if self._fault is not None:
            told[FAULT] = self._fault
        meta = read.get("_meta")
        return {**read, "_meta": {**(meta if isinstance(meta, Mapping) else {}), **told}}


def wants_report(params: Mapping[str, Any]) -> bool:
    """Whether the client of this request asks for one."""
    meta = params.get("_meta")
    return isinstance(meta, Mapping) and meta.get(CALLS) is True


def read_report(result: Mapping[str, Any]) -> Reported:
    """What stands in the result of a gateway of this same version."""
    meta = result.get("_meta") or {}
    told = meta.get(FAULT)
    if told is None:
        return Reported(tuple(meta.get(CALLS, ())))
    kind = getattr(errors, told["kind"], BackendFault)
    return Reported(tuple(meta.get(CALLS, ())), kind(told["message"], told["server"]))


def _size(arguments: Mapping[str, Any]) -> int:
    try:
        return len(encode_line(arguments))
    except (TypeError, ValueError):  # half a character, say: not to be written
        return REPORTED_TEXT + 1
