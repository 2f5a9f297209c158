"""The token as it is sent: sent to its own server only, renewed in time and on refusal, never lost, never shown."""

import json
import logging
import sys
import time
from dataclasses import replace

import anyio
import anyio.lowlevel
import httpx2
import pytest
from tests.authorization_server import CANARY, Guarded
from tests.unit.catalog.connect.oauth.person import record_of, rewrite, signed_in

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.catalog.connect.oauth.bearer import StoredBearer, bearer_for
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.connect.oauth.token_store import KeptIn, TokenFolder, TokenStore
from toolbooth.errors import BackendFault, BackendRefused, SignInNeeded

pytestmark = pytest.mark.anyio

SIGN_IN = "wants you to sign in: run `toolbooth auth guarded`"


async def listed(spec: ServerSpec) -> None:
    reached = await reach(spec)
    assert reached.tools is not None, str(reached.fault)


async def fault_of(spec: ServerSpec) -> BackendFault:
    reached = await reach(spec)
    assert reached.fault is not None
    assert CANARY not in str(reached.fault)
    return reached.fault


@pytest.mark.promise("auth:unattended")
async def test_without_a_token_the_next_step_is_said_and_no_browser_opens(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    fault = await fault_of(spec)
    assert isinstance(fault, SignInNeeded)
    assert fault.message == SIGN_IN
    assert guarded.seen()["clients"] == []
    assert not folder.path.exists()


async def test_an_address_that_was_typed_has_no_name_to_sign_in_by(spec: ServerSpec) -> None:
    fault = await fault_of(replace(spec, source="the command line"))
    assert "run `toolbooth auth URL`" in fault.message


async def test_a_server_that_never_spoke_of_oauth_is_asked_for_a_key(
    guarded: Guarded, spec: ServerSpec
) -> None:
    fault = await fault_of(replace(spec, url=f"{guarded.origin}/key"))
    assert not isinstance(fault, SignInNeeded)
    assert "HTTP 401: it needs a key" in str(fault)


@pytest.mark.promise("auth:refresh")
async def test_a_token_is_renewed_before_it_ends(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    before = record_of(folder, spec)["secret"]
    rewrite(folder, spec, obtained_at=time.time() - 3590, expires_at=time.time() + 10)
    await listed(spec)
    after = record_of(folder, spec)["secret"]
    assert after["access_token"] != before["access_token"]
    assert after["refresh_token"] != before["refresh_token"]
    assert guarded.seen()["grants"] == ["authorization_code", "refresh_token"]


@pytest.mark.promise("auth:refresh")
async def test_a_token_that_is_refused_is_renewed_once(guarded: Guarded, spec: ServerSpec) -> None:
    await signed_in(spec)
    guarded.change(revoke_access=True)
    await listed(spec)
    assert guarded.seen()["grants"] == ["authorization_code", "refresh_token"]


async def test_a_server_that_does_not_rotate_keeps_its_refresh_token(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    before = record_of(folder, spec)["secret"]["refresh_token"]
    guarded.change(rotates=False, revoke_access=True)
    await listed(spec)
    assert record_of(folder, spec)["secret"]["refresh_token"] == before
    guarded.change(revoke_access=True)
    await listed(spec)


async def test_a_client_with_a_secret_renews_with_it(guarded: Guarded, spec: ServerSpec) -> None:
    guarded.change(public=False)
    await signed_in(spec)
    guarded.change(revoke_access=True)
    await listed(spec)


@pytest.mark.promise("auth:unattended")
async def test_a_refused_refresh_asks_for_a_new_sign_in_and_is_not_repeated(
    guarded: Guarded, spec: ServerSpec
) -> None:
    await signed_in(spec)
    guarded.change(revoke_all=True)
    fault = await fault_of(spec)
    assert isinstance(fault, SignInNeeded)
    assert guarded.seen()["replayed"] == 1


async def test_a_token_that_is_over_and_cannot_be_renewed_asks_for_a_sign_in(
    spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    record = record_of(folder, spec)
    rewrite(folder, spec, expires_at=1.0, secret={**record["secret"], "refresh_token": None})
    assert isinstance(await fault_of(spec), SignInNeeded)


async def test_an_authorization_server_that_is_down_costs_nothing_while_the_token_is_good(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    guarded.change(token_status=503)
    rewrite(folder, spec, obtained_at=time.time() - 3590, expires_at=time.time() + 10)
    await listed(spec)


async def test_an_authorization_server_that_is_down_is_named_once_the_token_is_over(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    guarded.change(token_status=503)
    rewrite(folder, spec, expires_at=1.0)
    fault = await fault_of(spec)
    assert not isinstance(fault, SignInNeeded)
    assert "could not be renewed (HTTP 503)" in str(fault)
    guarded.change(token_status=0)
    await listed(spec)


@pytest.mark.parametrize(
    ("body", "words"),
    [("x" * 300_000, "too long"), ('{"access_token": ["CANARY"]}', "not a token"), ("", "not a token")],
    ids=["endless", "strange", "empty"],
)
async def test_a_strange_answer_to_a_refresh_is_one_line_and_the_old_token_stays(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder, body: str, words: str
) -> None:
    await signed_in(spec)
    rewrite(folder, spec, expires_at=1.0)
    before = record_of(folder, spec)
    guarded.change(token_status=200, token_body=body)
    assert words in str(await fault_of(spec))
    assert record_of(folder, spec) == before


async def test_an_authorization_server_that_is_down_is_not_asked_for_every_call(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    guarded.change(token_status=503)
    rewrite(folder, spec, expires_at=1.0)
    async with httpx2.AsyncClient(auth=StoredBearer(spec)) as client:
        for _ in range(5):
            await client.post(spec.url, json={})
    assert guarded.seen()["failed"] == 1


@pytest.mark.promise("auth:owner-only")
async def test_a_token_file_that_others_may_read_is_not_used_and_the_fix_is_said(
    spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    next(folder.path.glob("*.json")).chmod(0o644)
    fault = await fault_of(spec)
    assert isinstance(fault, BackendRefused)
    assert "chmod 600" in str(fault)


async def test_a_token_folder_that_cannot_be_used_is_said(spec: ServerSpec, folder: TokenFolder) -> None:
    await signed_in(spec)
    rewrite(folder, spec, expires_at=1.0)
    lock = folder.file_of(spec.url, ".lock")
    lock.unlink()
    lock.mkdir()
    assert "cannot be renewed" in str(await fault_of(spec))


@pytest.mark.promise("auth:refresh-race")
async def test_requests_of_one_connection_renew_together(guarded: Guarded, spec: ServerSpec) -> None:
    await signed_in(spec)
    guarded.change(revoke_access=True)
    bearer = StoredBearer(spec)
    statuses: list[int] = []

    async def ask(client: httpx2.AsyncClient) -> None:
        response = await client.post(spec.url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        statuses.append(response.status_code)

    async with httpx2.AsyncClient(auth=bearer) as client, anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(ask, client)
    assert len(statuses) == 10
    assert 401 not in statuses
    saw = guarded.seen()
    assert (saw["grants"].count("refresh_token"), saw["replayed"]) == (1, 0)


RENEW = """
import sys, anyio
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
reached = anyio.run(reach, ServerSpec("guarded", "http", url=sys.argv[1], timeout=240))
print("listed" if reached.tools else reached.fault)
"""


@pytest.mark.promise("auth:refresh-race")
async def test_processes_that_renew_at_once_lose_no_rotated_token(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    guarded.change(revoke_access=True)
    rewrite(folder, spec, expires_at=1.0)
    said: list[bytes] = []

    async def renew() -> None:
        said.append((await anyio.run_process([sys.executable, "-c", RENEW, spec.url])).stdout)

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(renew)
    assert said == [b"listed\n"] * 4
    saw = guarded.seen()
    assert (saw["grants"].count("refresh_token"), saw["replayed"]) == (1, 0)
    await listed(spec)


async def test_a_call_that_is_cancelled_while_it_renews_does_not_lose_the_new_token(
    guarded: Guarded, spec: ServerSpec
) -> None:
    class CancelledJustBefore(TokenStore):
        async def write(self, grant: Grant) -> KeptIn:
            scope.cancel()
            await anyio.lowlevel.checkpoint()
            return await super().write(grant)

    await signed_in(spec)
    guarded.change(revoke_access=True)
    async with httpx2.AsyncClient(auth=StoredBearer(spec, CancelledJustBefore())) as client:
        with anyio.CancelScope() as scope:
            await client.post(spec.url, json={})
    assert scope.cancelled_caught
    await listed(spec)
    assert guarded.seen()["grants"] == ["authorization_code", "refresh_token"]


@pytest.mark.promise("auth:origin")
async def test_a_token_goes_to_its_own_server_only(guarded: Guarded, spec: ServerSpec) -> None:
    await signed_in(spec)
    thief = f"{guarded.issuer}/thief"
    async with httpx2.AsyncClient(auth=StoredBearer(spec), follow_redirects=True) as client:
        await client.post(f"{guarded.origin}/away", json={})
        await client.post(thief, json={})
        await client.post(thief.replace("127.0.0.1", "localhost"), json={})
    assert set(guarded.seen()["stolen"]) == {""}


@pytest.mark.promise("auth:origin")
async def test_a_redirect_of_the_server_itself_takes_no_token_along(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    await signed_in(spec)
    away = replace(spec, url=f"{guarded.origin}/away")
    folder.make()
    folder.file_of(away.url).write_text(json.dumps({**record_of(folder, spec), "url": away.url}))
    folder.file_of(away.url).chmod(0o600)
    assert "redirects" in str(await fault_of(away))
    assert guarded.seen()["stolen"] == []


@pytest.mark.promise("auth:header-wins")
@pytest.mark.parametrize("name", ["Authorization", "authorization"])
async def test_a_header_of_the_config_wins_over_a_kept_token(spec: ServerSpec, name: str) -> None:
    await signed_in(spec)
    own = replace(spec, headers={name: "Bearer wrong"})
    assert bearer_for(own) is None
    assert "HTTP 401" in str(await fault_of(own))
    await listed(replace(spec, headers={"X-Team": "a"}))


async def test_a_plain_address_elsewhere_gets_no_token() -> None:
    spec = ServerSpec("plain", "http", url="http://mcp.example/mcp")
    flow = StoredBearer(spec).async_auth_flow(httpx2.Request("POST", spec.url))
    request = await anext(flow)
    assert "authorization" not in request.headers
    await flow.aclose()


@pytest.mark.promise("auth:canary")
async def test_no_token_shows_in_a_log_or_a_repr(
    guarded: Guarded, spec: ServerSpec, caplog: pytest.LogCaptureFixture
) -> None:
    await signed_in(spec)
    with caplog.at_level(logging.DEBUG):
        bearer = StoredBearer(spec)
        async with httpx2.AsyncClient(auth=bearer) as client:
            guarded.change(revoke_access=True)
            await client.post(spec.url, json={})
            guarded.change(revoke_all=True)
            await client.post(spec.url, json={})
        assert isinstance(bearer.fault, SignInNeeded)
        assert CANARY not in repr(bearer) + repr(vars(bearer)) + repr(bearer.fault)
    assert caplog.records
    assert CANARY not in "\n".join(record.getMessage() for record in caplog.records)
