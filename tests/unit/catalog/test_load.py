"""What a user names → sources; whatever is wrong with one is one line, and the others stay."""

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, save_snapshot, sort_entries
from toolbooth.catalog.config import Gateway, GatewaySettings, ProjectConfig, trust_all, wrap
from toolbooth.catalog.load import (
    ClientServers,
    GatewayEntry,
    Sources,
    Surroundings,
    Trouble,
    config_sources,
    find_sources,
    gateway_sources,
    load,
)
from toolbooth.errors import NothingToWeigh


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    """A home and a project of the test's own."""
    home, project = tmp_path / "home", tmp_path / "home" / "app"
    (project / ".git").mkdir(parents=True)
    return Surroundings(home, project, {"HOME": str(home)}, "linux")


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def servers(**commands: str) -> dict[str, Any]:
    return {"mcpServers": {name: {"command": command} for name, command in commands.items()}}


def reasons(sources: Sources) -> list[str]:
    return [trouble.reason for trouble in sources.troubles]


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
    monkeypatch.setattr("toolbooth.catalog.listing.MAX_TOOLS", 1)
    sources = find_sources([write(tmp_path / "a.json", {"tools": [{"name": "t"}, {"name": "u"}]})])
    loaded = await load(sources)
    assert loaded.sources.troubles == (("a", "its list was cut: only the first 1 of its tools are read"),)


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
    assert len(sources.troubles) == 2
    assert "hunter2" not in repr(sources.troubles)


def test_the_servers_of_a_project_are_not_started_unasked(around: Surroundings) -> None:
    write(around.home / ".cursor/mcp.json", servers(mine="x"))
    path = write(around.cwd / ".mcp.json", servers(theirs="evil", more="evil"))
    write(around.cwd / "toolbooth.yaml", "tools: {'*': {limit: 7}}")
    sources = find_sources(around=around)
    assert [spec.name for spec in sources.servers] == ["mine"]
    assert sources.notes == (
        f"project config {path} names 2 servers; they are not started unless you name the file",
    )
    assert sources.answer_caps.cap_for("a.b").limit == 7
    trusted = find_sources(around=around, trust=trust_all)
    assert {spec.name for spec in trusted.servers} == {"mine", "theirs", "more"}
    assert {spec.name for spec in find_sources([path], around=around).servers} == {"theirs", "more"}


def test_nothing_but_a_project_says_which_file_to_name(around: Surroundings) -> None:
    path = write(around.cwd / ".mcp.json", servers(theirs="evil"))
    sources = find_sources(around=around)
    assert sources.servers == ()
    assert [spec.name for spec in sources.not_started] == ["theirs"]
    assert sources.notes[0].endswith("it is not started unless you name the file")  # whichever command it was
    assert str(path) in sources.notes[0]


def test_what_was_shown_is_what_is_started(around: Surroundings) -> None:
    """A config that changes between the question and the start changes nothing."""
    path = around.cwd / ".mcp.json"
    write(path, servers(theirs="shown"))

    def trust(found: Sequence[ProjectConfig]) -> Collection[Path]:
        assert [spec.command for each in found for spec in each.as_written.servers] == ["shown"]
        write(path, servers(theirs="evil"))
        return trust_all(found)

    assert [spec.command for spec in find_sources(around=around, trust=trust).servers] == ["shown"]


def test_a_project_without_servers_is_not_asked_about_unless_it_names_a_lock(around: Surroundings) -> None:
    def trust(found: Sequence[ProjectConfig]) -> Collection[Path]:
        asked.append([each.name for config in found for each in config.reads])
        return ()

    asked: list[list[str]] = []
    write(around.home / ".cursor/mcp.json", servers(mine="x"))
    write(around.cwd / "toolbooth.yaml", "tools: {'*': {limit: 7}}")
    find_sources(around=around, trust=trust)
    assert asked == []
    write(around.cwd / "toolbooth.yaml", "tools: {}\ncontracts: {lock: ../../.bashrc, verify_key: 'env:KEY'}")
    assert find_sources(around=around, trust=trust).enforcements == ()
    assert asked == [[str(around.cwd / "../../.bashrc"), "KEY"]]


def test_the_configs_in_a_folder_are_named_and_not_started(around: Surroundings) -> None:
    path = write(around.cwd / ".mcp.json", servers(theirs="${file:/etc/hostname}"))
    sources = find_sources([str(around.cwd)], around=around)
    assert sources.servers == ()
    reason = "is a config with 1 server, which a folder does not start; name the file itself"
    assert sources.troubles == (Trouble(path, reason),)


def test_the_users_own_file_is_theirs_even_where_home_is_the_project(around: Surroundings) -> None:
    write(around.home / ".cursor/mcp.json", servers(mine="x"))
    at_home = around._replace(cwd=around.home)
    assert [spec.name for spec in find_sources(around=at_home).servers] == ["mine"]


def test_no_config_says_every_place_that_was_looked_at(around: Surroundings) -> None:
    (around.home / "work/app/.git").mkdir(parents=True)
    with pytest.raises(NothingToWeigh) as caught:
        find_sources(around=around._replace(cwd=around.home / "work/app"))
    assert str(around.home / ".cursor/mcp.json") in caught.value.places
    assert str(around.home / "work/.mcp.json") not in caught.value.places  # above the repository
    assert "\n" not in str(caught.value)


def test_a_server_of_the_project_that_the_user_switched_off_stays_off(around: Surroundings) -> None:
    project = {"disabledMcpjsonServers": ["off", "elsewhere"]}
    write(around.home / ".claude.json", {"projects": {str(around.cwd): project}})
    write(around.cwd / ".mcp.json", servers(on="x", off="y"))
    write(around.home / ".cursor/mcp.json", servers(elsewhere="z"))
    sources = find_sources(around=around, trust=trust_all)
    assert {spec.name for spec in sources.servers} == {"on", "elsewhere"}
    assert sources.disabled == ("off",)


@pytest.mark.anyio
async def test_a_catalog_weighed_again_is_as_incomplete_as_it_was(tmp_path: Path) -> None:
    troubles = (Trouble("gone", "was not found"), Trouble("x", "its list was cut: its cursor never ends"))
    server = sort_entries("x", [{"name": "t"}], cut="its cursor never ends")
    save_snapshot(Catalog((server,)), tmp_path / "c.json", troubles)
    loaded = await load(find_sources([str(tmp_path / "c.json")]))
    assert loaded.sources.troubles == troubles
    assert loaded.catalog.set_aside == server.set_aside


def served(around: Surroundings, *config: str) -> Sources:
    return gateway_sources(config, around.environ, around.cwd)


def names(sources: Sources) -> list[str]:
    return [spec.name for spec in sources.servers]


def test_a_gateway_never_starts_the_servers_of_a_project_unasked(around: Surroundings) -> None:
    write(around.home / ".cursor/mcp.json", servers(mine="x"))
    path = write(around.cwd / ".mcp.json", servers(theirs="evil"))
    write(around.cwd / "toolbooth.yaml", "surface: direct\nservers: {ours: {command: evil}}")
    assert names(served(around)) == ["mine"]
    assert served(around).gateway == GatewaySettings()
    assert names(served(around, path)) == ["theirs"]


def test_the_users_own_toolbooth_yaml_wins_alone_if_it_names_servers(around: Surroundings) -> None:
    write(around.home / ".cursor/mcp.json", servers(cursors="x"))
    own = around.home / ".config/toolbooth/toolbooth.yaml"
    write(own, "surface: full\n")
    assert names(served(around)) == ["cursors"]
    assert served(around).gateway.surface == "full"
    write(own, "servers: {mine: {command: x}}\n")
    assert names(served(around)) == ["mine"]
    write(own, "servers: {mine: {command: x}\n")
    assert names(served(around)) == []
    assert "broken YAML" in reasons(served(around))[0]


def test_named_configs_and_their_variables_are_those_of_the_process_that_asks(around: Surroundings) -> None:
    write(around.home / "c.json", {"mcpServers": {"a": {"command": "./x", "env": {"K": "${KEY}"}}}})
    write(around.cwd / "d.json", servers(b="y"))
    theirs = around._replace(environ={**around.environ, "KEY": "theirs"})
    sources = served(theirs, "~/c.json", "d.json", "absent.json")
    assert names(sources) == ["a", "b"]
    assert (sources.servers[0].env, sources.servers[0].cwd) == ({"K": "theirs"}, around.cwd)
    assert sources.looked_at == (around.home / "c.json", around.cwd / "d.json", around.cwd / "absent.json")
    assert reasons(sources) == ["there is no such file"]


def test_a_gateway_does_not_start_itself(around: Surroundings) -> None:
    entry = {"command": "/opt/bin/toolbooth", "args": ["serve", "--config", "kept.json"]}
    write(around.home / ".cursor/mcp.json", {"mcpServers": {"toolbooth": entry, "a": {"command": "x"}}})
    write(around.home / ".lmstudio/mcp.json", {"mcpServers": {"toolbooth": {**entry, "args": ["serve"]}}})
    sources = served(around)
    assert names(sources) == ["a"]
    assert [note.partition(" in ")[2] for note in sources.notes] == [
        f"{around.home}/.cursor/mcp.json is this gateway itself, so it is left out: "
        "kept.json is relative to wherever its client starts it",
        f"{around.home}/.lmstudio/mcp.json is this gateway itself, so it is left out: "
        "the servers behind it are read instead",
    ]


def gateway_entry(*args: str, **more: object) -> dict[str, object]:
    return {"mcpServers": {"booth": {"command": "toolbooth", "args": ["serve", *args], **more}}}


def test_a_config_that_names_a_gateway_stands_for_the_servers_behind_it(around: Surroundings) -> None:
    team = write(around.home / "team.json", servers(a="x"))
    more = write(around.home / "more.json", {"mcpServers": {"b": {"command": "y", "env": {"K": "${KEY}"}}}})
    outer = write(
        around.cwd / "outer.json", gateway_entry("--config", team, f"--config={more}", env={"KEY": "k"})
    )
    for sources in (find_sources([outer], around=around), served(around, outer)):
        assert names(sources) == ["a", "b"]
        assert sources.servers[1].env == {"K": "k"}
        assert sources.clients == (ClientServers(outer, (), (GatewayEntry("booth", "search", ("a", "b")),)),)
    file = config_sources(Path(outer), around.environ)
    assert [spec.name for spec in file.servers] == ["a", "b"]


def test_gateways_behind_gateways_end_also_where_they_lead_back(around: Surroundings) -> None:
    one, two = around.cwd / "one.json", around.cwd / "two.json"
    write(one, gateway_entry("--config", str(two)))
    both = gateway_entry("--config", "one.json", cwd=str(around.cwd))["mcpServers"]
    write(two, {"mcpServers": {**both, "a": {"command": "x"}}})  # type: ignore[dict-item]
    assert names(find_sources([str(one)], around=around)) == ["a"]


def test_a_gateway_without_a_file_stands_for_the_users_own_servers(around: Surroundings) -> None:
    path = write(around.cwd / "agent.json", gateway_entry("--surface", "direct"))
    write(around.home / ".cursor/mcp.json", servers(cursors="x"))
    (client,) = find_sources([path], around=around).clients
    assert client.gateways == (GatewayEntry("booth", "direct", ("cursors",)),)
    write(around.home / ".config/toolbooth/toolbooth.yaml", "surface: code\nservers: {mine: {command: x}}\n")
    assert names(find_sources([path], around=around)) == ["mine"]


def test_a_file_behind_a_gateway_that_cannot_be_read_is_said_with_the_config_that_leads_to_it(
    around: Surroundings,
) -> None:
    own = around.home / ".cursor/mcp.json"
    args = ["serve", "--config", str(around.home / "gone.json")]
    write(own, {"mcpServers": {"toolbooth": {"command": "toolbooth", "args": args}, "a": {"command": "x"}}})
    assert find_sources(around=around).troubles == (
        (str(around.home / "gone.json"), f"there is no such file; a gateway entry in Cursor {own} reads it"),
    )


def test_a_broken_file_of_the_user_is_said_once_also_behind_a_gateway(around: Surroundings) -> None:
    write(around.home / ".claude.json", "{broken")
    entry = {"command": "toolbooth", "args": ["serve"]}
    write(around.home / ".cursor/mcp.json", {"mcpServers": {"toolbooth": entry, "a": {"command": "x"}}})
    (trouble,) = find_sources(around=around).troubles
    assert trouble.where == f"{around.home / '.claude.json'}:1:2"


def test_a_typed_command_is_looked_at_as_it_is(around: Surroundings) -> None:
    sources = find_sources((), ["toolbooth", "serve", "--surface", "full"], around=around)
    assert [spec.command for spec in sources.servers] == ["toolbooth"]


def test_a_projects_gateway_is_not_followed_unasked(around: Surroundings) -> None:
    write(around.cwd / "hidden.json", servers(theirs="evil"))
    write(around.cwd / ".mcp.json", gateway_entry("--config", "hidden.json"))
    write(around.home / ".cursor/mcp.json", servers(mine="x"))
    assert names(find_sources(around=around)) == ["mine"]
    assert sorted(names(find_sources(around=around, trust=trust_all))) == ["mine", "theirs"]

    def outer_alone(found: Sequence[ProjectConfig]) -> Collection[Path]:
        asked.append(found[0].path.name)
        return [each.path for each in found if each.path.name == ".mcp.json"]

    asked: list[str] = []
    assert names(find_sources(around=around, trust=outer_alone)) == ["mine"]
    assert asked == [".mcp.json", "hidden.json"]


def test_a_wrapped_project_leads_to_the_users_own_copy_without_a_second_question(
    around: Surroundings,
) -> None:
    path = Path(write(around.cwd / ".mcp.json", servers(a="x")))
    wrap(path, Gateway(["/opt/bin/toolbooth"], around.home / ".local/share/toolbooth"), around.environ)
    assert names(find_sources(around=around, trust=lambda found: [path] if len(found) == 1 else [])) == ["a"]


def test_each_client_is_told_with_what_it_sees(around: Surroundings) -> None:
    path = Path(write(around.home / ".cursor/mcp.json", servers(a="x", b="y")))
    wrap(path, Gateway(["/opt/bin/toolbooth"], around.home / ".local/share/toolbooth"), around.environ)
    write(around.home / ".claude.json", servers(a="x", c="z"))
    write(around.cwd / ".mcp.json", servers(d="w"))
    catalog = write(around.cwd / "srv.json", {"server": "srv", "tools": [{"name": "t"}]})
    sources = find_sources(around=around, trust=trust_all)
    assert {each.client: each for each in sources.clients} == {
        "Claude Code": ClientServers("Claude Code", ("d", "a", "c")),
        "Cursor": ClientServers("Cursor", (), (GatewayEntry("toolbooth", "search", ("a", "b")),)),
    }
    assert find_sources([catalog], around=around).clients == (ClientServers("", ("srv",)),)


def test_projects_that_are_not_open_together_are_not_added_up(around: Surroundings) -> None:
    one = write(around.home / "one/.mcp.json", servers(a="x"))
    two = write(around.home / "two/.mcp.json", servers(b="y"))
    assert [each.client for each in find_sources([one, two], around=around).clients] == [
        f"Claude Code in {around.home}/one",
        f"Claude Code in {around.home}/two",
    ]


def test_a_gateway_without_servers_knows_what_to_watch(around: Surroundings) -> None:
    sources = served(around)
    assert sources.servers == ()
    assert around.home / ".config/toolbooth/toolbooth.yaml" in sources.looked_at
    assert not [path for path in sources.looked_at if path.is_relative_to(around.cwd)]


def test_a_saved_catalog_cannot_be_served(around: Surroundings) -> None:
    path = write(around.cwd / "srv.json", {"server": "srv", "tools": [{"name": "t"}]})
    assert "nothing in it can be called" in served(around, path).notes[0]


def test_what_is_behind_a_wrapped_clients_gateway_is_served_by_any(around: Surroundings) -> None:
    path = Path(write(around.home / ".cursor/mcp.json", servers(a="x", b="y")))
    data = around.home / ".local/share/toolbooth"
    kept = wrap(path, Gateway(["/opt/bin/toolbooth"], data), around.environ).kept
    for sources in (served(around), served(around, str(path)), served(around, str(kept))):
        assert names(sources) == ["a", "b"]
        assert kept in sources.looked_at
    assert served(around).notes == (
        f"toolbooth in {path} is this gateway itself, so it is left out: the servers behind it are read instead",
    )
