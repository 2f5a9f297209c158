"""A client's session, one request of it, and the JSON-RPC error that a request may be refused with.

A session lasts from connect to disconnect. A `Caller` is one request of it: since protocol version 2026-07-28
clients identify themselves with each request, so a caller has a client identity of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from toolbooth import access, errors
from toolbooth.catalog.connect import ClientIdentity, ServerError

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class ClientChannel(Protocol):
    """How a transport reaches its client."""

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send a notification, in order, without waiting."""
        ...

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Ask the client (handshake protocol versions only); raises QuestionRefused with the client's error."""
        ...

    def let_go(self) -> None:
        """The server lets the client come back for the answer: close the request's stream, if it has one."""
        ...


class Backpressure(Protocol):
    """Whether a client reads what it is sent."""

    full: bool

    async def relief(self) -> None:
        """Wait until a client that has left too much unread reads again."""
        ...


@dataclass(eq=False)
class Session:
    """A client from connect to disconnect. `reach` is None if nothing can be sent without a request.

    `reading` is known where answers queue up for a client that does not read them.
    """

    id: str
    version: str
    modern: bool
    client_identity: ClientIdentity
    channel: ClientChannel | None = None
    log_level: str | None = None
    fixed_menu: bool = False
    menu_counted: bool = False  # its model has read a menu: listing it again costs nothing more
    subscribed: set[str] = field(default_factory=set)
    backpressure: Backpressure | None = None
    principal: access.Principal = access.LOCAL_USER
    surface: str = ""  # the name of the one that its view gave it

    @property
    def owner(self) -> str:
        """Whose results these are: those of one session of one principal, and of nobody else."""
        return self.id if self.principal == access.LOCAL_USER else f"{self.principal.id}/{self.id}"

    def lists_tools(self, change: str) -> bool:
        """Whether a change of a list concerns this client; a fixed menu never changes."""
        return not (self.fixed_menu and change == "notifications/tools/list_changed")


@dataclass(eq=False, slots=True)
class Caller:
    """One request of a session. Since protocol version 2026-07-28 the client identity comes with each request.

    If the client comes back for a suspended call, channel, token and level are those of its new request.
    """

    session: Session
    client_identity: ClientIdentity
    channel: ClientChannel
    progress_token: int | str | None = None
    log_level: str | None = None

    @property
    def modern(self) -> bool:
        """Whether questions to this client are sent as answers."""
        return self.session.modern

    def wants_log(self, level: object) -> bool:
        """Whether the client asked for messages of this level."""
        least = self.log_level if self.modern else (self.session.log_level or "debug")
        if least is None:
            return False
        return level not in LEVELS or least not in LEVELS or LEVELS.index(str(level)) >= LEVELS.index(least)


INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        self.code, self.message, self.data = code, message, data
        super().__init__(message)

    @property
    def error_object(self) -> dict[str, Any]:
        """The error as an object of JSON-RPC."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


def refusal_of(fault: errors.BackendFault) -> Refusal:
    """A server's own error stays as it came; any other becomes an internal error with our words."""
    if isinstance(fault, ServerError):
        return Refusal(fault.code, fault.said, fault.data)
    return Refusal(INTERNAL_ERROR, str(fault))


def internal_error(error: Exception) -> Refusal:
    """An unexpected error; a client waits for an answer all the same."""
    said = f"the gateway failed ({type(error).__name__}); this is a bug in Toolbooth"
    return Refusal(INTERNAL_ERROR, said)
