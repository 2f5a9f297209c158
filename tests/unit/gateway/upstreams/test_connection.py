"""Whose question it is, and whom a server's words are for."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.unit.gateway.upstreams.upstream_clients import Client, client

from toolbooth.catalog.connect import (
    ClientIdentity,
    NegotiatedProtocol,
    Notice,
    Peer,
    QuestionRefused,
    ServerRequest,
)
from toolbooth.errors import BackendCrashed, BackendFault
from toolbooth.gateway.upstreams.connection import (
    DIRECTLY,
    CallInFlight,
    UpstreamConnection,
    key_of,
    prefers_handshake,
    sound_protocol,
)

pytestmark = pytest.mark.anyio
ROOTS = ServerRequest(7, "roots/list", None)


class Nowhere:
    """A transport that leads nowhere: these tests only look at who is meant."""

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        raise AssertionError(f"nothing is sent here: {message}, {headers}")

    async def run(self, deliver: Any) -> BackendFault:
        raise AssertionError(f"nothing runs here: {deliver}")

    def explain(self, wording: str, request_id: int | str | None) -> BackendFault | None:
        raise AssertionError(f"nothing fails here: {wording}, {request_id}")


def connection_of(founder: Client, version: str = "2025-06-18", **capabilities: Any) -> UpstreamConnection:
    peer = Peer(Nowhere(), founder.session.client_identity)
    peer.protocol = NegotiatedProtocol(version, {"capabilities": capabilities})
    return UpstreamConnection(peer, founder.session.principal, founder.session)


def begin(connection: UpstreamConnection, caller: Client, number: int) -> None:
    connection.sessions.add(caller.session)
    connection.calls[number] = CallInFlight(caller.caller(), DIRECTLY)


async def test_a_ping_is_answered_for_nobody() -> None:
    assert await connection_of(client("a")).answer(ServerRequest(1, "ping", None), None) == {}


async def test_a_question_goes_to_the_call_that_the_transport_names() -> None:
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(a)
    begin(connection, a, 1)
    begin(connection, b, 2)
    assert await connection.answer(ROOTS, 2) == {"from": "b"}
    assert connection.owner is None, "a named call makes nobody the owner"


async def test_a_question_without_a_name_goes_to_the_only_session_at_work_which_owns_the_connection_then() -> (
    None
):
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(b)
    begin(connection, a, 1)
    assert await connection.answer(ROOTS, None) == {"from": "a"}
    assert connection.owner is a.session
    assert connection.serves(a.session, a.session.client_identity)
    assert not connection.serves(b.session, b.session.client_identity)


async def test_a_question_while_several_sessions_are_at_work_is_refused() -> None:
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(a)
    begin(connection, a, 1)
    begin(connection, b, 2)
    with pytest.raises(QuestionRefused, match="several clients have calls in progress"):
        await connection.answer(ROOTS, None)
    assert a.channel.asked == b.channel.asked == []


async def test_between_calls_the_owner_is_asked() -> None:
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(a)
    connection.sessions |= {a.session, b.session}
    connection.owner = b.session
    assert await connection.answer(ROOTS, None) == {"from": "b"}


async def test_at_its_start_a_server_asks_who_had_it_started() -> None:
    a = client("a", "roots")
    assert await connection_of(a).answer(ROOTS, None) == {"from": "a"}


async def test_between_calls_the_only_session_is_asked_and_not_the_founder_that_left() -> None:
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(a)
    begin(connection, a, 1)
    begin(connection, b, 2)
    connection.calls.clear()
    connection.leave(a.session)
    assert await connection.answer(ROOTS, None) == {"from": "b"}
    assert a.channel.asked == []


async def test_a_founder_that_left_is_not_asked() -> None:
    a = client("a", "roots")
    connection = connection_of(a)
    connection.leave(a.session)
    with pytest.raises(QuestionRefused):
        await connection.answer(ROOTS, None)


async def test_between_calls_of_several_sessions_nobody_is_asked() -> None:
    a, b = client("a", "roots"), client("b", "roots")
    connection = connection_of(a)
    connection.sessions |= {a.session, b.session}
    with pytest.raises(QuestionRefused):
        await connection.answer(ROOTS, None)


@pytest.mark.parametrize("method", ["sampling/createMessage", "elicitation/create", "tools/list"])
async def test_what_a_client_does_not_offer_it_is_not_asked(method: str) -> None:
    a = client("a", "roots")
    connection = connection_of(a)
    begin(connection, a, 1)
    with pytest.raises(QuestionRefused, match=f"{method} is not offered by this client"):
        await connection.answer(ServerRequest(1, method, None), None)
    assert connection.owner is None


async def test_a_stateless_client_is_not_asked_between_calls() -> None:
    a = client("a", "roots", modern=True)
    with pytest.raises(QuestionRefused):
        await connection_of(a).answer(ROOTS, None)


def log(level: str) -> Notice:
    return Notice("notifications/message", {"level": level, "data": "x"})


async def test_a_log_message_goes_to_the_call_that_it_belongs_to() -> None:
    a, b = client("a"), client("b")
    connection = connection_of(a)
    begin(connection, a, 1)
    begin(connection, b, 2)
    connection.pass_on(log("info"), 1)
    assert (len(a.channel.sent), len(b.channel.sent)) == (1, 0)


async def test_a_log_message_of_no_call_goes_once_to_every_session_of_the_connection() -> None:
    a, b, stranger = client("a"), client("b"), client("c")
    connection = connection_of(stranger)
    begin(connection, a, 1)
    begin(connection, a, 2)
    connection.sessions.add(b.session)
    connection.pass_on(log("info"), None)
    assert [len(each.channel.sent) for each in (a, b, stranger)] == [1, 1, 0]


async def test_each_session_hears_only_its_own_level() -> None:
    a, b = client("a"), client("b")
    a.session.log_level, b.session.log_level = "error", "debug"
    connection = connection_of(a)
    connection.sessions |= {a.session, b.session}
    assert connection.least_level("warning") == "debug"
    connection.pass_on(log("info"), None)
    assert (len(a.channel.sent), len(b.channel.sent)) == (0, 1)


async def test_a_closed_stream_is_passed_on_to_the_client_of_its_call() -> None:
    a = client("a")
    connection = connection_of(a)
    begin(connection, a, 1)
    connection.let_go(99)
    assert a.channel.sent == []
    connection.let_go(1)
    assert a.channel.sent == [("let go", None)]


async def test_a_connection_serves_sessions_with_the_capabilities_it_was_opened_with() -> None:
    a, b = client("a", "roots"), client("b")
    connection = connection_of(a)
    assert connection.serves(a.session, a.session.client_identity)
    assert not connection.serves(b.session, b.session.client_identity)
    assert key_of({"x": 1, "y": 2}) == key_of({"y": 2, "x": 1})


async def test_a_stateless_connection_serves_all_but_those_who_may_be_asked_in_the_old_way() -> None:
    plain, askable, modern = client("a"), client("b", "sampling"), client("c", "sampling", modern=True)
    connection = connection_of(plain, "2026-07-28")
    assert [
        connection.serves(each.session, each.session.client_identity) for each in (plain, askable, modern)
    ] == [
        True,
        False,
        True,
    ]
    assert prefers_handshake(askable.session, ClientIdentity(capabilities={"elicitation": {}}))


async def test_a_connection_that_ended_or_is_closing_serves_nobody() -> None:
    a = client("a")
    ended, closing = connection_of(a), connection_of(a)
    ended.peer.end(BackendCrashed("gone"))
    closing.closing.set()
    assert not ended.serves(a.session, a.session.client_identity)
    assert not closing.serves(a.session, a.session.client_identity)


async def test_a_session_that_watches_resources_keeps_the_connection_of_a_server_that_reports_them() -> None:
    a = client("a")
    telling, silent = connection_of(a, resources={"subscribe": True}), connection_of(a, resources={})
    for connection in (telling, silent):
        connection.sessions.add(a.session)
    assert not telling.watched
    a.session.subscribed.add("file:///x")
    assert telling.watched
    assert not silent.watched


@pytest.mark.promise("gateway:questions-few")
@pytest.mark.parametrize("method", ["sampling/createMessage", "elicitation/create"])
async def test_between_calls_no_user_is_asked(method: str) -> None:
    a = client("a", "sampling", "elicitation", "roots")
    connection = connection_of(a)
    connection.sessions.add(a.session)
    with pytest.raises(QuestionRefused, match="is only allowed during a call"):
        await connection.answer(ServerRequest(1, method, {}), None)
    assert a.channel.asked == []
    assert await connection.answer(ROOTS, None) == {"from": "a"}
    begin(connection, a, 1)
    assert await connection.answer(ServerRequest(2, method, {}), None) == {"from": "a"}


@pytest.mark.parametrize(
    ("declared", "sound"),
    [
        ({"tools": {"listChanged": True}}, {"tools": {"listChanged": True}}),
        ({"tools": True, "prompts": "yes", "resources": [1]}, {"tools": {}, "prompts": {}, "resources": {}}),
        ({"tools": {}, "prompts": None, "logging": False}, {"tools": {}}),
    ],
)
def test_what_is_declared_is_offered_and_what_is_denied_is_not(declared: Any, sound: Any) -> None:
    protocol = sound_protocol(
        NegotiatedProtocol("2025-06-18", {"capabilities": declared, "instructions": "x"})
    )
    assert protocol.capabilities == sound
    assert protocol.hello["instructions"] == "x"


@pytest.mark.parametrize("hello", [{}, {"capabilities": [1]}])
def test_a_server_that_declares_nothing_readable_stays_so(hello: dict[str, Any]) -> None:
    assert sound_protocol(NegotiatedProtocol("2025-06-18", hello)).capabilities is None
