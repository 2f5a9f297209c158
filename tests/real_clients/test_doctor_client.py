"""`doctor --client` against the requests that the real Claude Code and the real Codex send for the same config."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.parts import part
from toolbooth.catalog import profile_named

HERE = Path(__file__).parent
PATIENCE = 240.0  # seconds; only a client that hangs is ended by it
PROMPT = "How many open tickets are there?"
CLAUDE = ("claude", "-p", PROMPT, "--dangerously-skip-permissions", "--output-format", "json")
CODEX = (
    "codex",
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    PROMPT,
)
_ENVIRON = {
    "ANTHROPIC_BASE_URL": "{url}",
    "ANTHROPIC_API_KEY": "dummy",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "IS_SANDBOX": "1",  # else it refuses to run for root without asking for permissions
    "LOOP_KEY": "dummy",
}
_PROVIDER = """\
model = "{model}"
model_provider = "loop"
otel.metrics_exporter = "none"
model_providers.loop = {{ name = "loop", base_url = "{{url}}/v1", env_key = "LOOP_KEY" }}
"""


def server(kind: str) -> list[str]:
    return [sys.executable, str(HERE / "odd_server.py"), kind]


def main_request(home: Path, command: tuple[str, ...], **environ: str) -> dict[str, Any]:
    """The first request of the main conversation, in a network of its own where this machine has them."""
    agents, node = part("cli-agents") / "node_modules" / ".bin", part("npm-servers") / "tool" / "bin"
    path = os.pathsep.join((str(node), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"))
    alone = (
        ["unshare", "-n"] if subprocess.run(["unshare", "-n", "true"], check=False).returncode == 0 else []
    )
    done = subprocess.run(
        [*alone, sys.executable, str(HERE / "first_requests.py"), str(agents / command[0]), *command[1:]],
        cwd=home / "project",
        env={"HOME": str(home), "PATH": path, "TERM": "dumb", **_ENVIRON, **environ},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    said = json.loads(done.stdout)
    found = [each for each in said["requests"] if "input" in each or len(each.get("tools", ())) > 3]
    assert found, said["said"][-2000:]
    first: dict[str, Any] = found[0]
    return first


def predicted(home: Path, client: str) -> Any:
    done = toolbooth("doctor", "--client", client, "--json", home=home, cwd=home / "project")
    assert done.code == 0, done.err
    profile = profile_named(client)
    assert profile is not None
    assert done.json["observed"] == profile.observed
    return done.json


def as_configured(said: Any, *, tool_search: bool) -> Any:
    mode = next(each for each in said["modes"] if each["tool_search"] is tool_search)
    return mode["setups"][0]


def texts(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# -- Claude Code -------------------------------------------------------------------------------------------
@pytest.fixture
def claude(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    names = {"odd.srv one": "odd", "many": "5", "gone": "3", "mute": "mute"}
    servers: dict[str, Any] = {
        name: {"type": "stdio", "command": server(kind)[0], "args": server(kind)[1:]}
        for name, kind in names.items()
    }
    servers["odd.srv one"]["alwaysLoad"] = True
    (tmp_path / ".claude.json").write_text(json.dumps({"numStartups": 1, "mcpServers": servers}))
    (tmp_path / ".claude").mkdir()
    denied = ["mcp__odd_srv_one__deny_me", "mcp__gone", "mcp__many__tool_00*", "mcp__mute__has-*"]
    (tmp_path / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"deny": denied}}))
    return tmp_path


@pytest.mark.promise("doctor:client-real")
def test_claude_code_sends_what_doctor_says_without_its_tool_search(claude: Path) -> None:
    said, request = predicted(claude, "claude-code"), main_request(claude, CLAUDE)
    sent = {tool["name"]: tool for tool in request["tools"] if tool["name"].startswith("mcp__")}
    setup = as_configured(said, tool_search=False)
    assert sorted(setup["loaded"]) == sorted(sent)
    cut = {each["name"]: each["description"] for each in said["tools"]}
    assert {name: cut[name]["text"] for name in sent} == {
        name: each["description"] for name, each in sent.items()
    }
    assert any(each["is_cut"] for each in cut.values())
    for each in setup["instructions"]:
        assert texts(f"## {each['server']}\n{each['text']}\n")[1:-1] in texts(request["messages"])


@pytest.mark.promise("doctor:client-real")
def test_claude_code_loads_and_defers_what_doctor_says_with_its_tool_search(claude: Path) -> None:
    request = main_request(claude, CLAUDE, ENABLE_TOOL_SEARCH="true")
    setup = as_configured(predicted(claude, "claude-code"), tool_search=True)
    sent = {tool["name"] for tool in request["tools"] if tool["name"].startswith("mcp__")}
    entry_loads = {name for name in setup["loaded"] if name.startswith("mcp__odd_srv_one__")}
    assert entry_loads <= sent <= {*setup["loaded"]}  # those of other servers come when these are connected
    assert sent.isdisjoint(setup["deferred"])


# -- Codex -------------------------------------------------------------------------------------------------
@pytest.fixture
def codex(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / ".codex").mkdir()
    return tmp_path


def codex_request(home: Path, model: str) -> dict[str, Any]:
    tables = {
        "odd-srv_one": ("odd", 'disabled_tools = ["deny_me"]'),
        "many": ("5", ""),
        "mute": ("mute", 'enabled_tools = ["plain", "has-hyphen"]'),
        "none": ("4", "enabled_tools = []"),
        "some": ("4", 'enabled_tools = ["tool_001", "tool_002"]\ndisabled_tools = ["tool_002"]'),
    }
    entries = [
        f"[mcp_servers.{name}]\ncommand = {json.dumps(server(kind)[0])}\nargs = {json.dumps(server(kind)[1:])}\n{more}"
        for name, (kind, more) in tables.items()
    ]
    config = home / ".codex" / "config.toml"
    config.write_text("\n".join(entries))
    provider = [f"{line}" for line in _PROVIDER.format(model=model).splitlines()]
    words = [word for line in provider for word in ("-c", line.replace(" = ", "=", 1))]
    return main_request(home, (*CODEX, *words))


@pytest.mark.promise("doctor:client-real")
def test_codex_sends_what_doctor_says_to_a_model_that_it_does_not_know(codex: Path) -> None:
    request = codex_request(codex, "a-model-that-codex-does-not-know")
    said = predicted(codex, "codex")
    spaces = [each for each in request["tools"] if each.get("name", "").startswith("mcp__")]
    sent = {f"{space['name']}.{tool['name']}": tool for space in spaces for tool in space["tools"]}
    setup = as_configured(said, tool_search=False)
    assert sorted(setup["loaded"]) == sorted(sent)
    told = {f"{each['namespace']}.{each['name']}": each["description"]["text"] for each in said["tools"]}
    assert {name: told[name] for name in sent} == {name: each["description"] for name, each in sent.items()}
    about = sorted(each["description"] for each in spaces)
    assert sorted(each["text"] for each in setup["instructions"]) == about


@pytest.mark.promise("doctor:client-real")
def test_codex_names_the_servers_that_doctor_says_to_a_model_that_searches(codex: Path) -> None:
    request = codex_request(codex, "gpt-5.5")
    setup = as_configured(predicted(codex, "codex"), tool_search=True)
    assert setup["loaded"] == []
    said = texts(request["input"])
    spaces = {name.partition(".")[0] for name in setup["deferred"]}
    assert spaces == {"mcp__odd_srv_one", "mcp__many", "mcp__mute", "mcp__some"}
    assert all(f"- {space}" in said for space in spaces)
    for each in setup["instructions"]:
        assert f": {each['text']}\\n" in said
