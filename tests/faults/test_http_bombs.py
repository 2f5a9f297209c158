"""Compressed answers: whichever of our HTTP clients they meet, none is unpacked."""

import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.raw_http import HttpRequest, head, raw_server
from toolbooth.bench.live.gateway import gateway_api
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.catalog.connect.oauth import sign_in
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.connect.oauth.refresh import refresh
from toolbooth.catalog.http_clients import ResponseRefused
from toolbooth.errors import BackendFault
from toolbooth.suite.agents.providers.clients import http_client

pytestmark = pytest.mark.anyio
MIB = 1 << 20
UNPACKED = 64 * MIB
MOST = 24 * MIB  # a bomb takes more than twice that
_ZEROS = gzip.compress(b"0" * UNPACKED)
BOMBS = {
    "gzip": _ZEROS,
    "x-gzip, gzip": gzip.compress(_ZEROS),
    "GZIP , identity": _ZEROS,
    "deflate": zlib.compress(b"0" * UNPACKED),
    "gzip, gzip, gzip": gzip.compress(gzip.compress(_ZEROS)),
    "br": b"\x00" * 1000,
    "zstd": b"\x28\xb5\x2f\xfd" + b"\x00" * 1000,
    "nobody-knows": b"\x00" * 1000,
}


async def over_http(url: str) -> str:
    return str((await reach(ServerSpec("far", "http", url=url, timeout=240))).fault)


async def over_sse(url: str) -> str:
    return str((await reach(ServerSpec("far", "sse", url=url, timeout=240))).fault)


async def refreshing(url: str) -> str:
    client = {"client_id": "us", "redirect_uris": ["http://127.0.0.1:1/callback"]}
    grant = Grant(url, f"{url}/token", "old", client, refresh_token="again")
    with pytest.raises(BackendFault) as caught:
        await refresh(grant)
    return str(caught.value)


async def signing_in(url: str) -> str:
    with pytest.raises(BackendFault) as caught:
        await sign_in(ServerSpec("far", "http", url=url), print, 20)
    return str(caught.value)


async def benchmarking(url: str) -> str:
    async with gateway_api(url, "") as api:
        with pytest.raises(BackendFault) as caught:
            await api.search("anything")
    return str(caught.value)


async def asking_a_model(url: str) -> str:
    async with http_client(20) as client:
        with pytest.raises(ResponseRefused) as caught:
            await client.post(f"{url}/v1/messages", json={})
    return str(caught.value)


CLIENTS: list[Callable[[str], Awaitable[str]]] = [
    over_http, over_sse, refreshing, signing_in, benchmarking, asking_a_model,
]  # fmt: skip


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST


def answering(status: int, kind: str, encoding: str) -> Callable[[HttpRequest], AsyncIterator[bytes]]:
    async def script(heard: HttpRequest) -> AsyncIterator[bytes]:
        assert "accept-encoding: identity" in heard.head.lower()
        if heard.path == "/" and "metadata" not in kind:  # signing in begins with a refusal
            yield head(401, www_authenticate=f'Bearer resource_metadata="http://{host(heard)}/metadata"')
            return
        yield head(status, kind, content_encoding=encoding)
        yield BOMBS[encoding]

    return script


def host(heard: HttpRequest) -> str:
    return next(line[6:] for line in heard.head.split("\r\n") if line.lower().startswith("host: "))


@pytest.mark.promise("http:no-unpacking")
@pytest.mark.parametrize("encoding", BOMBS)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda each: each.__name__)
async def test_no_client_unpacks_what_it_did_not_ask_for(
    client: Callable[[str], Awaitable[str]], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kind = "text/event-stream" if client is over_sse else "application/json"
    async with raw_server(answering(200, kind, encoding)) as raw:
        with little_memory():
            said = await client(raw.url if client is signing_in else f"{raw.url}/mcp")
    assert "\n" not in said
    if (
        client is not signing_in
    ):  # its metadata is looked for in several places, and then it is said to be missing
        assert "encoding that was not requested" in said


@pytest.mark.promise("http:no-unpacking")
@pytest.mark.parametrize("client", [over_http, over_sse], ids=lambda each: each.__name__)
async def test_the_status_of_an_error_page_is_said_and_its_body_is_not_unpacked(
    client: Callable[[str], Awaitable[str]],
) -> None:
    async with raw_server(answering(502, "application/json", "gzip")) as raw:
        with little_memory():
            assert "HTTP 502" in await client(f"{raw.url}/mcp")


@pytest.mark.promise("http:no-unpacking")
@pytest.mark.parametrize("status", [200, 307, 500])
async def test_events_that_answer_a_post_of_the_older_transport_are_not_read_for_ever(status: int) -> None:
    """What nobody asked to stream is read whole by the libraries, so it is counted like any other body."""

    async def script(heard: HttpRequest) -> AsyncIterator[bytes]:
        yield head(200 if heard.method == "GET" else status, "text/event-stream", location="/other")
        if heard.method == "GET":
            yield b"event: endpoint\ndata: /messages\n\n"
        while True:
            yield b": \n\n" if heard.method == "GET" else b"data: 1\n\n" * 100_000

    async with raw_server(script) as raw:
        with little_memory():
            said = await over_sse(f"{raw.url}/sse")
    assert raw.sent["POST"] < 3 * 17 * MIB
    assert "over 16 MiB" in said or f"HTTP {status}" in said


@pytest.mark.promise("http:no-unpacking")
async def test_a_config_cannot_ask_for_compression_by_a_header_of_its_own() -> None:
    async with raw_server(answering(200, "application/json", "gzip")) as raw:
        spec = ServerSpec(
            "far", "http", url=f"{raw.url}/mcp", headers={"Accept-Encoding": "gzip"}, timeout=240
        )
        assert "not requested" in str((await reach(spec)).fault)
