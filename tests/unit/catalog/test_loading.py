"""What a user names → sources; whatever is wrong with one is one line, and the others stay."""

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, save_snapshot, sort_entries
from toolbooth.catalog.config import GatewaySettings, ProjectConfig, WrapOptions, trust_all, wrap
from toolbooth.catalog.loading import (
    ClientServers,
    GatewayEntry,
    HostContext,
    SourceError,
    Sources,
    config_sources,
    find_sources,
    gateway_sources,
    load,
)
from toolbooth.errors import NothingToWeigh


@pytest.fixture
def host(tmp_path: Path) -> HostContext:
    """A home and a project of the test's own."""
    home, project = tmp_path / "home", tmp_path / "home" / "app"
    (project / ".git").mkdir(parents=True)
    return HostContext(home, project, {"HOME": str(home)}, "linux")


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def servers(**commands: str) -> dict[str, Any]:
    return {"mcpServers": {name: {"command": command} for name, command in commands.items()}}


def reasons(sources: Sources) -> list[str]:
    return [source_error.reason for source_error in sources.source_errors]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_a_folder_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {"tools": [{"name": "t"}]})
    os.mkfifo(tmp_path / "x.json")
    sources = find_sources([str(tmp_path)])
    assert [server.server for server in sources.recorded] == ["a"]
    assert "is a pipe" in reasons(sources)[0]


def test_an_empty_name_is_refused_and_is_not_the_working_folder() -> None:
    sources = find_sources([""])
    assert reasons(sources) == ["the name is empty; name a file, a folder or a URL"]


@pytest.mark.parametrize("name", ["x" * 5000, "~no-such-user-here/x.json", "absent.json"])
def test_a_name_that_leads_nowhere_is_one_line(name: str) -> None:
    (reason,) = reasons(find_sources([name]))
    assert "\n" not in reason


@pytest.mark.anyio
async def test_a_cut_list_makes_the_report_incomplete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_TOOLS", 1)
    sources = find_sources([write(tmp_path / "a.json", {"tools": [{"name": "t"}, {"name": "u"}]})])
    loaded = await load(sources)
    assert loaded.sources.source_errors == (
        ("a", "its list was cut: only the first 1 of its tools are read"),
    )


def test_every_source_has_a_name_of_its_own(tmp_path: Path) -> None:
    config = write(tmp_path / "coll.json", servers(srv="other-program"))
    recorded = write(tmp_path / "srv.json", {"server": "srv", "tools": [{"name": "t"}]})
    named = [config, recorded, "https://x.dev/one", "https://x.dev/two"]
    sources = find_sources(named, ["python3", "srv.py"])
    assert [spec.name for spec in sources.servers] == ["srv", "srv-2", "x-dev", "x-dev-2"]
    assert [server.server for server in sources.recorded] == ["srv-3"]
    assert sources.servers[0].command == "other-program"  # caps go by the names in the file


def test_a_bad_url_is_one_line_without_its_secrets_and_the_others_stay() -> None:
    sources = find_sources(["http://[::1?key=hunter2", "http://me:hunter2@x:0/", "https://x.dev/mcp"])
    assert [spec.name for spec in sources.servers] == ["x-dev"]
    assert len(sources.source_errors) == 2
    assert "hunter2" not in repr(sources.source_errors)


def test_the_servers_of_a_project_are_not_started_unasked(host: HostContext) -> None:
    write(host.home / ".cursor/mcp.json", servers(mine="x"))
    path = write(host.cwd / ".mcp.json", servers(theirs="evil", more="evil"))
    write(host.cwd / "toolbooth.yaml", "tools: {'*': {limit: 7}}")
    sources = find_sources(host=host)
    assert [spec.name for spec in sources.servers] == ["mine"]
    assert sources.notes == (
        f"project config {path} names 2 servers; they are not started before you trust it",
    )
    assert sources.answer_caps.cap_for("a.b").limit == 7
    trusted = find_sources(host=host, trust=trust_all)
    assert {spec.name for spec in trusted.servers} == {"mine", "theirs", "more"}
    assert {spec.name for spec in find_sources([path], host=host).servers} == {"theirs", "more"}


def test_nothing_but_a_project_says_which_file_to_name(host: HostContext) -> None:
    path = write(host.cwd / ".mcp.json", servers(theirs="evil"))
    sources = find_sources(host=host)
    assert sources.servers == ()
    assert [spec.name for spec in sources.not_started] == ["theirs"]
    assert sources.notes[0].endswith("it is not started before you trust it")  # whichever command it was
    assert str(path) in sources.notes[0]


def test_what_was_shown_is_what_is_started(host: HostContext) -> None:
    """A config that changes between the question and the start changes nothing."""
    path = host.cwd / ".mcp.json"
    write(path, servers(theirs="shown"))

    def trust(found: Sequence[ProjectConfig]) -> Collection[Path]:
        assert [spec.command for each in found for spec in each.as_written.servers] == ["shown"]
        write(path, servers(theirs="evil"))
        return trust_all(found)

    assert [spec.command for spec in find_sources(host=host, trust=trust).servers] == ["shown"]


def test_a_project_without_servers_is_not_asked_about_unless_it_names_a_lock(host: HostContext) -> None:
    def trust(found: Sequence[ProjectConfig]) -> Collection[Path]:
        asked.append([each.name for config in found for each in config.reads])
        return ()

    asked: list[list[str]] = []
    write(host.home / ".cursor/mcp.json", servers(mine="x"))
    write(host.cwd / "toolbooth.yaml", "tools: {'*': {limit: 7}}")
    find_sources(host=host, trust=trust)
    assert asked == []
    write(host.cwd / "toolbooth.yaml", "tools: {}\ncontracts: {lock: ../../.bashrc, verify_key: 'env:KEY'}")
    assert find_sources(host=host, trust=trust).enforcements == ()
    assert asked == [[str(host.cwd / "../../.bashrc"), "KEY"]]


def test_the_configs_in_a_folder_are_named_and_not_started(host: HostContext) -> None:
    path = write(host.cwd / ".mcp.json", servers(theirs="${file:/etc/hostname}"))
    sources = find_sources([str(host.cwd)], host=host)
    assert sources.servers == ()
    reason = "is a config with 1 server, which a folder does not start; name the file itself"
    assert sources.source_errors == (SourceError(path, reason),)


def test_the_users_own_file_is_theirs_even_where_home_is_the_project(host: HostContext) -> None:
    write(host.home / ".cursor/mcp.json", servers(mine="x"))
    at_home = host._replace(cwd=host.home)
    assert [spec.name for spec in find_sources(host=at_home).servers] == ["mine"]


def test_no_config_says_every_place_that_was_looked_at(host: HostContext) -> None:
    (host.home / "work/app/.git").mkdir(parents=True)
    with pytest.raises(NothingToWeigh) as caught:
        find_sources(host=host._replace(cwd=host.home / "work/app"))
    assert str(host.home / ".cursor/mcp.json") in caught.value.places
    assert str(host.home / "work/.mcp.json") not in caught.value.places  # above the repository
    assert "\n" not in str(caught.value)


def test_a_server_of_the_project_that_the_user_switched_off_stays_off(host: HostContext) -> None:
    project = {"disabledMcpjsonServers": ["off", "elsewhere"]}
    write(host.home / ".claude.json", {"projects": {str(host.cwd): project}})
    write(host.cwd / ".mcp.json", servers(on="x", off="y"))
    write(host.home / ".cursor/mcp.json", servers(elsewhere="z"))
    sources = find_sources(host=host, trust=trust_all)
    assert {spec.name for spec in sources.servers} == {"on", "elsewhere"}
    assert sources.disabled == ("off",)


@pytest.mark.anyio
async def test_a_catalog_weighed_again_is_as_incomplete_as_it_was(tmp_path: Path) -> None:
    source_errors = (
        SourceError("gone", "was not found"),
        SourceError("x", "its list was cut: its cursor never ends"),
    )
    server = sort_entries("x", [{"name": "t"}], cut="its cursor never ends")
    save_snapshot(Catalog((server,)), tmp_path / "c.json", source_errors)
    loaded = await load(find_sources([str(tmp_path / "c.json")]))
    assert loaded.sources.source_errors == source_errors
    assert loaded.catalog.set_aside == server.set_aside


def served(host: HostContext, *config: str) -> Sources:
    return gateway_sources(config, host.environ, host.cwd)


def names(sources: Sources) -> list[str]:
    return [spec.name for spec in sources.servers]


def test_a_gateway_never_starts_the_servers_of_a_project_unasked(host: HostContext) -> None:
    write(host.home / ".cursor/mcp.json", servers(mine="x"))
    path = write(host.cwd / ".mcp.json", servers(theirs="evil"))
    write(host.cwd / "toolbooth.yaml", "surface: direct\nservers: {ours: {command: evil}}")
    assert names(served(host)) == ["mine"]
    assert served(host).gateway == GatewaySettings()
    assert names(served(host, path)) == ["theirs"]


def test_the_users_own_toolbooth_yaml_wins_alone_if_it_names_servers(host: HostContext) -> None:
    write(host.home / ".cursor/mcp.json", servers(cursors="x"))
    own = host.home / ".config/toolbooth/toolbooth.yaml"
    write(own, "surface: full\n")
    assert names(served(host)) == ["cursors"]
    assert served(host).gateway.surface == "full"
    write(own, "servers: {mine: {command: x}}\n")
    assert names(served(host)) == ["mine"]
    write(own, "servers: {mine: {command: x}\n")
    assert names(served(host)) == []
    assert "broken YAML" in reasons(served(host))[0]


def test_named_configs_and_their_variables_are_those_of_the_process_that_asks(host: HostContext) -> None:
    write(host.home / "c.json", {"mcpServers": {"a": {"command": "./x", "env": {"K": "${KEY}"}}}})
    write(host.cwd / "d.json", servers(b="y"))
    theirs = host._replace(environ={**host.environ, "KEY": "theirs"})
    sources = served(theirs, "~/c.json", "d.json", "absent.json")
    assert names(sources) == ["a", "b"]
    assert (sources.servers[0].env, sources.servers[0].cwd) == ({"K": "theirs"}, host.cwd)
    assert sources.looked_at == (host.home / "c.json", host.cwd / "d.json", host.cwd / "absent.json")
    assert reasons(sources) == ["there is no such file"]


def test_a_gateway_does_not_start_itself(host: HostContext) -> None:
    entry = {"command": "/opt/bin/toolbooth", "args": ["serve", "--config", "kept.json"]}
    write(host.home / ".cursor/mcp.json", {"mcpServers": {"toolbooth": entry, "a": {"command": "x"}}})
    write(host.home / ".lmstudio/mcp.json", {"mcpServers": {"toolbooth": {**entry, "args": ["serve"]}}})
    sources = served(host)
    assert names(sources) == ["a"]
    assert [note.partition(" in ")[2] for note in sources.notes] == [
        f"{host.home}/.cursor/mcp.json is this gateway itself, so it is left out: "
        "kept.json is relative to wherever its client starts it",
        f"{host.home}/.lmstudio/mcp.json is this gateway itself, so it is left out: "
        "the servers behind it are read instead",
    ]


def gateway_entry(*args: str, **more: object) -> dict[str, object]:
    return {"mcpServers": {"booth": {"command": "toolbooth", "args": ["serve", *args], **more}}}


def test_a_config_that_names_a_gateway_stands_for_the_servers_behind_it(host: HostContext) -> None:
    team = write(host.home / "team.json", servers(a="x"))
    more = write(host.home / "more.json", {"mcpServers": {"b": {"command": "y", "env": {"K": "${KEY}"}}}})
    outer = write(
        host.cwd / "outer.json", gateway_entry("--config", team, f"--config={more}", env={"KEY": "k"})
    )
    for sources in (find_sources([outer], host=host), served(host, outer)):
        assert names(sources) == ["a", "b"]
        assert sources.servers[1].env == {"K": "k"}
        assert sources.clients == (ClientServers(outer, (), (GatewayEntry("booth", "search", ("a", "b")),)),)
    file = config_sources(Path(outer), host.environ)
    assert [spec.name for spec in file.servers] == ["a", "b"]


def test_gateways_behind_gateways_end_also_where_they_lead_back(host: HostContext) -> None:
    one, two = host.cwd / "one.json", host.cwd / "two.json"
    write(one, gateway_entry("--config", str(two)))
    both = gateway_entry("--config", "one.json", cwd=str(host.cwd))["mcpServers"]
    write(two, {"mcpServers": {**both, "a": {"command": "x"}}})  # type: ignore[dict-item]
    assert names(find_sources([str(one)], host=host)) == ["a"]


def test_a_gateway_without_a_file_stands_for_the_users_own_servers(host: HostContext) -> None:
    path = write(host.cwd / "agent.json", gateway_entry("--surface", "direct"))
    write(host.home / ".cursor/mcp.json", servers(cursors="x"))
    (client,) = find_sources([path], host=host).clients
    assert client.gateways == (GatewayEntry("booth", "direct", ("cursors",)),)
    write(host.home / ".config/toolbooth/toolbooth.yaml", "surface: code\nservers: {mine: {command: x}}\n")
    assert names(find_sources([path], host=host)) == ["mine"]


def test_a_file_behind_a_gateway_that_cannot_be_read_is_said_with_the_config_that_leads_to_it(
    host: HostContext,
) -> None:
    own = host.home / ".cursor/mcp.json"
    args = ["serve", "--config", str(host.home / "gone.json")]
    write(own, {"mcpServers": {"toolbooth": {"command": "toolbooth", "args": args}, "a": {"command": "x"}}})
    assert find_sources(host=host).source_errors == (
        (str(host.home / "gone.json"), f"there is no such file; a gateway entry in Cursor {own} reads it"),
    )


def test_a_broken_file_of_the_user_is_said_once_also_behind_a_gateway(host: HostContext) -> None:
    write(host.home / ".claude.json", "{broken")
    entry = {"command": "toolbooth", "args": ["serve"]}
    write(host.home / ".cursor/mcp.json", {"mcpServers": {"toolbooth": entry, "a": {"command": "x"}}})
    (source_error,) = find_sources(host=host).source_errors
    assert source_error.where == f"{host.home / '.claude.json'}:1:2"


def test_a_typed_command_is_looked_at_as_it_is(host: HostContext) -> None:
    sources = find_sources((), ["toolbooth", "serve", "--surface", "full"], host=host)
    assert [spec.command for spec in sources.servers] == ["toolbooth"]


def test_a_projects_gateway_is_not_followed_unasked(host: HostContext) -> None:
    write(host.cwd / "hidden.json", servers(theirs="evil"))
    write(host.cwd / ".mcp.json", gateway_entry("--config", "hidden.json"))
    write(host.home / ".cursor/mcp.json", servers(mine="x"))
    assert names(find_sources(host=host)) == ["mine"]
    assert sorted(names(find_sources(host=host, trust=trust_all))) == ["mine", "theirs"]

    def outer_alone(found: Sequence[ProjectConfig]) -> Collection[Path]:
        asked.append(found[0].path.name)
        return [each.path for each in found if each.path.name == ".mcp.json"]

    asked: list[str] = []
    assert names(find_sources(host=host, trust=outer_alone)) == ["mine"]
    assert asked == [".mcp.json", "hidden.json"]


def test_a_wrapped_project_leads_to_the_users_own_copy_without_a_second_question(
    host: HostContext,
) -> None:
    path = Path(write(host.cwd / ".mcp.json", servers(a="x")))
    wrap(path, WrapOptions(["/opt/bin/toolbooth"], host.home / ".local/share/toolbooth"), host.environ)
    assert names(find_sources(host=host, trust=lambda found: [path] if len(found) == 1 else [])) == ["a"]


def test_each_client_is_reported_with_what_it_sees(host: HostContext) -> None:
    path = Path(write(host.home / ".cursor/mcp.json", servers(a="x", b="y")))
    wrap(path, WrapOptions(["/opt/bin/toolbooth"], host.home / ".local/share/toolbooth"), host.environ)
    write(host.home / ".claude.json", servers(a="x", c="z"))
    write(host.cwd / ".mcp.json", servers(d="w"))
    catalog = write(host.cwd / "srv.json", {"server": "srv", "tools": [{"name": "t"}]})
    sources = find_sources(host=host, trust=trust_all)
    assert {each.client: each for each in sources.clients} == {
        "Claude Code": ClientServers("Claude Code", ("d", "a", "c")),
        "Cursor": ClientServers("Cursor", (), (GatewayEntry("toolbooth", "auto", ("a", "b")),)),
    }
    assert find_sources([catalog], host=host).clients == (ClientServers("", ("srv",)),)


def test_projects_that_are_not_open_together_are_not_added_up(host: HostContext) -> None:
    one = write(host.home / "one/.mcp.json", servers(a="x"))
    two = write(host.home / "two/.mcp.json", servers(b="y"))
    assert [each.client for each in find_sources([one, two], host=host).clients] == [
        f"Claude Code in {host.home}/one",
        f"Claude Code in {host.home}/two",
    ]


def test_a_gateway_without_servers_knows_what_to_watch(host: HostContext) -> None:
    sources = served(host)
    assert sources.servers == ()
    assert host.home / ".config/toolbooth/toolbooth.yaml" in sources.looked_at
    assert not [path for path in sources.looked_at if path.is_relative_to(host.cwd)]


def test_a_saved_catalog_cannot_be_served(host: HostContext) -> None:
    path = write(host.cwd / "srv.json", {"server": "srv", "tools": [{"name": "t"}]})
    assert "nothing in it can be called" in served(host, path).notes[0]


def test_what_is_behind_a_wrapped_clients_gateway_is_served_by_any(host: HostContext) -> None:
    path = Path(write(host.home / ".cursor/mcp.json", servers(a="x", b="y")))
    data = host.home / ".local/share/toolbooth"
    kept = wrap(path, WrapOptions(["/opt/bin/toolbooth"], data), host.environ).kept
    for sources in (served(host), served(host, str(path)), served(host, str(kept))):
        assert names(sources) == ["a", "b"]
        assert kept in sources.looked_at
    assert served(host).notes == (
        f"toolbooth in {path} is this gateway itself, so it is left out: the servers behind it are read instead",
    )
