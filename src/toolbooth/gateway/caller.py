"""A client as the gateway sees it: the session that lasts, and the one request that is being answered."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from toolbooth.catalog.connect import Face, RawResult
from toolbooth.gateway.account import Account
from toolbooth.gateway.call_report import CallReport

if TYPE_CHECKING:
    from toolbooth.gateway.backends import Line

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Reach(Protocol):
    """How a front reaches its client."""

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send a notification, in order, without waiting."""
        ...

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Ask the client (handshake era only); raises QuestionRefused with the client's error."""
        ...

    def let_go(self) -> None:
        """The server lets the client come back for the answer: close the request's stream, where it has one."""
        ...


class Reading(Protocol):
    """Whether a client reads what it is sent."""

    full: bool

    async def relief(self) -> None:
        """Wait until a client that has left too much unread reads again."""
        ...


@dataclass(eq=False)
class Session:
    """A client from connect to disconnect. `reach` is None where nothing can be sent without being asked.

    `reading` is known where answers queue up for a client that does not take them.
    """

    id: str
    version: str
    modern: bool
    face: Face
    reach: Reach | None = None
    log_level: str | None = None
    fixed_menu: bool = False
    menu_counted: bool = False  # its model has read a menu: listing it again is not paid again
    subscribed: set[str] = field(default_factory=set)
    reading: Reading | None = None

    def lists_tools(self, change: str) -> bool:
        """Whether a change of a list concerns this client: a fixed menu never changes."""
        return not (self.fixed_menu and change == "notifications/tools/list_changed")


@dataclass(eq=False, slots=True)
class Caller:
    """One request of a session. In the stateless era the face comes with each request."""

    session: Session
    face: Face
    reach: Reach
    progress_token: int | str | None = None
    log_level: str | None = None
    retried: bool = False
    account: Account | None = None
    report: CallReport | None = None
    depth: int = 0  # how many codes this call was made from within
    first: "dict[str, Any] | RawResult | None" = (
        None  # an answer that has come already, and turned out to be a question
    )
    admit: "Callable[[Line], Awaitable[None]] | None" = (
        None  # what a call has to pass on the line it goes out on
    )

    def failed(self, error: BaseException) -> None:
        """What is being called has failed: its row says how, and so does a report."""
        if self.account is not None:
            self.account.failed(error)
        if self.report is not None:
            self.report.failed(error)

    @property
    def modern(self) -> bool:
        """Whether questions to this client travel as answers."""
        return self.session.modern

    def wants_log(self, level: object) -> bool:
        """Whether the client asked for messages of this level."""
        least = self.log_level if self.modern else (self.session.log_level or "debug")
        if least is None:
            return False
        return level not in LEVELS or least not in LEVELS or LEVELS.index(str(level)) >= LEVELS.index(least)
