"""`toolbooth wrap` and `unwrap` as a person uses them, on the configs that clients write."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth

CANARY = "hunter2-canary"
CONFIGS = {
    "claude desktop": (
        ".config/Claude/claude_desktop_config.json",
        f"""{{
  "globalShortcut": "",
  "mcpServers": {{
    "filesystem": {{
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
    }},
    "github": {{
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": {{"GITHUB_PERSONAL_ACCESS_TOKEN": "{CANARY}"}}
    }}
  }}
}}
""",
        ["filesystem", "github"],
    ),
    "claude-code": (
        ".claude.json",
        """{
  "numStartups": 42,
  "mcpServers": {
    "sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp"},
    "pg": {"type": "stdio", "command": "uvx", "args": ["postgres-mcp"], "env": {"DATABASE_URI": "${DATABASE_URI}"}}
  },
  "projects": {"/app": {"history": [], "mcpServers": {"one": {"command": "x"}}}}
}
""",
        ["sentry", "pg"],
    ),
    "cursor": (
        ".cursor/mcp.json",
        '{\n\t// mine\n\t"mcpServers": {\n\t\t"linear": {"url": "https://mcp.linear.app/sse"}, // remote\n'
        '\t\t"gh": {"command": "npx", "env": {"T": "${env:GITHUB_TOKEN}"}},\n\t},\n}\n',
        ["linear", "gh"],
    ),
    "vscode": (
        ".config/Code/User/mcp.json",
        '{"inputs": [{"type": "promptString", "id": "key", "password": true}],\n "servers": {\n'
        '  "asks": {"type": "stdio", "command": "npx", "env": {"K": "${input:key}"}},\n'
        '  "playwright": {"command": "npx", "args": ["@playwright/mcp@latest"]}}}\n',
        ["playwright"],
    ),
    "codex": (
        ".codex/config.toml",
        'model = "gpt-5-codex"\n\n# docs\n[mcp_servers.context7]\ncommand = "npx"\nargs = ["-y", "context7"]\n\n'
        f'[mcp_servers.context7.env]\nKEY = "{CANARY}"\n\n[tui]\nnotifications = true\n',
        ["context7"],
    ),
    "zed": (
        ".config/zed/settings.json",
        '// Zed settings\n{\n  "theme": "One Dark",\n  "context_servers": {\n'
        '    "ext": {"source": "extension", "settings": {}},\n'
        '    "local": {"source": "custom", "command": "some", "args": ["a"], "env": {}}\n  },\n}\n',
        ["local"],
    ),
    "gemini": (
        ".gemini/settings.json",
        '{\r\n  "ui": {"theme": "GitHub"},\r\n  "mcpServers": {\r\n    "gh": {"httpUrl": "https://x.dev/mcp/",'
        ' "headers": {"Authorization": "Bearer $GITHUB_TOKEN"}}\r\n  }\r\n}\r\n',
        ["gh"],
    ),
}


def put(home: Path, client: str) -> Path:
    name, text, _ = CONFIGS[client]
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.promise("wrap:round-trip")
@pytest.mark.promise("wrap:secrets")
@pytest.mark.parametrize("client", CONFIGS)
def test_every_clients_config_goes_behind_the_gateway_and_comes_back(tmp_path: Path, client: str) -> None:
    path, moved = put(tmp_path, client), CONFIGS[client][2]
    said = toolbooth("wrap", *client.split(), home=tmp_path)
    assert said.code == 0
    assert f"moved      {', '.join(moved)}" in said.out
    assert CANARY not in said.out + path.read_text()
    again = toolbooth("wrap", *client.split(), home=tmp_path)
    assert (again.code, "already wrapped" in again.out) == (0, True)
    back = toolbooth("unwrap", *client.split(), home=tmp_path)
    assert (back.code, "byte for byte" in back.out) == (0, True)
    assert path.read_bytes() == CONFIGS[client][1].encode()
    left = [file for file in tmp_path.rglob("*") if file.is_file() and file != path]
    assert {file.stat().st_mode & 0o777 for file in left} == {0o600}
    assert not [file for file in left if "originals" not in file.parts]


@pytest.mark.promise("wrap:surface")
@pytest.mark.parametrize("client", CONFIGS)
def test_a_wrapped_file_gets_another_surface_and_still_comes_back(tmp_path: Path, client: str) -> None:
    path = put(tmp_path, client)
    toolbooth("wrap", *client.split(), home=tmp_path)
    wrapped, originals = path.read_text(), kept_originals(tmp_path)
    dry = toolbooth("wrap", *client.split(), "--surface", "full", "--dry-run", home=tmp_path)
    assert (dry.code, "surface would be changed" in dry.out, path.read_text()) == (0, True, wrapped)
    for surface, before in (("full", "auto"), ("direct", "full")):
        said = toolbooth("wrap", *client.split(), "--surface", surface, home=tmp_path)
        assert said.code == 0
        assert ": surface changed" in said.out
        assert f"surface    {surface}, before {before}" in said.out
        now = path.read_text()
        wanted = squeezed(wrapped).replace('"--surface","auto"', f'"--surface","{surface}"')
        loads = LOADING.get(client, "") if surface == "direct" else ""
        assert squeezed(now) == wanted.replace(loads, "")
    again = toolbooth("wrap", *client.split(), "--surface", "direct", home=tmp_path)
    assert (again.code, "already wrapped" in again.out, path.read_text()) == (0, True, now)
    assert toolbooth("wrap", *client.split(), home=tmp_path).code == 0
    assert path.read_text() == now
    assert kept_originals(tmp_path) == originals
    back = toolbooth("unwrap", *client.split(), home=tmp_path)
    assert (back.code, "byte for byte" in back.out) == (0, True)
    assert path.read_bytes() == CONFIGS[client][1].encode()


# What tells a client to load the menu at once; on `direct` it is not there
LOADING = {"claude-code": ',"alwaysLoad":true', "codex": 'omit_tools_from=["deferred"]'}


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.promise("wrap:loaded")
@pytest.mark.parametrize("client", CONFIGS)
def test_a_new_entry_asks_for_auto_and_to_be_loaded(tmp_path: Path, client: str) -> None:
    path = put(tmp_path, client)
    said = toolbooth("wrap", *client.split(), home=tmp_path)
    assert "surface    auto: `toolbooth doctor` says what it shows, and why" in said.out
    assert '"--surface","auto"' in squeezed(path.read_text())
    assert [each for each in LOADING.values() if each in squeezed(path.read_text())] == (
        [LOADING[client]] if client in LOADING else []
    )
    assert toolbooth("wrap", *client.split(), "--json", home=tmp_path).json["files"][0]["surface"] == "auto"


def kept_originals(home: Path) -> dict[Path, bytes]:
    """Every stored byte except the manifests of the copies that gateways read."""
    data = home / ".local/share/toolbooth"
    return {
        file: file.read_bytes()
        for file in data.rglob("*")
        if file.is_file() and not ("wrapped" in file.parts and file.name == "manifest.json")
    }


@pytest.mark.promise("wrap:surface")
def test_what_a_person_added_to_the_gateways_entry_stays_with_another_surface(tmp_path: Path) -> None:
    path = put(tmp_path, "codex")
    toolbooth("wrap", "codex", "--surface", "code", home=tmp_path)
    entry = tomllib.loads(path.read_text())["mcp_servers"]["toolbooth"]
    args = "".join(f"  {json.dumps(word)}, # one of ] them\n" for word in entry["args"])
    old = f"args = {json.dumps(entry['args'], ensure_ascii=False)}"
    edited = path.read_text().replace(old, f"args = [\n{args}] # mine\nstartup_timeout_sec = 60\n")
    edited += '\n[mcp_servers.toolbooth.env]\nargs = "not these"\n'
    path.write_text(edited)
    said = toolbooth("wrap", "codex", "--surface", "full", home=tmp_path)
    assert (said.code, "surface    full, before code" in said.out) == (0, True), said.err
    now = tomllib.loads(path.read_text())
    wanted = tomllib.loads(edited)
    wanted["mcp_servers"]["toolbooth"]["args"][-1] = "full"
    assert now == wanted
    assert "] # mine\n" in path.read_text()
    toolbooth("unwrap", "codex", home=tmp_path)
    assert tomllib.loads(path.read_text()) == tomllib.loads(CONFIGS["codex"][1])


@pytest.mark.promise("wrap:surface")
def test_an_entry_whose_surface_cannot_be_changed_is_one_line_and_nothing_changes(tmp_path: Path) -> None:
    path = put(tmp_path, "codex")
    toolbooth("wrap", "codex", home=tmp_path)
    entry = tomllib.loads(path.read_text())["mcp_servers"]["toolbooth"]
    path.write_text(
        f"mcp_servers.toolbooth = {{command = {json.dumps(entry['command'])}, args = {json.dumps(entry['args'])}}}\n"
    )
    before = path.read_bytes()
    said = toolbooth("wrap", "codex", "--surface", "full", home=tmp_path)
    assert (said.code, path.read_bytes()) == (2, before)
    assert "unwrap it and wrap it again" in said.err


def test_what_the_client_then_starts_is_this_very_toolbooth(tmp_path: Path) -> None:
    path = put(tmp_path, "codex")
    toolbooth("wrap", "codex", "--surface", "direct", home=tmp_path)
    entry = tomllib.loads(path.read_text())["mcp_servers"]["toolbooth"]
    assert Path(entry["command"]).is_file()
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-5:-3] == ["serve", "--config"]
    assert entry["args"][-2:] == ["--surface", "direct"]
    assert tomllib.loads(Path(entry["args"][-3]).read_text())["mcp_servers"]["context7"]


@pytest.mark.promise("wrap:stays")
def test_what_stays_is_named_with_its_reason(tmp_path: Path) -> None:
    put(tmp_path, "vscode")
    put(tmp_path, "claude-code")
    assert "stays      asks: needs a value that only its client has" in (
        toolbooth("wrap", "vscode", home=tmp_path).out
    )
    said = toolbooth("wrap", "claude-code", home=tmp_path)
    assert "stays      one: is for the project /app" in said.out
    assert "toolbooth auth sentry" in said.out
    assert "go back    toolbooth unwrap claude-code" in said.out


def test_without_a_name_it_lists_what_could_be_wrapped_and_what_is(tmp_path: Path) -> None:
    put(tmp_path, "cursor")
    put(tmp_path, "zed")
    toolbooth("wrap", "zed", home=tmp_path)
    rows: dict[str, Any] = {
        row["client"]: row for row in toolbooth("unwrap", "--json", home=tmp_path).json["files"]
    }
    assert (rows["Cursor"]["state"], rows["Cursor"]["servers"]) == ("can be wrapped", ["linear", "gh"])
    assert (rows["Zed"]["state"], rows["Zed"]["servers"]) == ("wrapped", ["local"])
    said = toolbooth("wrap", home=tmp_path)
    assert (said.code, "~/.cursor/mcp.json" in said.out) == (0, True)


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, "claude desktop")
    said = toolbooth("wrap", path, "--dry-run", "--json", home=tmp_path)
    (file,) = said.json["files"]
    assert (file["state"], file["moved"]) == ("would be wrapped", ["filesystem", "github"])
    assert file["entry"]["args"][-3:-1] == ["serve", "--config"]
    assert CANARY not in said.out
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == [path]


def test_a_dry_run_shows_the_whole_entry(tmp_path: Path) -> None:
    home = tmp_path / ("deep/" * 300) / "a\x9d0;hidden\x9cb"  # a sequence that a terminal takes for a title
    home.mkdir(parents=True)
    path = put(home, "claude desktop")
    said = toolbooth("wrap", path, "--dry-run", home=home, cwd=tmp_path)
    (line,) = (line for line in said.out.splitlines() if line.startswith("  new entry"))
    assert "/a\\x9d0;hidden\\x9cb/" in line
    assert line.endswith("}")


@pytest.mark.promise("wrap:changed-since")
def test_claude_code_may_write_its_file_in_between(tmp_path: Path) -> None:
    path = put(tmp_path, "claude-code")
    before = json.loads(path.read_text())
    toolbooth("wrap", "claude-code", home=tmp_path)
    now = json.loads(path.read_text())
    now["numStartups"] += 1
    now["mcpServers"]["newer"] = {"command": "n"}
    path.write_text(json.dumps(now, indent=2))
    said = toolbooth("unwrap", "claude-code", home=tmp_path)
    assert (said.code, "your other changes to the file stay" in said.out) == (0, True)
    before["numStartups"] += 1
    before["mcpServers"]["newer"] = {"command": "n"}
    assert json.loads(path.read_text()) == before


@pytest.mark.promise("wrap:missing-backup")
def test_without_copy_and_original_it_is_one_line_and_nothing_changes(tmp_path: Path) -> None:
    path = put(tmp_path, "cursor")
    kept = toolbooth("wrap", "cursor", "--json", home=tmp_path).json["files"][0]["kept"]
    shutil.rmtree(Path(kept).parents[2])
    wrapped = path.read_bytes()
    for words in (["unwrap", "cursor"], ["wrap", "cursor"], ["doctor", "--list"], ["doctor", path]):
        said = toolbooth(*words, home=tmp_path)
        assert said.code in (2, 3)
        assert "so is its original" in said.err + said.out
    assert path.read_bytes() == wrapped


@pytest.mark.promise("wrap:originals")
def test_a_client_that_remembers_the_gateway_after_unwrapping_gets_its_servers_back(tmp_path: Path) -> None:
    path = put(tmp_path, "cursor")
    toolbooth("wrap", "cursor", home=tmp_path)
    remembered = path.read_bytes()
    toolbooth("unwrap", "cursor", home=tmp_path)
    path.write_bytes(remembered)
    listed = toolbooth("wrap", "--json", home=tmp_path).json["files"]
    assert [(each["state"], each["servers"]) for each in listed] == [("original missing", ["linear", "gh"])]
    assert "toolbooth unwrap" in toolbooth("wrap", "cursor", home=tmp_path).err
    doctor = toolbooth("doctor", "--list", "--json", home=tmp_path, GITHUB_TOKEN="t").json
    assert [each["server"] for each in doctor["servers"]] == ["linear", "gh"]
    assert any("puts the servers back into that file" in note for note in doctor["notes"])
    said = toolbooth("unwrap", "cursor", home=tmp_path)
    assert (said.code, "taken from the original of 20" in said.out) == (0, True)
    assert path.read_bytes() == CONFIGS["cursor"][1].encode()


def test_originals_are_listed_and_any_of_them_can_be_put_back(tmp_path: Path) -> None:
    assert toolbooth("unwrap", "--from-backup", home=tmp_path).code == 3
    path = put(tmp_path, "cursor")
    for text in (CONFIGS["cursor"][1], '{"mcpServers": {"newer": {"command": "n"}}}'):
        path.write_text(text)
        toolbooth("wrap", "cursor", home=tmp_path)
        toolbooth("unwrap", "cursor", home=tmp_path)
    newest, oldest = toolbooth("unwrap", "--from-backup", "--json", home=tmp_path).json["originals"]
    assert (newest["servers"], oldest["servers"]) == (["newer"], ["linear", "gh"])
    assert oldest["backup"].partition(".")[0] in toolbooth("unwrap", "--from-backup", home=tmp_path).out
    path.write_text("{}")
    assert toolbooth("unwrap", "--from-backup", "cursor", home=tmp_path).code == 0
    assert json.loads(path.read_text()) == {"mcpServers": {"newer": {"command": "n"}}}
    path.unlink()
    assert toolbooth("unwrap", "cursor", "--backup", oldest["backup"], home=tmp_path).code == 0
    assert path.read_text() == CONFIGS["cursor"][1]
    wrong = toolbooth("unwrap", "cursor", "--backup", "1999", home=tmp_path)
    assert (wrong.code, "is not a stored original; choose from 20" in wrong.err) == (2, True)


@pytest.mark.promise("wrap:several")
def test_several_clients_and_files_are_wrapped_and_unwrapped_in_one_call(tmp_path: Path) -> None:
    names = ["cursor", "claude", "desktop", "codex", ".config/zed/settings.json"]
    paths = [put(tmp_path, client) for client in ("cursor", "claude desktop", "codex", "zed")]
    for verb in ("wrap", "unwrap"):
        said = toolbooth(verb, *names, "vscode", "--json", home=tmp_path)
        assert [each["path"] for each in said.json["files"]] == [str(path) for path in paths]
        assert [each["path"] for each in said.json["source_errors"]] == ["vscode"]
        assert (said.code, said.err.count("\n")) == (2, 1)
    assert [path.read_text() for path in paths] == [
        CONFIGS[client][1] for client in ("cursor", "claude desktop", "codex", "zed")
    ]
    assert toolbooth("unwrap", "cursor", "codex", home=tmp_path).code == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["wrap", "claude"], "could be Claude Code, Claude Desktop"),
        (["wrap", "emacs"], "is neither a file nor a client"),
        (["wrap", "absent.json"], "there is no such file"),
        (["wrap", "cursor", "--surface", "tiny"], "is not one of search, full, code, direct, auto"),
        (["wrap", "cursor"], "Cursor has no servers configured here"),
        (["unwrap", "cursor"], "no config of Cursor is wrapped"),
    ],
)
def test_a_wrong_call_is_one_line_that_says_what_would_be_right(
    tmp_path: Path, words: list[str], says: str
) -> None:
    said = toolbooth(*words, home=tmp_path)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert says in said.err


def test_one_bad_file_of_a_client_does_not_hide_the_other(tmp_path: Path) -> None:
    put(tmp_path, "vscode")
    settings = tmp_path / ".config/Code/User/settings.json"
    settings.write_text('{"mcp": {"servers": {')
    said = toolbooth("wrap", "vscode", home=tmp_path)
    assert (said.code, "moved      playwright" in said.out) == (2, True)
    assert "broken JSON" in said.err


@pytest.mark.promise("wrap:works")
@pytest.mark.anyio
async def test_a_wrapped_client_reaches_its_tools_through_the_gateway(tmp_path: Path) -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    path = tmp_path / ".cursor/mcp.json"
    path.parent.mkdir()
    demo = {
        "command": sys.executable,
        "args": ["-m", "toolbooth.demo", "weather"],
        "env": {"X": "${env:GIVEN}"},
    }
    path.write_text(json.dumps({"mcpServers": {"weather": demo}}))
    assert toolbooth("wrap", "cursor", home=tmp_path).code == 0
    entry = json.loads(path.read_text())["mcpServers"]["toolbooth"]
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "GIVEN": "by the client"}
    start = StdioServerParameters(command=entry["command"], args=[*entry["args"], "--no-daemon"], env=env)
    async with Client(stdio_client(start)) as client:
        answer = await client.call_tool("search_tools", {"query": "weather forecast"})
    assert "weather.get_forecast" in str(answer.content)


@pytest.mark.promise("wrap:full-disk")
def test_a_full_disk_is_one_line_and_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    text = json.dumps({"mcpServers": {"a": {"command": "x" * 9000}}})
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", "wrap", str(path)],
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written: File too large" in done.stderr
    assert path.read_text() == text
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == [path]


def test_the_schema_is_printed_for_editors(tmp_path: Path) -> None:
    assert toolbooth("schema", home=tmp_path).json["properties"]["servers"]["description"]
