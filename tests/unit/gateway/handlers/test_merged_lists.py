"""One list of many servers: pages are joined, and who is slow or down hides and delays nobody."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller
from tests.unit.gateway.in_memory_channel import InMemoryChannel

from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.builtin_resources import PROMPTS
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.handlers.merged_lists import gather, listed
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
PAGES = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    params = asked.get("params") or {}
    page = int(params.get("cursor", "0"))
    following = {} if page == 2 else {"nextCursor": str(page + 1)}
    answers = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"prompts": {}},
                       "serverInfo": {"name": "pages", "version": "1"}},
        "prompts/list": {"prompts": [{"name": f"p{page}", "description": json.dumps(params)}, "no object"],
                         **following},
    }
    answer = answers.get(asked["method"])
    said = {"error": {"code": -32601, "message": "no"}} if answer is None else {"result": answer}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""
SILENT = "import sys; sys.stdin.read()"


def python(program: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-c", program]}


async def names_behind(home: Path, servers: dict[str, Any]) -> list[str]:
    config = home / "servers.json"
    config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    environ = {"XDG_CACHE_HOME": str(home), "PATH": "/usr/bin:/bin"}
    client_identity = ClientIdentity({}, {})
    caller = Caller(Session("s", "2025-11-25", False, client_identity), client_identity, InMemoryChannel())
    async with open_runtime(environ, home) as runtime:
        view = await runtime.enter(GatewayRequest((str(config),), "search", home, environ))
        result = await answer(view, caller, "prompts/list", {"cursor": "a client's", "_meta": {"own": 1}})
        assert isinstance(result, dict)
        theirs = result["prompts"][len(PROMPTS) :]
        return [f"{each['name']} {each.get('description', '')}".strip() for each in theirs]


async def test_all_pages_are_fetched_and_what_is_no_entry_is_left_out(tmp_path: Path) -> None:
    names = await names_behind(tmp_path, {"pages": python(PAGES)})
    assert names == [
        'p0 {"_meta": {"own": 1}}',
        'p1 {"cursor": "1", "_meta": {"own": 1}}',
        'p2 {"cursor": "2", "_meta": {"own": 1}}',
    ]


async def test_a_server_that_says_nothing_does_not_hold_up_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.FIRST_LIST_WAIT", 4.0)
    names = await names_behind(tmp_path, {"silent": python(SILENT), "pages": python(PAGES)})
    assert [each.split()[0] for each in names] == ["pages__p0", "pages__p1", "pages__p2"]


async def test_entries_know_their_server(view: View, caller: MakeCaller) -> None:
    found = await gather(view, caller(), "prompts", "prompts/list", "prompts", {})
    assert [(each.upstream.name, each.item["name"]) for each in found][:3] == [
        ("talk", "greet"),
        ("talk", "quiz"),
        ("talk__new", "greet"),
    ]


def test_a_list_for_a_stateless_client_is_never_kept(caller: MakeCaller) -> None:
    assert listed(caller(), "tools", []) == {"tools": []}
    assert listed(caller(modern=True), "tools", []) == {
        "resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"
    }  # fmt: skip
