"""Where a sign-in leads: names are judged by the address that was really connected to, before a byte is sent."""

import json
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream
from tests.authorization_server import Guarded
from tests.unit.catalog.connect.oauth.person import Person, record_of, rewrite, signed_in

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.catalog.connect.oauth import sign_in
from toolbooth.catalog.connect.oauth.address import NetworkZone, zone_of
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.connect.oauth.refresh import RefreshRefused, refresh
from toolbooth.catalog.connect.oauth.token_store import TokenFolder
from toolbooth.errors import BackendFault, BackendRefused

pytestmark = [pytest.mark.anyio, pytest.mark.promise("auth:places")]
INNER = "127.0.0.3"  # stands for a link-local address, which a test cannot have
NAME = "rebound.example"


@dataclass
class Inner:
    """A service that nobody outside should reach; `heard` are the bytes that came."""

    port: int
    heard: bytes = b""


@pytest.fixture
async def inner(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inner]:
    resolve = socket.getaddrinfo

    def rebound(host: Any, *rest: Any, **named: Any) -> Any:
        return resolve(INNER if host in (NAME, NAME.encode()) else host, *rest, **named)

    def placed(address: str) -> NetworkZone:
        return "link-local" if address == INNER else zone_of(address)

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    for module in ("browser_sign_in", "refresh", "address"):
        monkeypatch.setattr(sys.modules[f"toolbooth.catalog.connect.oauth.{module}"], "zone_of", placed)
    listener = await anyio.create_tcp_listener(local_host=INNER)
    made = Inner(listener.extra(SocketAttribute.local_port))  # noqa: S610 - anyio's

    async def hear(stream: SocketStream) -> None:
        async with stream:
            with anyio.move_on_after(5):
                try:
                    made.heard += await stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return

    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, hear)
        yield made
        tasks.cancel_scope.cancel()
    assert made.heard == b""


async def fault_of(spec: ServerSpec) -> str:
    person = Person()
    try:
        with pytest.raises(BackendFault) as caught:
            await sign_in(spec, person.go, 20)
    finally:
        person.leave()
    return str(caught.value)


@pytest.mark.parametrize("host", [INNER, NAME])
@pytest.mark.parametrize("endpoint", ["token_endpoint", "registration_endpoint"])
async def test_endpoints_of_the_metadata_reach_nothing_inside(
    guarded: Guarded, spec: ServerSpec, inner: Inner, host: str, endpoint: str
) -> None:
    guarded.change(metadata={endpoint: f"https://{host}:{inner.port}/x"})
    said = await fault_of(spec)
    assert f"leads to https://{host}:{inner.port}/x at a link-local address" in said


@pytest.mark.parametrize("host", [INNER, NAME])
async def test_a_kept_token_is_renewed_at_nothing_inside(
    spec: ServerSpec, folder: TokenFolder, inner: Inner, host: str
) -> None:
    await signed_in(spec)
    assert record_of(folder, spec)["home"] == "loopback"
    rewrite(folder, spec, expires_at=1.0, token_endpoint=f"https://{host}:{inner.port}/x")
    reached = await reach(spec)
    assert "at a link-local address" in str(reached.fault)


async def test_a_public_server_leads_to_no_port_of_this_machine(
    spec: ServerSpec, folder: TokenFolder
) -> None:
    """As if the server had been elsewhere when the person signed in."""
    await signed_in(spec)
    rewrite(folder, spec, expires_at=1.0, home="public")
    reached = await reach(spec)
    assert "at a loopback address, where the server itself is not" in str(reached.fault)


async def test_a_record_without_a_place_is_still_read(spec: ServerSpec, folder: TokenFolder) -> None:
    await signed_in(spec)
    record = {key: value for key, value in record_of(folder, spec).items() if key != "home"}
    folder.file_of(record["url"]).write_text(json.dumps({**record, "expires_at": 1.0}))
    reached = await reach(spec)
    assert reached.tools is not None, str(reached.fault)


def old_grant(token_endpoint: str) -> Grant:
    """As early builds kept it: without the place of its server, which is known by name."""
    return Grant("https://mcp.corp.example/mcp", token_endpoint, "a", {"client_id": "c"}, refresh_token="r")


@pytest.mark.parametrize("host", [INNER, NAME])
async def test_an_old_record_that_leads_inside_asks_for_a_sign_in(inner: Inner, host: str) -> None:
    """Its server may be inside, too; only a connection to it tells, and signing in makes one."""
    with pytest.raises(RefreshRefused):
        await refresh(old_grant(f"https://{host}:{inner.port}/token"))


async def test_an_old_record_that_leads_outside_is_renewed_as_before(
    inner: Inner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sys.modules["toolbooth.catalog.connect.oauth.refresh"], "zone_of", lambda _address: "public"
    )
    with pytest.raises(BackendRefused):  # it speaks no TLS
        await refresh(old_grant(f"https://{NAME}:{inner.port}/token"))
    assert inner.heard
    inner.heard = b""
