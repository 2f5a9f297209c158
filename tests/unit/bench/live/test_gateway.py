"""A client of a gateway's HTTP API: what answers there may be anything."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from toolbooth.bench.live.gateway import addresses, gateway_api
from toolbooth.errors import BackendFault, NothingToWeigh, ToolboothError, UserMistake

pytestmark = pytest.mark.anyio


@contextmanager
def answering(status: int, body: bytes, cut: bool = False) -> Iterator[str]:
    """A web server that says the same to everyone; `cut` promises more than it sends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body) + (10 if cut else 0)))
            self.send_header("location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Not to our stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("url", "api", "mcp"),
    [
        ("http://h:1", "http://h:1", "http://h:1/mcp"),
        ("http://h:1/", "http://h:1", "http://h:1/mcp"),
        ("http://h:1/mcp", "http://h:1", "http://h:1/mcp"),
        ("http://h:1/mcp/", "http://h:1", "http://h:1/mcp"),
        ("https://h/mcp/code", "https://h", "https://h/mcp/code"),
        ("https://h/booth/mcp/code?x=1", "https://h/booth", "https://h/booth/mcp/code?x=1"),
    ],
)
def test_one_address_leads_to_the_api_and_to_mcp(url: str, api: str, mcp: str) -> None:
    assert addresses(url) == (api, mcp)


@pytest.mark.promise("bench:live-refused")
@pytest.mark.parametrize(
    ("status", "body", "fault", "said"),
    [
        (401, b"{}", UserMistake, "refused the key"),
        (404, b"<html>", UserMistake, "is not a Toolbooth gateway"),
        (200, b"<html>hello", UserMistake, "is not a Toolbooth gateway"),
        (200, b"[]", UserMistake, "is not a Toolbooth gateway"),
        (200, b"{}", BackendFault, "without tools and servers"),
        (200, b'{"tools": 1, "servers": {}}', BackendFault, "without tools and servers"),
        (200, b'{"tools": [], "servers": {"a": "up"}}', NothingToWeigh, "has no tools"),
        (200, b'{"tools": [1, {"server": "b"}], "servers": {"a": "up"}}', NothingToWeigh, "has no tools"),
        (302, b"", BackendFault, "HTTP 302"),
        (503, b"{}", BackendFault, "HTTP 503"),
    ],
)
async def test_what_is_no_gateway_is_said_in_one_line(
    status: int, body: bytes, fault: type[ToolboothError], said: str
) -> None:
    with answering(status, body) as url:
        async with gateway_api(url, "key") as api:
            with pytest.raises(fault, match=said):
                await api.corpus()


async def test_an_answer_that_breaks_off_or_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(200, b"{", cut=True) as url:
        async with gateway_api(url, "") as api:
            with pytest.raises(BackendFault, match="broke off"):
                await api.search("x")
    monkeypatch.setattr("toolbooth.limits.MAX_CATALOG_BYTES", 1 << 20)
    with answering(200, b" " * (2 << 20)) as url:
        async with gateway_api(url, "") as api:
            with pytest.raises(BackendFault, match="over 1 MiB"):
                await api.corpus()


async def test_a_ranking_without_results_is_a_fault() -> None:
    with answering(200, b'{"results": [{}]}') as url:
        async with gateway_api(url, "") as api:
            with pytest.raises(BackendFault, match="without results"):
                await api.search("x")


async def test_scripts_of_the_gateway_are_no_tools_of_a_server() -> None:
    tools = b'{"server": "a", "tool": "x", "description": "d"}, {"server": "scripts", "tool": "y"}'
    with answering(200, b'{"tools": [%b], "servers": {"a": "up"}}' % tools) as url:
        async with gateway_api(url, "") as api:
            assert [tool.id for tool in (await api.corpus()).catalog] == ["a.x"]
