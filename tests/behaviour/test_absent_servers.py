"""A server that a config names and nobody can use: whoever asks for it is told what it lacks."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.test_working_folder import mcp, opened
from tests.unit.gateway.daemon.bridges import Client, Home, own_home

pytestmark = pytest.mark.promise("gateway:absent-server")
LACKS = "needs the environment variable GITHUB_TOKEN, which is not set"
SMALL = Path(__file__).with_name("small_server.py")


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def config(folder: Path, **more: Any) -> Path:
    servers = {
        "github": {"command": "npx", "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}},
        "switched": {"command": "npx", "disabled": True},
        "gone": {"command": "no-such-command-here"},
        "small": {"command": sys.executable, "args": [str(SMALL), str(folder / "diary")]},
        **more,
    }
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


@pytest.fixture
def client(home: Home) -> Client:
    return opened(home, home.folder, "--config", str(config(home.folder)), "--no-daemon", "--surface", "full")


def said(client: Client, tool: str, **arguments: Any) -> str:
    answer = mcp(client, 1, "tools/call", {"name": tool, "arguments": arguments})
    if "error" in answer:
        return str(answer["error"]["message"])
    return "\n".join(each.get("text", "") for each in answer["result"]["content"])


@pytest.mark.parametrize("name", ["github.create_issue", "github__create_issue"])
def test_a_call_says_what_the_server_lacks(client: Client, home: Home, name: str) -> None:
    text = said(client, "call_tool", name=name, arguments={})
    assert f'There is no tool "{name}". github cannot be used: {LACKS}' in text
    assert str(home.folder / "servers.json") in text
    assert "tell the user" in text


def test_a_call_says_that_the_server_is_disabled(client: Client) -> None:
    text = said(client, "call_tool", name="switched.do", arguments={})
    assert "switched cannot be used: is disabled in its config" in text


@pytest.mark.parametrize("name", ["gone.do", "gone__do"])
def test_a_call_says_why_the_server_did_not_start(client: Client, name: str) -> None:
    text = said(client, "call_tool", name=name, arguments={})
    assert "gone: command no-such-command-here was not found" in text


@pytest.mark.parametrize("noise", ["", "log('x' * 150);" * 3])
def test_a_search_says_the_last_words_of_a_server_that_did_not_start(home: Home, noise: str) -> None:
    code = f"import sys; log = lambda line: print(line, file=sys.stderr); {noise} raise RuntimeError('no ' + 'token')"
    path = config(home.folder, dead={"command": sys.executable, "args": ["-c", code]})
    served = opened(home, home.folder, "--config", str(path), "--no-daemon", "--surface", "full")
    for _ in range(2):
        assert "RuntimeError: no token" in said(served, "search_tools", query="zzzz qqqq")


def test_a_search_says_it_where_the_name_or_nothing_fits(client: Client) -> None:
    reported = f"cannot be used, so not searched: github ({LACKS}"
    assert reported in said(client, "search_tools", query="open an issue on github")
    assert reported in said(client, "search_tools", query="zzzz qqqq")
    assert LACKS not in said(client, "search_tools", query="say a text in capital letters")
    assert LACKS in said(client, "search_tools", query="issue", server="github")
    assert LACKS in said(client, "list_tools", server="github")


def test_code_says_it(client: Client) -> None:
    assert LACKS in said(client, "call_tool_chain", code="x = await github.create_issue(title='a')\nx")
    assert LACKS in said(client, "call_tool_chain", code='{"tool": "github.create_issue", "arguments": {}}')
    assert "was not found" in said(client, "call_tool_chain", code="x = await gone.do()\nx")


def test_resources_say_it(client: Client) -> None:
    for name in ("servers", "overview", "health", "server/github"):
        answer = mcp(client, 2, "resources/read", {"uri": f"toolbooth://{name}"})
        assert LACKS in json.dumps(answer), name
    assert LACKS in said(client, "manage_servers", action="status")


def test_a_menu_of_all_tools_says_it(home: Home) -> None:
    path = str(config(home.folder))
    client = opened(home, home.folder, "--config", path, "--no-daemon", "--surface", "direct")
    assert LACKS in said(client, "github__create_issue")
    assert "gone is configured but not up: command no-such-command-here was not found" in said(
        client, "gone__do"
    )


def test_where_no_server_can_be_used_the_reason_is_what_is_said(home: Home) -> None:
    (home.folder / ".cursor").mkdir()
    servers = {"github": {"command": "npx", "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}}}
    (home.folder / ".cursor/mcp.json").write_text(json.dumps({"mcpServers": servers}))
    client = opened(home, home.folder, "--no-daemon")
    assert LACKS in said(client, "search_tools", query="open an issue")
    assert LACKS in said(client, "call_tool", name="github.create_issue", arguments={})


def test_source_errors_name_their_config_unless_one_file_was_named(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    one = config(tmp_path).rename(tmp_path / ".cursor/mcp.json")
    other = config(tmp_path, other={"url": "https://${HOST_OF_OTHER}/mcp"})
    found = toolbooth("doctor", home=tmp_path)
    assert f"github  {LACKS}; from Cursor ({one})" in found.err
    assert f"its full path; from Cursor ({one})" in found.err
    both = toolbooth("search", "anything", "--config", str(one), "--config", str(other), home=tmp_path)
    assert f"{LACKS}; from Cursor ({one}); mcpServers JSON ({other})" in both.err
    alone = toolbooth("scan", str(other), home=tmp_path)
    assert LACKS in alone.err
    assert "; from " not in alone.err
