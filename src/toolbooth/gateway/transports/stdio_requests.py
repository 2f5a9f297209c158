"""The requests of one client on stdio: in progress, waiting, and left open by a daemon that ended.

A client may send any number of requests and read no answer. What it has not read and what is open for it is
bounded; then its stdin is not read until there is space. While the client owes us an answer, its stdin is
read all the same, because a call may wait for that answer; requests beyond a second bound are refused.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from toolbooth import catalog, limits
from toolbooth.gateway.calls.record import KINDS, CallRecord
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.public_names import CALL_NAMES
from toolbooth.gateway.transports.stdio_pipe import Pipe
from toolbooth.gateway.transports.stdio_writer import Id, StdioWriter

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.journal import RequestJournal


Message = dict[str, Any]
_LASTING = "subscriptions/listen"  # open as long as the client listens: takes no slot


class RequestQueue:
    """`start` carries out a request; `leave` must be called when it ends, however it ends."""

    def __init__(self, pipe: Pipe, writer: StdioWriter, start: Callable[[Message], None]) -> None:
        self._pipe, self._writer, self._start = pipe, writer, start
        self._at_work: dict[Id, int] = {}
        self._lasting: dict[Id, int] = {}
        self._waiting: dict[Id, tuple[Message, int]] = {}
        self._bytes = self._lasting_bytes = 0
        self._starting = self._closed = self._held = False
        pipe.on_relief = self._go_on
        writer.on_asking = self._watch

    def __contains__(self, number: Id) -> bool:
        return number in self._at_work or number in self._waiting or number in self._lasting

    @property
    def busy(self) -> bool:
        """Whether any request is in progress or waits; open streams do not count."""
        return bool(self._at_work or self._waiting)

    def waiting(self) -> list[Id]:
        """The requests without an answer so far; open streams need none."""
        return [*self._at_work, *self._waiting]

    def full(self, size: int) -> bool:
        """Whether a request of `size` bytes is one too many, even to wait."""
        count = len(self._at_work) + len(self._waiting) + len(self._lasting)
        return (
            count >= limits.MOST_OPEN_REQUESTS
            or self._bytes + self._lasting_bytes + size > limits.MOST_OPEN_BYTES
        )

    def take(self, number: Id, message: Message, size: int) -> None:
        """Start a request of `size` bytes, now or when its turn comes."""
        if message["method"] == _LASTING:
            self._lasting[number] = size
            self._lasting_bytes += size
            self._start(message)
            return
        self._bytes += size
        if self._waiting or not self._free:
            self._waiting[number] = message, size
        else:
            self._at_work[number] = size
            self._start(message)
        if self._waiting or self._bytes >= limits.MAX_OPEN_BYTES:
            self._watch()

    def leave(self, number: Id) -> None:
        """A request is over; one that still waited is not started."""
        self._lasting_bytes -= self._lasting.pop(number, 0)
        if number in self._at_work:
            self._bytes -= self._at_work.pop(number)
        elif number in self._waiting:
            self._bytes -= self._waiting.pop(number)[1]
        if self._waiting or self._held:
            self._go_on()

    def close(self) -> None:
        """Nothing is started from now on."""
        self._closed = True

    @property
    def _free(self) -> bool:
        return len(self._at_work) < limits.MAX_OPEN_REQUESTS and not self._pipe.full

    def _go_on(self) -> None:
        """Not reentrant: a request that is refused at once ends before its start returns."""
        if self._starting:
            return
        self._starting = True
        try:
            while self._waiting and self._free and not self._closed:
                number = next(iter(self._waiting))
                message, size = self._waiting.pop(number)
                self._at_work[number] = size
                self._start(message)
        finally:
            self._starting = False
        self._watch()

    def _watch(self) -> None:
        self._held = len(self._waiting) >= limits.MAX_WAITING_REQUESTS or self._bytes >= limits.MAX_OPEN_BYTES
        self._pipe.hold(self._held and not self._writer.asking, "requests")


RESUMED = "toolbooth-resumed"
"""The id of the handshake that we repeat ourselves; its answer is dropped."""
_HANDSHAKE = "\x1ainitialize"  # in place of a tool's name, which contains no such character
_LOST = -32000
_INTERRUPTED = (
    "the gateway's daemon ended during this call, and a new one has taken over; the call may or may not have been "
    "carried out"
)
_ENDED = "the gateway ended during this request; it may or may not have been carried out"
_CUT = "the gateway's daemon ended while it read this message; send it again"
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}\b|"[^"\\]{1,200}")')


def handshake_again(journal: "RequestJournal", pipe: Pipe) -> list[dict[str, Any]]:
    """The messages that introduce the client once more, before anything that it sent since."""
    if journal.was_reading:
        pipe.skip_line()
    params = journal.recall("initialize")
    if params is None:
        return []
    for number in journal.interrupted():
        # The client still waits for its answer, and gets it now
        if journal.interrupted_tool(number) == _HANDSHAKE:
            return [{"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}]
    return [
        {"jsonrpc": "2.0", "id": RESUMED, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def answer_what_was_left(journal: "RequestJournal", writer: StdioWriter, gateway: Gateway) -> None:
    """Answer what was begun, half written or half read, for it may have been carried out; calls have rows."""
    if journal.was_writing:
        writer.end_line()
    for number in journal.interrupted():
        tool = journal.interrupted_tool(number)
        if tool != _HANDSHAKE or journal.recall("initialize") is None:
            writer.refuse(number, _LOST, _INTERRUPTED)
            _record_interrupted(gateway, journal, tool)
    if journal.was_reading:
        writer.refuse(_id_in(journal.was_reading), _LOST, _CUT)


def refuse_what_is_open(numbers: Iterable[Id], writer: StdioWriter) -> None:
    """Nobody takes over: refuse what is still open."""
    for number in numbers:
        writer.refuse(number, _LOST, _ENDED)


def noted(message: Mapping[str, Any]) -> str:
    """What is noted of a request beside its id: the tool that it calls, or that it is the handshake."""
    params = message.get("params")
    if message["method"] == "tools/call" and isinstance(params, dict):
        return called_tool(params)
    return _HANDSHAKE if message["method"] == "initialize" else ""


def called_tool(params: Mapping[str, Any]) -> str:
    """The name by which a call names its tool, through one of our own or directly."""
    name, given = params.get("name"), params.get("arguments")
    if name in CALL_NAMES and isinstance(given, dict):
        name = given.get("name", name)
    return name if isinstance(name, str) else ""


def _record_interrupted(gateway: Gateway, journal: "RequestJournal", name: str) -> None:
    """How long the call took is not known."""
    if not name or name == _HANDSHAKE:
        return
    session = (journal.recall("session") or {}).get("id", "")
    record = CallRecord(None if gateway.settings.ledger == "off" else gateway.ledger, str(session))
    tool = gateway.registry.find(name)
    if isinstance(tool, catalog.Tool):
        record.named(tool.server, tool.name)
    elif name in KINDS:
        record.builtin(name)
    record.outcome, record.ms = "daemon_ended", 0.0
    record.close(None)


def _id_in(head: bytes) -> Id | None:
    """The id in the beginning of a request, if it can be found."""
    match = _ID.search(head)
    number: Id | None = orjson.loads(match[1]) if match else None
    return number
