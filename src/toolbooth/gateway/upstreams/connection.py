"""One connection to an upstream: which calls are in flight, whose they are, and who gets the server's messages.

A server of an old protocol version does not say which call its question belongs to. So once it has asked a session
something, the connection belongs to that session alone. A stateless server reports changes only to clients that
listen for them.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolbooth import access, errors, limits
from toolbooth.catalog.connect import (
    ClientIdentity,
    NegotiatedProtocol,
    Notice,
    Peer,
    QuestionRefused,
    RawResult,
    ServerRequest,
)
from toolbooth.gateway.session import LEVELS, Caller, Session
from toolbooth.gateway.upstreams.questions import CAPABILITY_FOR, REFUSED, SHOWN_TO_USERS, Allowance, named
from toolbooth.gateway.upstreams.tasks_in_flight import TasksInFlight


def sound_protocol(protocol: NegotiatedProtocol) -> NegotiatedProtocol:
    """The capabilities with objects only: some servers write `{"tools": true}`."""
    declared = protocol.capabilities
    if declared is None or all(isinstance(each, Mapping) for each in declared.values()):
        return protocol
    sound = {
        name: each if isinstance(each, Mapping) else {}
        for name, each in declared.items()
        if isinstance(each, Mapping) or each
    }
    return NegotiatedProtocol(protocol.version, {**protocol.hello, "capabilities": sound})


_FOREVER = 10 * 365 * 86_400.0
_KINDS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


async def listen_for_changes(peer: Peer) -> None:
    """Keep one stream of changes open as long as the connection lives, if the server offers any."""
    declared = peer.protocol.capabilities or {}
    wanted: dict[str, Any] = {
        flag: True for kind, flag in _KINDS.items() if (declared.get(kind) or {}).get("listChanged")
    }
    if peer.protocol.modern and wanted:
        await _listen(peer, wanted)


async def listen_for_resource(peer: Peer, uri: str) -> None:
    """Listen for the updates of one resource."""
    await _listen(peer, {"resourceSubscriptions": [uri]})


async def _listen(peer: Peer, wanted: dict[str, Any]) -> None:
    try:
        await peer.request("subscriptions/listen", {"notifications": wanted}, _FOREVER)
    except errors.BackendFault:
        return  # a server that declares changes and streams none loses only these


_NOT_OFFERED = -32601
_ASKABLE = frozenset(CAPABILITY_FOR.values())


@dataclass(eq=False, slots=True)
class CallInFlight:
    """One call in flight. `ask` answers the questions that the server asks during it."""

    caller: Caller
    ask: "Ask"
    allowance: Allowance = field(default_factory=Allowance)

    def pass_on_progress(self, params: Mapping[str, Any]) -> None:
        """Send progress under the token that the client chose; a retry may have brought another caller."""
        caller = self.caller
        if caller.progress_token is not None:
            caller.channel.notify(
                "notifications/progress", {**params, "progressToken": caller.progress_token}
            )


class Ask:
    """Asks the client of a call; for clients of version 2026-07-28 a suspended call replaces it."""

    async def __call__(self, caller: Caller, question: ServerRequest) -> dict[str, Any]:
        """Ask the client directly."""
        return await caller.channel.ask(question.method, question.params)


DIRECTLY = Ask()


@dataclass(eq=False)
class UpstreamConnection:
    """One connection and its users, all of one principal: a server may keep what it was told.

    Once the server asks a session something, the connection belongs to that session alone.

    `settled`: its tools were listed on this very connection since the last of its `changes`, or `list_fault`
    says why they were not.
    """

    peer: Peer
    principal: access.Principal
    founder: Session | None
    old_first: bool = False
    server: str = ""
    owner: Session | None = None
    sessions: set[Session] = field(default_factory=set)
    calls: dict[int | str, CallInFlight] = field(default_factory=dict)
    tasks: TasksInFlight = field(default_factory=TasksInFlight)
    last_used: float = field(default_factory=time.monotonic)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    crashed: bool = False
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    list_fault: errors.BackendFault | None = None
    changes: int = 0
    listing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def listed(self) -> bool:
        """Whether what its server offers now is known."""
        return self.settled.is_set() and self.list_fault is None

    def mark_stale(self) -> None:
        """Its tools may have changed: until they are listed again, nothing is known of them."""
        self.changes += 1
        self.list_fault = None
        self.settled.clear()

    def settle(self, fault: errors.BackendFault | None = None) -> None:
        """Release whoever waits for its tools: they are listed, or `fault` says why they are not."""
        self.list_fault = fault
        self.settled.set()

    @property
    def live(self) -> bool:
        """Whether it has neither ended nor is about to."""
        return self.peer.fault is None and not self.closing.is_set()

    @property
    def busy(self) -> bool:
        """Whether anything waits for an answer on it."""
        return bool(self.calls)

    @property
    def watched(self) -> bool:
        """Whether a session may be waiting for updates of this server's resources."""
        offered = (self.peer.protocol.capabilities or {}).get("resources") or {}
        return bool(offered.get("subscribe")) and any(session.subscribed for session in self.sessions)

    def leave(self, session: Session) -> None:
        """Forget a session that ended."""
        self.sessions.discard(session)
        if self.founder is session:
            self.founder = None

    def serves(self, session: Session, client_identity: ClientIdentity) -> bool:
        """Whether this session may use the connection."""
        if self.principal.id != session.principal.id or not self.live:
            return False
        if self.peer.protocol.modern:
            return self.old_first or not prefers_handshake(session, client_identity)
        return (
            self.owner in (None, session)
            and self.peer.client_identity.capabilities == client_identity.capabilities
        )

    def send(
        self,
        call: CallInFlight,
        method: str,
        params: Mapping[str, Any] | None,
        timeout: float,
        done: "Done",
        *,
        headers: Mapping[str, str] | None = None,
        identity: ClientIdentity | None = None,
    ) -> int:
        """Send one request of a call; `done` gets its outcome."""
        caller = call.caller
        self.sessions.add(caller.session)
        number = self.peer.send(
            method,
            params,
            timeout,
            done,
            client_identity=identity or caller.client_identity,
            on_progress=None if caller.progress_token is None else call.pass_on_progress,
            headers=headers,
        )
        self.calls[number] = call
        return number

    def abandon(self, number: int) -> None:
        """Nobody waits for the answer any more."""
        self.last_used = time.monotonic()
        self.calls.pop(number, None)
        self.peer.abandon(number)

    async def answer(self, question: ServerRequest, related: int | str | None) -> dict[str, Any]:
        """Pass a question of the server to the client of its call, with that client's capabilities."""
        if question.method == "ping":
            return {}
        question, related = self.tasks.asked_by(question, related)
        call = self._call_of(related)
        caller = call.caller if call is not None else self._bystander()
        if caller is None:
            raise QuestionRefused(
                _NOT_OFFERED,
                "several clients have calls in progress; send the question as part of one of their calls",
            )
        if CAPABILITY_FOR.get(question.method, "?") not in caller.client_identity.capabilities:
            raise QuestionRefused(_NOT_OFFERED, f"{question.method} is not offered by this client")
        if call is None and question.method in SHOWN_TO_USERS:
            raise QuestionRefused(REFUSED, f"{question.method} is only allowed during a call")
        if related is None:
            self.owner = caller.session
        if call is None:
            return await DIRECTLY(caller, question)
        with call.allowance.one(self.server):
            asked = question._replace(params=named(self.server, question.method, question.params))
            return await call.ask(caller, asked)

    def _call_of(self, related: int | str | None) -> CallInFlight | None:
        """The call of a question: named by the transport, or the latest call of the only session with any."""
        if related is not None and related in self.calls:
            return self.calls[related]
        calls = [each for each in self.calls.values() if self.owner in (None, each.caller.session)]
        return calls[-1] if len({each.caller.session for each in calls}) == 1 else None

    def _bystander(self) -> Caller | None:
        """Whom to ask between calls: the owner, the only session, or the one that started it (roots are asked
        early).
        """
        session = self.owner or (None if self.calls else self._only_session())
        if session is None or session.channel is None or session.modern:
            return None
        return Caller(session, session.client_identity, session.channel)

    def _only_session(self) -> Session | None:
        if len(self.sessions) > 1:
            return None
        return next(iter(self.sessions), self.founder)

    def pass_on(self, notice: Notice, related: int | str | None) -> None:
        """A log message goes to its call, or to every session that uses this connection."""
        level = (notice.params or {}).get("level")
        if related is not None and related in self.calls:
            callers: Iterator[Caller] = iter((self.calls[related].caller,))
        else:
            callers = self._listeners()
        for caller in callers:
            if notice.method != "notifications/message" or caller.wants_log(level):
                caller.channel.notify(notice.method, notice.params)

    def least_level(self, level: str) -> str:
        """The lowest level that any session wants: each gets its own part of the messages."""
        wanted = [session.log_level for session in self.sessions if session.log_level in LEVELS]
        return min((level, *(each for each in wanted if each)), key=LEVELS.index)

    def set_level(self, level: str) -> None:
        """Set the server's log level, if it has one, without waiting for the answer."""
        if (
            self.live
            and not self.peer.protocol.modern
            and "logging" in (self.peer.protocol.capabilities or {})
        ):
            self.peer.send("logging/setLevel", {"level": level}, limits.LIST_TIMEOUT, _nobody_waits)

    def let_go(self, related: int | str | None) -> None:
        """The server closed the stream of a call that continues: do the same for the client."""
        call = None if related is None else self.calls.get(related)
        if call is not None:
            call.caller.channel.let_go()

    def _listeners(self) -> Iterator[Caller]:
        at_work = {call.caller.session: call.caller for call in self.calls.values()}
        yield from at_work.values()
        for session in self.sessions - at_work.keys():
            if session.channel is not None and not session.modern:
                yield Caller(session, session.client_identity, session.channel)


def _nobody_waits(_outcome: object) -> None:
    return None


def prefers_handshake(session: Session | None, client_identity: ClientIdentity) -> bool:
    """Whether a client of a handshake version can be asked something during a call."""
    return (
        session is not None and not session.modern and not _ASKABLE.isdisjoint(client_identity.capabilities)
    )


def key_of(capabilities: Mapping[str, Any]) -> str:
    """Sessions with the same capabilities share a connection."""
    return json.dumps(capabilities, sort_keys=True, default=str)


def scrubbed(data: Any, clean: Callable[[str], str]) -> Any:
    """The details of a server's error without secrets; None if they would not be JSON then."""
    text = json.dumps(data, ensure_ascii=False)
    cleaned = clean(text)
    if cleaned == text:
        return data
    with suppress(json.JSONDecodeError):
        return json.loads(cleaned)
    return None


Admit = Callable[[UpstreamConnection], Awaitable[None]]
"""What a call has to pass on the connection that it is sent on."""
Outcome = dict[str, Any] | RawResult | errors.BackendFault
Done = Callable[[Outcome], None]


class DirectCall(NamedTuple):
    """A request that is sent without a task."""

    caller: Caller
    method: str
    params: Mapping[str, Any]
    done: Done
    admit: Admit | None
