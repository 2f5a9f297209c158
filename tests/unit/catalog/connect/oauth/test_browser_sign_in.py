"""Signing in against a real authorization server: discovery, registration, PKCE, consent; or nothing is kept."""

import logging
from dataclasses import replace

import anyio
import pytest
from tests.authorization_server import CANARY, Guarded, guarded_server
from tests.unit.catalog.connect.oauth.person import Person, record_of, signed_in

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.catalog.connect.oauth import sign_in
from toolbooth.catalog.connect.oauth.token_store import TokenFolder
from toolbooth.errors import (
    BackendFault,
    BackendRefused,
    BackendTimeout,
    UserMistake,
)

pytestmark = pytest.mark.anyio


@pytest.mark.promise("auth:flow")
async def test_a_person_signs_in_and_the_server_can_be_listed(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    kept = await signed_in(spec)
    assert (kept.kept_in, kept.renews) == ("file", True)
    saw = guarded.seen()
    assert [client["name"] for client in saw["clients"]] == ["Toolbooth"]
    assert saw["authorize"] == [{"client": saw["clients"][0]["id"], "resource": guarded.url}]
    assert saw["grants"] == ["authorization_code"]
    assert record_of(folder, spec)["token_endpoint"] == f"{guarded.issuer}/token"
    reached = await reach(spec)
    assert reached.tools is not None, str(reached.fault)
    assert [tool.name for tool in reached.tools.tools] == ["add"]


async def test_a_bare_url_and_a_second_config_share_the_token(spec: ServerSpec) -> None:
    await signed_in(spec)
    for other in (replace(spec, name="again", transport="auto"), replace(spec, url=spec.url + "#x")):
        reached = await reach(other)
        assert reached.tools is not None, str(reached.fault)


@pytest.mark.promise("auth:sse")
async def test_the_older_transport_signs_in_and_lists_too() -> None:
    with guarded_server("sse") as guarded:
        for transport in ("sse", "auto"):
            spec = ServerSpec("old", transport, url=guarded.url, timeout=240)
            refused = await reach(spec)
            assert "wants you to sign in: run `toolbooth auth old`" in str(refused.fault)
        await signed_in(spec)
        reached = await reach(replace(spec, transport="sse"))
        assert reached.tools is not None, str(reached.fault)


async def test_a_server_that_wants_secrets_of_its_clients_gets_a_second_registration(
    guarded: Guarded, spec: ServerSpec
) -> None:
    guarded.change(public=False)
    await signed_in(spec)
    (client,) = guarded.seen()["clients"]
    assert client["method"] == "client_secret_post"


async def test_a_client_metadata_document_needs_no_registration(guarded: Guarded, spec: ServerSpec) -> None:
    document = "https://client.example/toolbooth.json"
    guarded.change(known=[document], metadata={"client_id_metadata_document_supported": True})
    await signed_in(spec, client_id=document)
    saw = guarded.seen()
    assert saw["authorize"][0]["client"] == document
    assert [client["id"] for client in saw["clients"]] == [document]


async def test_a_client_that_was_registered_by_hand_is_used_and_renews(
    guarded: Guarded, spec: ServerSpec
) -> None:
    guarded.change(known=["by-hand"], registers=False)
    await signed_in(spec, client_id="by-hand")
    guarded.change(revoke_access=True)
    reached = await reach(spec)
    assert reached.tools is not None, str(reached.fault)


async def test_metadata_where_openid_connect_has_it_is_found(guarded: Guarded, spec: ServerSpec) -> None:
    guarded.change(oidc=True)
    await signed_in(spec)


async def fault_of(spec: ServerSpec, *, person: Person | None = None, timeout: float = 20) -> BackendFault:
    person = person or Person()
    with pytest.raises(BackendFault) as caught:
        await sign_in(spec, person.go, timeout)
    person.leave()
    assert caught.value.server == spec.name
    assert str(caught.value).isprintable()
    assert CANARY not in str(caught.value)
    return caught.value


@pytest.mark.promise("auth:nothing-half-stored")
async def test_a_person_who_says_no_leaves_nothing_behind(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    guarded.change(deny=True)
    fault = await fault_of(spec)
    assert isinstance(fault, BackendRefused)
    assert "the sign-in was refused: access_denied (the person said no)" in str(fault)
    assert not folder.path.exists()


@pytest.mark.promise("auth:state")
async def test_an_answer_with_another_state_leaves_nothing_behind(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    guarded.change(state="forged")
    assert "wrong state" in str(await fault_of(spec))
    assert not folder.path.exists()
    assert guarded.seen()["grants"] == []


@pytest.mark.promise("auth:pkce")
async def test_a_code_that_another_client_asked_for_is_worth_nothing(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    """The server remembers another challenge, as if the code had been asked for by somebody else."""
    guarded.change(challenge="x" * 43)
    assert "gave no token (HTTP 400)" in str(await fault_of(spec))
    assert not folder.path.exists()


async def test_nobody_at_the_browser_ends_at_the_deadline(spec: ServerSpec, folder: TokenFolder) -> None:
    class Absent(Person):
        def go(self, url: str) -> None:
            self.went_to.append(url)

    fault = await fault_of(spec, person=Absent(), timeout=1)
    assert isinstance(fault, BackendTimeout)
    assert not folder.path.exists()


async def test_a_cancelled_sign_in_keeps_nothing(spec: ServerSpec, folder: TokenFolder) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(sign_in, spec, lambda _url: tasks.cancel_scope.cancel())
    assert not folder.path.exists()


async def test_a_server_that_registers_nobody_is_said(guarded: Guarded, spec: ServerSpec) -> None:
    guarded.change(registers=False)
    assert "--client-id" in str(await fault_of(spec))


async def test_a_server_that_wants_a_key_is_told_apart_from_one_that_wants_oauth(
    guarded: Guarded, spec: ServerSpec
) -> None:
    assert "put its key under `headers`" in str(await fault_of(replace(spec, url=f"{guarded.origin}/key")))


async def test_a_server_that_asks_for_nothing_needs_no_sign_in(guarded: Guarded, spec: ServerSpec) -> None:
    person = Person()
    assert await sign_in(replace(spec, url=f"{guarded.origin}/open"), person.go) is None
    assert person.went_to == []


async def test_a_server_that_is_not_there_is_said(spec: ServerSpec) -> None:
    assert "could not be reached" in str(await fault_of(replace(spec, url="http://127.0.0.1:9/mcp")))


async def test_a_server_that_leads_elsewhere_is_not_followed(guarded: Guarded, spec: ServerSpec) -> None:
    assert "redirects" in str(await fault_of(replace(spec, url=f"{guarded.origin}/away")))
    assert guarded.seen()["stolen"] == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"transport": "stdio", "url": ""}, "a command on this machine"),
        ({"headers": {"AUTHORIZATION": "Bearer x"}}, "its own authorization"),
        ({"url": "https://user:pass@mcp.example/mcp"}, "its own authorization"),
        ({"url": "http://mcp.example/mcp"}, "plain http://"),
    ],
)
async def test_where_there_is_nothing_to_sign_in_to_it_is_said(
    spec: ServerSpec, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(UserMistake, match=words):
        await sign_in(replace(spec, **changes), Person().go)  # type: ignore[arg-type]


@pytest.mark.promise("auth:safe-ways")
async def test_a_sign_in_page_with_a_plain_address_elsewhere_is_not_opened(
    guarded: Guarded, spec: ServerSpec
) -> None:
    guarded.change(metadata={"authorization_endpoint": "http://evil.example/authorize"})
    person = Person()
    assert "not safe to open" in str(await fault_of(spec, person=person))
    assert person.went_to == []


@pytest.mark.promise("auth:safe-ways")
async def test_a_code_is_not_sent_to_a_plain_address_elsewhere(
    guarded: Guarded, spec: ServerSpec, folder: TokenFolder
) -> None:
    guarded.change(metadata={"token_endpoint": "http://evil.example/token?x=1"})
    assert "leads to http://evil.example/token, which is not a safe" in str(await fault_of(spec))
    assert not folder.path.exists()


async def test_metadata_of_another_issuer_is_refused(guarded: Guarded, spec: ServerSpec) -> None:
    guarded.change(metadata={"issuer": "https://other.example/"})
    assert "misconfigured: Authorization server metadata issuer mismatch" in str(await fault_of(spec))


@pytest.mark.parametrize("body", ["down", "[]", '{"access_token": "CANARY"', '{"token_type": "CANARY"}'])
async def test_an_answer_that_is_no_token_is_one_line_without_it(
    guarded: Guarded, spec: ServerSpec, body: str
) -> None:
    guarded.change(token_status=200, token_body=body)
    assert "gave no token" in str(await fault_of(spec))


@pytest.mark.promise("auth:canary")
async def test_no_log_holds_a_token_whatever_happens(
    guarded: Guarded, spec: ServerSpec, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await signed_in(spec)
        await reach(spec)
        guarded.change(challenge="x" * 43)
        await fault_of(spec)
        guarded.change(challenge="", state="forged")
        await fault_of(spec)
    assert caplog.records
    said = "\n".join(record.getMessage() + str(record.exc_info) for record in caplog.records)
    assert CANARY not in said
