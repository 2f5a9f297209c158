"""The built-in resources beside those of servers: ours stay ours, and nobody's are hidden."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller
from tests.unit.gateway.in_memory_channel import InMemoryChannel

from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.builtin_resources import RESOURCES, TEMPLATES
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Caller, Refusal, Session
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
# A server that offers what the gateway itself does, as another gateway behind it would.
CLAIMS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    params = asked.get("params") or {}
    asked_for = json.dumps({"method": asked["method"], **{key: params.get(key) for key in ("uri", "name", "ref")}})
    answers = {
        "initialize": {"protocolVersion": "2025-11-25", "serverInfo": {"name": "claims", "version": "1"},
                       "capabilities": {"prompts": {}, "resources": {}, "completions": {}}},
        "resources/list": {"resources": [{"uri": "toolbooth://overview", "name": "theirs"}]},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "toolbooth://tool/{name}", "name": "t"}]},
        "resources/read": {"contents": [{"uri": params.get("uri"), "text": asked_for}]},
        "prompts/list": {"prompts": [{"name": "discover", "description": "theirs"}, {"name": ["no", "name"]}]},
        "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": asked_for}}]},
        "completion/complete": {"completion": {"values": [asked_for]}},
    }
    answer = answers.get(asked["method"])
    said = {"error": {"code": -32601, "message": "no"}} if answer is None else {"result": answer}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""


def read(result: Any) -> dict[str, Any]:
    value: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
    return value


class Asking:
    """One client of a gateway."""

    def __init__(self, view: View) -> None:
        client_identity = ClientIdentity({}, {})
        self.view, self.caller = (
            view,
            Caller(Session("s", "2025-11-25", False, client_identity), client_identity, InMemoryChannel()),
        )

    async def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        return read(await answer(self.view, self.caller, method, params))

    async def text(self, uri: str) -> str:
        return str((await self("resources/read", uri=uri))["contents"][0]["text"])


@asynccontextmanager
async def behind(home: Path, *names: str) -> AsyncIterator[Asking]:
    """A gateway in front of servers that claim what is ours."""
    config = home / "servers.json"
    entry = {"command": sys.executable, "args": ["-c", CLAIMS]}
    config.write_text(json.dumps({"mcpServers": dict.fromkeys(names, entry)}), encoding="utf-8")
    folders = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"), str(home))
    async with open_runtime(folders, home) as runtime:
        yield Asking(
            await runtime.enter(GatewayRequest((str(config),), "search", home, {**folders, "PATH": "/bin"}))
        )


@pytest.mark.promise("builtin:beside")
async def test_what_a_server_offers_under_our_scheme_gets_an_alias(tmp_path: Path) -> None:
    async with behind(tmp_path, "inner") as ask:
        listed = (await ask("resources/list"))["resources"]
        assert [each["uri"] for each in listed] == [*RESOURCES, "inner+toolbooth://overview"]
        assert listed[-1]["name"] == "theirs"
        assert (await ask.text("toolbooth://overview")).startswith("1 server, 0 tools:")
        assert json.loads(await ask.text("inner+toolbooth://overview"))["uri"] == "toolbooth://overview"


@pytest.mark.promise("builtin:beside")
@pytest.mark.parametrize("names", [("inner",), ("inner", "other")])
async def test_a_uri_of_a_servers_template_under_our_scheme_is_read_there_also_unlisted(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    async with behind(tmp_path, *names) as ask:
        there = json.loads(await ask.text("inner+toolbooth://tool/a.b"))
        assert there["uri"] == "toolbooth://tool/a.b"
        listed = (await ask("resources/templates/list"))["resourceTemplates"]
        aliases = [f"{name}+toolbooth://tool/{{name}}" for name in names]
        assert [each["uriTemplate"] for each in listed] == [*TEMPLATES, *aliases]
        ref = {"type": "ref/resource", "uri": aliases[-1]}
        got = await ask("completion/complete", ref=ref, argument={"name": "name", "value": "a"})
        assert json.loads(got["completion"]["values"][0])["ref"] == {**ref, "uri": "toolbooth://tool/{name}"}


@pytest.mark.promise("builtin:beside")
async def test_the_only_servers_prompt_wins_over_ours_of_the_same_name(tmp_path: Path) -> None:
    async with behind(tmp_path, "inner") as ask:
        listed = (await ask("prompts/list"))["prompts"]
        assert [each["name"] for each in listed][:3] == ["find_tool", "server_status", "discover"]
        got = await ask("prompts/get", name="discover")
        assert json.loads(got["messages"][0]["content"]["text"])["name"] == "discover"
        ours = await ask("prompts/get", name="server_status")
        assert "inner: up" in ours["messages"][0]["content"]["text"]


async def test_beside_several_servers_every_prompt_of_ours_is_there(tmp_path: Path) -> None:
    async with behind(tmp_path, "a", "b") as ask:
        names = [each["name"] for each in (await ask("prompts/list"))["prompts"]]
        assert names[:4] == ["discover", "find_tool", "server_status", "a__discover"]
        assert "b__discover" in names
        got = await ask("prompts/get", name="discover")
        assert got["messages"][0]["content"]["text"].startswith("These tools")


@pytest.mark.parametrize("modern", [False, True])
async def test_a_resource_of_ours_is_in_the_format_of_the_callers_protocol_version(
    view: View, caller: MakeCaller, modern: bool
) -> None:
    got = read(await answer(view, caller(modern=modern), "resources/read", {"uri": "toolbooth://tools"}))
    assert got["contents"][0]["mimeType"] == "text/plain"
    assert ("ttlMs" in got, "resultType" in got) == (modern, modern)


@pytest.mark.promise("builtin:not-found")
@pytest.mark.parametrize(("modern", "code"), [(False, -32002), (True, -32602)])
@pytest.mark.parametrize(
    ("uri", "nearest"),
    [
        ("toolbooth://stat", "toolbooth://stats"),
        ("toolbooth://server/tlak", "talk"),
        ("toolbooth://tool/talk.seeen", r"talk\.seen"),
        ("toolbooth://recent/few", "recent/20"),
    ],
)
async def test_what_is_not_there_is_refused_with_the_nearest(
    view: View, caller: MakeCaller, uri: str, nearest: str, modern: bool, code: int
) -> None:
    await view.gateway.ready(caller().session)
    with pytest.raises(Refusal, match=nearest) as refused:
        await answer(view, caller(modern=modern), "resources/read", {"uri": uri})
    assert (refused.value.code, refused.value.data) == (code, {"uri": uri})


async def test_ours_are_not_watched_and_that_is_said(view: View, caller: MakeCaller) -> None:
    uri = {"uri": "toolbooth://stats"}
    with pytest.raises(Refusal, match="does not report changes"):
        await answer(view, caller(), "resources/subscribe", uri)
    assert await answer(view, caller(), "resources/unsubscribe", uri) == {}
