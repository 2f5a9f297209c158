"""The gateway that is timed has a home of its own; the servers behind it do not notice."""

import stat
from pathlib import Path

import pytest

from toolbooth.bench.latency.gateway_process import IsolatedHome, isolated_home
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.loading import gateway_sources

USERS = {"HOME": "/home/ann", "PATH": "/bin", "XDG_CACHE_HOME": "/fast/cache", "TOKEN": "sk-canary"}
STARTED = ServerSpec(
    "files",
    "stdio",
    "npx",
    ("-y", "x", "${HOME}/docs", "${NO_SUCH}"),
    {"KEY": "a${b}c"},
    Path("/work"),
    timeout=7.0,
)
REMOTE = ServerSpec(
    "docs", "http", url="https://example.com/mcp?q=${x}", headers={"Authorization": "Bearer s3cret"}
)


@pytest.fixture
def home(tmp_path: Path) -> IsolatedHome:
    return isolated_home([STARTED, REMOTE], tmp_path, USERS)


def test_the_gateway_reads_the_very_servers_and_they_see_the_users_environment(
    home: IsolatedHome, tmp_path: Path
) -> None:
    found = gateway_sources([str(home.config)], home.environ, tmp_path)
    files, docs = found.servers
    assert not found.source_errors
    assert (files.command, files.args, files.cwd, files.timeout) == ("npx", STARTED.args, Path("/work"), 7.0)
    assert files.env == {"HOME": "/home/ann", "XDG_CACHE_HOME": "/fast/cache", "KEY": "a${b}c"}
    assert (docs.transport, docs.url, docs.headers) == ("http", REMOTE.url, REMOTE.headers)
    assert found.gateway.idle_stop == 0


def test_the_gateways_own_places_are_below_the_folder(home: IsolatedHome, tmp_path: Path) -> None:
    assert home.environ["HOME"] == str(tmp_path)
    assert "XDG_CACHE_HOME" not in home.environ
    assert home.environ["TOKEN"] == "sk-canary"


def test_a_config_with_secrets_is_for_its_owner_alone(home: IsolatedHome) -> None:
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o600


def test_the_command_is_the_one_that_a_client_starts(home: IsolatedHome) -> None:
    spec = home.gateway("direct")
    assert spec.args[-6:] == ("serve", "--no-daemon", "--config", str(home.config), "--surface", "direct")
