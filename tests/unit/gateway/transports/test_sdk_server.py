"""Which calls take the fast path: valid ones; the SDK says what is wrong with the others."""

from collections.abc import Mapping
from typing import Any

import pytest

from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, ClientIdentity
from toolbooth.gateway.session import Session
from toolbooth.gateway.transports.sdk_server import fast_caller

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LEVEL = "io.modelcontextprotocol/logLevel"
INFO = "io.modelcontextprotocol/clientInfo"
STATELESS = {VERSION: "2026-07-28", CAPABILITIES: {"sampling": {}}}


class Nowhere:
    def notify(self, method: str, params: Mapping[str, Any] | None) -> None: ...

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        raise AssertionError(method, params)

    def let_go(self) -> None: ...


def session(*, modern: bool) -> Session:
    return Session("s", "", modern, ClientIdentity({"name": "c", "version": "1"}, {"roots": {}}), Nowhere())


def call(**params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize("token", ["a", 7, None])
def test_a_handshake_client_is_who_it_said_it_was(token: object) -> None:
    own = session(modern=False)
    meta = {} if token is None else {"_meta": {"progressToken": token}}
    caller = fast_caller(own, call(name="x", **meta), Nowhere())
    assert caller is not None
    assert (caller.client_identity, caller.progress_token, caller.modern) == (
        own.client_identity,
        token,
        False,
    )


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []},
        call(_meta=[]),
        call(_meta={"progressToken": True}),
        call(_meta={"progressToken": {}}),
        call(_meta=STATELESS),
    ],
)
def test_what_is_unsound_is_left_to_the_sdk(message: dict[str, Any]) -> None:
    assert fast_caller(session(modern=False), message, Nowhere()) is None


def test_a_stateless_client_says_with_each_request_what_it_offers() -> None:
    meta = {**STATELESS, INFO: {"name": "n", "version": "2"}, LEVEL: "warning", "progressToken": "t"}
    caller = fast_caller(session(modern=True), call(name="x", _meta=meta), Nowhere())
    assert caller is not None
    assert caller.client_identity == ClientIdentity({"name": "n", "version": "2"}, {"sampling": {}})
    assert (caller.progress_token, caller.log_level, caller.modern) == ("t", "warning", True)


def test_a_stateless_client_without_a_name_gets_ours() -> None:
    caller = fast_caller(session(modern=True), call(name="x", _meta=STATELESS), Nowhere())
    assert caller is not None
    assert caller.client_identity.info == TOOLBOOTH_IDENTITY.info


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {VERSION: "2026-07-28"},
        {**STATELESS, VERSION: "v9"},
        {**STATELESS, LEVEL: "loud"},
        {**STATELESS, CAPABILITIES: []},
    ],
)
def test_a_stateless_request_with_a_bad_envelope_is_left_to_the_sdk(meta: dict[str, Any]) -> None:
    assert fast_caller(session(modern=True), call(name="x", _meta=meta), Nowhere()) is None
