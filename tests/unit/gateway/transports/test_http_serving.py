"""The gateway over HTTP as a package above it starts it: with keys, routes of its own and an authorizer."""

import http.client
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.behaviour.gateway_process import ACCEPT, HELLO, stateless_request

from toolbooth.access import OPEN, AccessKey, AccessKeys, Authorizer, Principal
from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.transports.http import serve_http

pytestmark = pytest.mark.anyio
KEYS = AccessKeys([AccessKey("the-key-of-alice", "ALICE"), AccessKey("the-key-of-bob", "BOB")])
OFFERED = (
    ServerTools("near", (Tool("near", "echo", "Echo."), Tool("near", "erase", "Erase."))),
    ServerTools("vault", (Tool("vault", "unlock", "Unlock."),)),
)


class Answer(NamedTuple):
    status: int
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Get = Callable[..., Any]


async def whoever(http: Request) -> Response:
    return JSONResponse({"who": http.state.principal.label, "asked": http.query_params.get("page")})


class OnlyAlice:
    """Everyone may echo; only one may do anything else."""

    def may(self, principal: Principal, tool: Tool) -> bool:
        return tool.name == "echo" or principal.name == "ALICE"


@asynccontextmanager
async def served(home: Path, authorizer: Authorizer = OPEN, **more: Any) -> AsyncIterator[Get]:
    """Gives a function that gets a path as the holder of a key."""
    config = home / "toolbooth.yaml"
    entry = {"command": "no-such-command-here"}
    config.write_text(
        json.dumps({"servers": dict.fromkeys(("near", "vault"), entry), "gateway": {"warm_up": False}}),
        encoding="utf-8",
    )
    environ = {
        **dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(home)),
        "PATH": "/usr/bin:/bin",
    }
    request, urls, listening = GatewayRequest((str(config),), None, home, environ), list[str](), anyio.Event()

    def ready(url: str) -> None:
        urls.append(url)
        listening.set()

    async with (
        open_runtime(environ, home, authorizer=authorizer) as runtime,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(
            partial(serve_http, runtime, request, "127.0.0.1", 0, KEYS, ready=ready, note=print, **more)
        )
        await listening.wait()
        gateway = (await runtime.enter(request)).gateway
        for each in OFFERED:
            gateway.registry.put(each)
        port = int(urls[0].rpartition(":")[2].partition("/")[0])

        async def get(path: str, key: str = "", body: object = None, **headers: str) -> Answer:
            return await anyio.to_thread.run_sync(fetched, port, path, key, body, headers)

        yield get
        tasks.cancel_scope.cancel()


def fetched(port: int, path: str, key: str, body: object, headers: Mapping[str, str]) -> Answer:
    """A GET, or a POST of the body as JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    given = {"authorization": f"Bearer {key}"} if key else {}
    raw = None if body is None else json.dumps(body).encode()
    try:
        connection.request("GET" if raw is None else "POST", path, raw, {**ACCEPT, **headers, **given})
        response = connection.getresponse()
        return Answer(response.status, response.read().decode())
    finally:
        connection.close()


@pytest.mark.promise("serve-http:routes")
async def test_a_route_of_another_package_is_served_behind_the_same_key(tmp_path: Path) -> None:
    async with served(tmp_path, routes=[Route("/ui/calls", whoever)]) as get:
        assert (await get("/ui/calls?page=2", "the-key-of-bob")).json == {"who": "BOB", "asked": "2"}
        for key in ("", "the-key-of-nobody"):
            refused = await get("/ui/calls", key)
            assert (refused.status, "a key is required" in refused.body) == (401, True)
        assert (await get("/ui/elsewhere", "the-key-of-bob")).status == 404


@pytest.mark.promise("serve-http:routes")
async def test_no_route_takes_the_place_of_ours(tmp_path: Path) -> None:
    async with served(tmp_path, routes=[Route("/health", whoever)]) as get:
        assert (await get("/health")).json == {"status": "ok"}


@pytest.mark.promise("access:may")
async def test_each_key_reads_what_exists_for_it(tmp_path: Path) -> None:
    async with served(tmp_path, authorizer=OnlyAlice()) as get:
        names = {}
        for key in ("the-key-of-alice", "the-key-of-bob"):
            listed = (await get("/api/v1/tools", key)).json["tools"]
            found = (await get("/api/v1/index/search?q=erase", key)).json["results"]
            servers = (await get("/health", key)).json["servers"]
            names[key] = (
                [each["tool"] for each in listed],
                [each["tool"] for each in found],
                {each["server"]: each["tools"] for each in servers},
            )
        assert names["the-key-of-alice"] == (["echo", "erase", "unlock"], ["erase"], {"near": 2, "vault": 1})
        assert names["the-key-of-bob"] == (["echo"], [], {"near": 1})


@pytest.mark.promise("access:may")
@pytest.mark.parametrize("path", ["/mcp/full", "/mcp/direct"])
async def test_each_key_is_greeted_with_what_exists_for_it(path: str, tmp_path: Path) -> None:
    """In both protocol versions: the greeting and the list come through the SDK."""
    async with served(tmp_path, authorizer=OnlyAlice()) as get:
        for key, known in (("the-key-of-alice", True), ("the-key-of-bob", False)):
            for method in ("server/discover", "tools/list"):
                body, headers = stateless_request(method)
                answered = await get(path, key, body, **headers)
                said = answered.body + (await get(path, key, HELLO)).body
                assert answered.status == 200
                assert "near" in said
                assert ("vault" in said, "unlock" in said) == (known, known)


async def test_without_an_authorizer_every_key_reads_the_same(tmp_path: Path) -> None:
    async with served(tmp_path) as get:
        first, second = [
            (await get("/api/v1/tools", key)).json for key in ("the-key-of-alice", "the-key-of-bob")
        ]
        assert first == second
        assert [each["tool"] for each in first["tools"]] == ["echo", "erase", "unlock"]
