"""Real servers of every transport and both protocol versions are reached and listed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server_process import free_port, running
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import Reached, reach, reach_all
from toolbooth.errors import BackendNotFound, BackendRefused

pytestmark = pytest.mark.anyio


def names(reached: Reached) -> set[str]:
    assert reached.fault is None, str(reached.fault)
    assert reached.tools is not None
    return {tool.name for tool in reached.tools.tools}


@pytest.mark.promise("reach:stdio-handshake")
async def test_servers_from_npm_are_listed_over_stdio(npm_bin: Path, npm_node: Path) -> None:
    env = {"PATH": f"{npm_node}:/usr/bin:/bin"}
    specs = [
        ServerSpec("everything", "stdio", str(npm_bin / "mcp-server-everything"), env=env),
        ServerSpec("filesystem", "stdio", str(npm_bin / "mcp-server-filesystem"), (str(npm_bin),), env=env),
        ServerSpec("memory", "stdio", str(npm_bin / "mcp-server-memory"), env=env),
        ServerSpec("thinking", "stdio", str(npm_bin / "mcp-server-sequential-thinking"), env=env),
    ]
    everything, filesystem, memory, thinking = await reach_all(specs)
    assert "echo" in names(everything)
    assert {"read_text_file", "list_directory"} <= names(filesystem)
    assert "create_entities" in names(memory)
    assert names(thinking) == {"sequentialthinking"}
    assert everything.tools is not None
    assert everything.tools.protocol == "2025-11-25"


@pytest.mark.promise("reach:stdio-stateless")
async def test_servers_from_pypi_are_listed_in_the_newer_version(pypi_bin: Path) -> None:
    specs = [
        ServerSpec(name, "stdio", str(pypi_bin / f"mcp-server-{name}")) for name in ("time", "git", "fetch")
    ]
    clock, git, fetch = await reach_all(specs)
    assert names(clock) == {"get_current_time", "convert_time"}
    assert "git_status" in names(git)
    assert names(fetch) == {"fetch"}
    assert clock.tools is not None
    assert clock.tools.protocol == "2026-07-28"


@pytest.mark.promise("reach:http-handshake")
@pytest.mark.parametrize(("mode", "path"), [("streamableHttp", "/mcp"), ("sse", "/sse")])
async def test_an_npm_server_is_listed_over_http(mode: str, path: str, npm_bin: Path, npm_node: Path) -> None:
    port = free_port()
    env = {"PATH": f"{npm_node}:/usr/bin:/bin", "PORT": str(port)}
    url = f"http://127.0.0.1:{port}{path}"
    with running([str(npm_bin / "mcp-server-everything"), mode], port, env):
        named = await reach(ServerSpec("named", "sse" if mode == "sse" else "http", url=url))
        guessed = await reach(ServerSpec("guessed", "auto", url=url))
    assert names(named) == names(guessed)
    assert "echo" in names(named)


@pytest.mark.promise("reach:http-stateless")
@pytest.mark.parametrize(("kind", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")])
async def test_the_sdks_own_server_is_listed_over_http(
    kind: str, path: str, sdk_http: Callable[..., str]
) -> None:
    reached = await reach(ServerSpec("sdk", "auto", url=sdk_http(kind) + path))
    assert names(reached) == {"add"}
    assert reached.tools is not None
    assert (reached.tools.title, reached.tools.version, reached.tools.instructions) == (
        "sdk-http",
        "1.2.3",
        "Adds numbers.",
    )


@pytest.mark.promise("reach:key")
async def test_a_key_goes_in_the_headers_and_its_absence_is_said(sdk_http: Callable[..., str]) -> None:
    url = sdk_http("streamable-http", "canary-key") + "/mcp"
    allowed = await reach(
        ServerSpec("keyed", "http", url=url, headers={"Authorization": "Bearer canary-key"})
    )
    refused = await reach(ServerSpec("keyless", "http", url=url))
    assert names(allowed) == {"add"}
    assert isinstance(refused.fault, BackendRefused)
    assert "HTTP 401: it needs a key" in str(refused.fault)
    assert "canary" not in repr(allowed)


async def test_a_dead_address_is_said_at_once() -> None:
    reached = await reach(ServerSpec("dead", "auto", url=f"http://127.0.0.1:{free_port()}/mcp"))
    assert isinstance(reached.fault, BackendNotFound)
