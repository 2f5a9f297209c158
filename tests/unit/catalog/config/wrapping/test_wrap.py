"""What moves, what stays and why, and what the client starts instead."""

import json
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.catalog.config.conftest import Unwrap, Wrap, Write

from toolbooth.catalog.config import WrapOptions, Wrapping, read_config, wrap
from toolbooth.catalog.config.originals import all_kept, digest, keep, reserve
from toolbooth.errors import ConfigError
from toolbooth.files import replace_if_unchanged


def servers(**entries: Any) -> str:
    return json.dumps({"mcpServers": entries}, indent=2)


def entry_of(path: Path, *section: str) -> Any:
    value = tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())
    for key in section:
        value = value[key]
    return value


X = {"command": "x"}


@pytest.mark.parametrize(
    ("name", "text", "section", "like"),
    [
        (".cursor/mcp.json", servers(a=X), "mcpServers", {}),
        (".claude.json", servers(a=X), "mcpServers", {"type": "stdio", "alwaysLoad": True}),
        (
            ".copilot/mcp-config.json",
            servers(a=X),
            "mcpServers",
            {"type": "local", "tools": ["*"], "deferTools": "never"},
        ),
        (".config/Code/User/mcp.json", '{"servers": {"a": {"command": "x"}}}', "servers", {"type": "stdio"}),
        (
            ".config/zed/settings.json",
            '{"context_servers": {"a": {"command": "x"}}}',
            "context_servers",
            {"source": "custom", "env": {}},
        ),
        (
            ".codex/config.toml",
            '[mcp_servers.a]\ncommand = "x"\n',
            "mcp_servers",
            {"omit_tools_from": ["deferred"]},
        ),
    ],
)
def test_the_gateway_is_written_as_the_client_writes_servers(
    wrapped: Wrap, write: Write, name: str, text: str, section: str, like: dict[str, Any]
) -> None:
    path = write(name, text)
    done = wrapped(path)
    args = ["serve", "--config", str(done.kept), "--surface", "auto"]
    assert entry_of(path, section) == {"toolbooth": {"command": "/opt/bin/toolbooth", "args": args, **like}}
    assert done.kept.read_text() == text


def test_codex_is_told_which_variables_to_hand_on_and_how_long_to_wait(wrapped: Wrap, write: Write) -> None:
    path = write(
        ".codex/config.toml",
        '[mcp_servers.a]\nurl = "https://x.dev"\nbearer_token_env_var = "TOKEN"\n'
        'env_http_headers = {K = "KEY"}\ntool_timeout_sec = 300\n'
        '[mcp_servers.b]\ncommand = "x"\nenv_vars = ["HANDED"]\ntool_timeout_sec = 20\n',
    )
    wrapped(path)
    entry = entry_of(path, "mcp_servers", "toolbooth")
    assert (entry["env_vars"], entry["tool_timeout_sec"]) == (["HANDED", "KEY", "TOKEN"], 300)


def test_gemini_is_told_which_variables_to_hand_on(wrapped: Wrap, write: Write) -> None:
    path = write(".gemini/settings.json", servers(a={"command": "x", "env": {"T": "$TOKEN", "U": "${USED}"}}))
    done = wrapped(path)
    assert entry_of(path, "mcpServers", "toolbooth")["env"] == {"TOKEN": "$TOKEN", "USED": "${USED}"}
    kept = read_config(done.kept, {"TOKEN": "t", "USED": "u"})
    assert (kept.client, kept.servers[0].env) == ("Gemini CLI", {"T": "t", "U": "u"})


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"command": "x", "disabled": True}, "is disabled"),
        (
            {"command": "x", "env": {"K": "${input:key}"}},
            "needs a value that only its client has",
        ),
        ({"command": "x", "args": ["${workspaceFolder}"]}, "uses the folder that is open in the client"),
        (
            {"command": "x", "excludeTools": {"rm": True}},
            "limits its tools in a way that the gateway cannot read",
        ),
        ({"command": "toolbooth", "args": ["serve"]}, "is a gateway itself"),
        ({"type": "ws", "url": "wss://x"}, "the transport 'ws' is not supported"),
        ("x", "its entry is not an object"),
    ],
)
def test_what_only_the_client_can_do_stays_and_is_named(
    wrapped: Wrap, write: Write, entry: Any, reason: str
) -> None:
    path = write(".cursor/mcp.json", servers(odd=entry, a=X))
    done = wrapped(path)
    assert (done.moved, [stay.server for stay in done.stays]) == (("a",), ["odd"])
    assert reason in done.stays[0].reason
    assert entry_of(path, "mcpServers", "odd") == entry
    assert [spec.name for spec in read_config(done.kept, {}).servers] == ["a"]


def test_a_filter_of_tools_moves_with_its_server(wrapped: Wrap, write: Write) -> None:
    path = write(
        ".gemini/settings.json", servers(a={**X, "includeTools": ["get", "put"], "excludeTools": ["put"]})
    )
    done = wrapped(path)
    assert (done.moved, done.stays) == (("a",), ())
    (spec,) = read_config(done.kept, {}).servers
    assert [name for name in ("get", "put", "rm") if spec.tools.lets(name)] == ["get"]


def test_a_variable_of_the_clients_environment_is_no_obstacle(wrapped: Wrap, write: Write) -> None:
    remote = {"url": "${env:URL}", "headers": {"Authorization": "Bearer ${env:TOKEN}"}}
    assert wrapped(write(".cursor/mcp.json", servers(a=remote))).moved == ("a",)


def test_a_projects_folder_is_still_known_behind_the_gateway(wrapped: Wrap, write: Write, home: Path) -> None:
    entry = {"type": "stdio", "command": "${workspaceFolder}/run", "args": ["./here"]}
    done = wrapped(write("app/.vscode/mcp.json", json.dumps({"servers": {"a": entry}})))
    spec = read_config(done.kept, {"HOME": str(home)}).servers[0]
    assert (spec.command, spec.cwd) == (f"{home}/app/run", home / "app")


def test_claude_code_keeps_the_servers_of_single_projects(wrapped: Wrap, write: Write) -> None:
    text = json.dumps({"mcpServers": {"a": X}, "projects": {"/app": {"mcpServers": {"a": {"command": "y"}}}}})
    path = write(".claude.json", text)
    done = wrapped(path)
    assert done.stays == (("a", "is for the project /app"),)
    assert entry_of(path, "projects", "/app", "mcpServers") == {"a": {"command": "y"}}
    assert [spec.command for spec in read_config(done.kept, {}).servers] == ["x"]


def test_a_second_section_of_vs_code_stays(wrapped: Wrap, write: Write) -> None:
    value = {"servers": {"a": X}, "mcp": {"servers": {"b": X}}}
    done = wrapped(write("mcp.json", json.dumps(value)))
    assert (done.moved, done.stays) == (("a",), (("b", "is in another section"),))
    assert [spec.name for spec in read_config(done.kept, {}).servers] == ["a"]


def test_a_name_that_is_taken_is_not_taken_twice(wrapped: Wrap, write: Write) -> None:
    path = write("mcp.json", servers(toolbooth={"command": "x", "disabled": True}, a=X))
    assert wrapped(path).server == "toolbooth-2"


def test_the_surface_is_named_in_the_entry(gateway: WrapOptions, write: Write) -> None:
    done = wrap(write("mcp.json", servers(a=X)), replace(gateway, surface="direct"), {})
    assert done.entry["args"][-2:] == ["--surface", "direct"]


LOADING: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    ".claude.json": (servers(a=X), ("mcpServers",), {"alwaysLoad": True}),
    ".copilot/mcp-config.json": (servers(a=X), ("mcpServers",), {"deferTools": "never"}),
    ".codex/config.toml": (
        '# mine\n[mcp_servers.a] # here\ncommand = "x"\n\n[tui]\nx = 1\n',
        ("mcp_servers",),
        {"omit_tools_from": ["deferred"]},
    ),
}


@pytest.mark.promise("wrap:loaded")
@pytest.mark.parametrize("name", LOADING)
def test_the_key_that_loads_the_menu_comes_and_goes_with_the_surface(
    gateway: WrapOptions, write: Write, unwrapped: Unwrap, name: str
) -> None:
    text, section, loading = LOADING[name]
    path = write(name, text)
    for surface in ("direct", "search", "direct", "auto", "full"):
        done = wrap(path, replace(gateway, surface=surface), {})
        entry = entry_of(path, *section, "toolbooth")
        assert entry == done.entry
        assert entry["args"][-2:] == ["--surface", surface]
        assert {key: entry[key] for key in loading if key in entry} == (
            {} if surface == "direct" else loading
        )
    assert unwrapped(path).state == "restored"
    assert path.read_text() == text


@pytest.mark.promise("wrap:loaded")
@pytest.mark.parametrize("name", LOADING)
def test_an_entry_of_an_earlier_build_is_known_and_gets_the_key_with_a_surface(
    gateway: WrapOptions, write: Write, unwrapped: Unwrap, name: str
) -> None:
    text, section, loading = LOADING[name]
    path = write(name, text)
    as_before(path, wrap(path, gateway, {}), loading)
    assert not loading.keys() & entry_of(path, *section, "toolbooth").keys()
    earlier = path.read_text()
    done = wrap(path, gateway, {})
    assert (done.state, done.surface, path.read_text()) == ("already wrapped", "", earlier)
    done = wrap(path, replace(gateway, surface="auto"), {})
    assert (done.state, done.former_surface) == ("surface changed", "")
    assert entry_of(path, *section, "toolbooth").items() >= loading.items()
    assert unwrapped(path).state == "restored"
    assert path.read_text() == text


def as_before(path: Path, done: Wrapping, loading: dict[str, Any]) -> None:
    """The file and its manifest as builds wrote them that knew neither the key nor the surface `auto`."""
    old = path.read_text()
    [key] = loading
    new = re.sub(rf',\s*"{key}": [^\s,}}]+|{key} = .*\n', "", old)
    new = re.sub(r',\s*"--surface",\s*"auto"', "", new)
    path.write_text(new)
    manifest = done.kept.with_name("manifest.json")
    manifest.write_text(manifest.read_text().replace(digest(old.encode()), digest(new.encode())))


@pytest.mark.promise("wrap:loaded")
def test_a_value_that_a_user_gave_the_key_stays(gateway: WrapOptions, write: Write) -> None:
    path = write(".claude.json", servers(a=X))
    wrap(path, gateway, {})
    path.write_text(path.read_text().replace('"alwaysLoad": true', '"alwaysLoad": false'))
    for surface in ("search", "direct", "full"):
        wrap(path, replace(gateway, surface=surface), {})
        assert entry_of(path, "mcpServers", "toolbooth", "alwaysLoad") is False


def test_only_the_owner_may_read_the_original(wrapped: Wrap, write: Write) -> None:
    path = write("mcp.json", servers(a={"command": "x", "env": {"T": "hunter2"}}))
    path.chmod(0o644)
    done = wrapped(path)
    modes = [each.stat().st_mode & 0o777 for each in (done.kept, done.kept.with_name("manifest.json"))]
    folders = [each.stat().st_mode & 0o777 for each in list(done.kept.parents)[:3]]
    assert (modes, folders) == ([0o600] * 2, [0o700] * 3)
    assert "hunter2" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_second_time_changes_nothing_and_names_what_was_added(wrapped: Wrap, write: Write) -> None:
    path = write("mcp.json", servers(a=X))
    wrapped(path)
    value = json.loads(path.read_text())
    value["mcpServers"]["b"] = X
    path.write_text(json.dumps(value))
    done = wrapped(path)
    assert (done.state, done.moved, done.stays[0].server) == ("already wrapped", ("a",), "b")
    assert json.loads(path.read_text()) == value


def test_a_dry_run_writes_nothing(wrapped: Wrap, write: Write, gateway: WrapOptions) -> None:
    path = write("mcp.json", servers(a=X))
    assert wrapped(path, dry_run=True).state == "would be wrapped"
    assert path.read_text() == servers(a=X)
    assert not gateway.data.exists()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("mcp.json", '{"x": 1}', "has no MCP servers; looked for"),
        ("mcp.json", '{"mcpServers": {}}', "has no server that can move"),
        ("mcp.json", servers(a={"command": "x", "disabled": True}), "that can move: a is disabled"),
        ("mcp.json", '{"mcpServers": {', "broken JSON"),
        ("c.yaml", "mcpServers: {a: {command: x}}", "is YAML, which is not rewritten"),
        ("toolbooth.yaml", "servers: {a: {command: x}}", "the gateway's own config"),
        (
            ".gemini/settings.json",
            json.dumps({"mcp": {"allowed": ["a"]}, "mcpServers": {"a": X}}),
            "add 'toolbooth' to mcp.allowed",
        ),
    ],
)
def test_what_cannot_be_wrapped_says_why_and_is_left_alone(
    wrapped: Wrap, write: Write, gateway: WrapOptions, name: str, text: str, says: str
) -> None:
    path = write(name, text)
    with pytest.raises(ConfigError, match=says):
        wrapped(path)
    assert path.read_text() == text
    assert not [each for each in gateway.data.rglob("*") if each.is_file()]


def test_a_link_stays_a_link_and_its_target_is_written(
    wrapped: Wrap, unwrapped: Unwrap, write: Write, home: Path
) -> None:
    target = write("dotfiles/cursor.json", servers(a=X))
    (home / ".cursor").mkdir()
    link = home / ".cursor/mcp.json"
    link.symlink_to(target)
    done = wrapped(link)
    assert (link.is_symlink(), done.client) == (True, "Cursor")
    assert "toolbooth" in target.read_text()
    assert wrapped(target).state == "already wrapped"
    unwrapped(link)
    assert (link.is_symlink(), target.read_text()) == (True, servers(a=X))


def test_a_change_by_another_program_in_between_is_not_overwritten(write: Write) -> None:
    path = write("mcp.json", "theirs, newer")
    with pytest.raises(ConfigError, match="was just changed by another program"):
        replace_if_unchanged(path, b"ours", b"theirs, as we read it")
    assert path.read_text() == "theirs, newer"
    assert list(path.parent.iterdir()) == [path]


def test_a_crash_after_the_backup_leaves_nothing_that_misleads(
    wrapped: Wrap, unwrapped: Unwrap, write: Write, gateway: WrapOptions
) -> None:
    path = write("mcp.json", servers(a=X))
    done = wrapped(path)
    (kept,) = all_kept(gateway.data)
    original, manifest = done.kept.read_bytes(), kept.manifest
    unwrapped(path)
    keep(reserve(gateway.data, manifest.target), manifest, original)  # and then the power fails
    assert wrapped(path).state == "wrapped"
    assert len(list(all_kept(gateway.data))) == 1
    assert unwrapped(path).state == "restored"
    assert path.read_bytes() == original


def test_two_that_wrap_at_once_never_share_a_folder(gateway: WrapOptions, home: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: reserve(gateway.data, home / "mcp.json"), range(16)))
    assert len(set(folders)) == 16


def test_a_file_called_like_our_manifest_is_kept_under_another_name(
    wrapped: Wrap, unwrapped: Unwrap, write: Write
) -> None:
    path = write("manifest.json", servers(a=X))
    done = wrapped(path)
    assert [spec.name for spec in read_config(done.kept, {}).servers] == ["a"]
    unwrapped(path)
    assert path.read_text() == servers(a=X)


@pytest.mark.parametrize(
    ("name", "args", "unplaced"),
    [
        (".cursor/mcp.json", ["-y", "@modelcontextprotocol/server-filesystem", "."], True),
        (".cursor/mcp.json", ["server.py"], True),
        (".cursor/mcp.json", ["--dir=../data"], True),
        (".cursor/mcp.json", ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"], False),
        (".cursor/mcp.json", ["run", "-i", "ghcr.io/github/github-mcp-server", "https://x.dev/a.js"], False),
        (".claude.json", ["server.py"], False),  # its folder is the one you are in
        ("app/.cursor/mcp.json", ["server.py"], False),  # the project's
    ],
)
def test_a_relative_path_in_a_folder_that_nobody_knows_is_said(
    wrapped: Wrap, write: Write, name: str, args: list[str], unplaced: bool
) -> None:
    path = write(name, servers(fs={"command": "npx", "args": args}, placed={"command": "./x", "cwd": "/srv"}))
    assert wrapped(path).unplaced == (("fs",) if unplaced else ())
