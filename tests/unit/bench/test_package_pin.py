"""A launch shows which package it pins, or is told how to pin it; nothing else of a command is taken."""

import pytest

from toolbooth.bench.package_pin import Pin, pin_of
from toolbooth.catalog import ServerSpec

SHA = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "sha256:" + "0f" * 32


def pin(*words: str, reported: str = "", **env: str) -> Pin:
    return pin_of(ServerSpec("x", "stdio", words[0], tuple(words[1:]), env), reported)


@pytest.mark.parametrize(
    ("command", "package"),
    [
        ("npx -y some-server@1.2.3", "some-server@1.2.3"),
        ("npx -y @scope/server-x@2025.9.25 /srv/data", "@scope/server-x@2025.9.25"),
        ("npx --yes --package=@scope/x@1.0.0-beta.2 x", "@scope/x@1.0.0-beta.2"),
        ("npx -p pkg@1.2.3 pkg-bin", "pkg@1.2.3"),
        ("npm exec -y pkg@1.2.3", "pkg@1.2.3"),
        ("pnpm dlx pkg@1.2.3", "pkg@1.2.3"),
        ("bun x pkg@1.2.3", "pkg@1.2.3"),
        ("cmd /c npx -y pkg@1.2.3", "pkg@1.2.3"),
        ("/usr/bin/env DEBUG=1 /opt/node/bin/npx pkg@1.2.3", "pkg@1.2.3"),
        (r"C:\node\npx.cmd -y pkg@1.2.3", "pkg@1.2.3"),
        ("uvx mcp-server-time@2025.9.25", "mcp-server-time@2025.9.25"),
        ("uvx --from mcp-server-git[all]==0.6.2 mcp-server-git", "mcp-server-git[all]==0.6.2"),
        ("uvx --python 3.12 -p 3.12 --with rich time-server==1.0rc1", "time-server==1.0rc1"),
        ("uv tool run time-server@1.0", "time-server@1.0"),
        ("pipx run time-server==1.0", "time-server==1.0"),
        (f"uvx --from git+https://example.org/a/b@{SHA} b", f"git+https://example.org/a/b@{SHA}"),
        (f"npx github:a/b#{SHA}", f"github:a/b#{SHA}"),
        (f"docker run -i --rm -e KEY mcp/fetch@{DIGEST}", f"mcp/fetch@{DIGEST}"),
        ("npx --unknown-option value pkg@1.2.3", "pkg@1.2.3"),
    ],
)
def test_a_pinned_package_is_found(command: str, package: str) -> None:
    assert pin(*command.split()) == Pin(package)


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("npx -y some-server", "write some-server@1.4.2"),
        ("npx -y @scope/x@latest", "write @scope/x@1.4.2"),
        ("npx -y some-server@1", "write some-server@1.4.2"),
        ("npx -y some-server@^1.2.3", "write some-server@1.4.2"),
        ("uvx mcp-server-time", "write mcp-server-time@1.4.2"),
        ("uvx --from mcp-server-time>=1 time", "write mcp-server-time@1.4.2"),
        ("pipx run time-server", "write time-server==1.4.2"),
        ("uvx --from git+https://example.org/a/b b", "write PACKAGE@"),
        ("docker run -i --rm mcp/fetch:1.2", "name the image by its digest"),
        ("npx -y", "write PACKAGE@1.4.2"),
    ],
)
def test_an_open_launch_is_told_how_to_pin_it(command: str, wanted: str) -> None:
    found = pin(*command.split(), reported="v1.4.2")
    assert found.package == ""
    assert wanted in found.how


def test_without_a_version_of_its_own_a_placeholder_stands_there() -> None:
    assert "write some-server@VERSION" in pin("npx", "some-server", reported="dev build").how


@pytest.mark.parametrize(
    "command",
    [
        "python -m toolbooth.demo files",
        "/opt/servers/files --port 8080 pkg@1.2.3",
        "node /home/me/server/index.js",
        "uv run server.py",
        "npx ./my-server",
        "uvx /home/me/server",
        "cmd /c",
    ],
)
def test_a_program_of_the_machine_fetches_nothing_and_needs_no_pin(command: str) -> None:
    assert pin(*command.split()) == Pin()


def test_a_url_has_no_package() -> None:
    assert pin_of(ServerSpec("x", "http", url="https://example.org/mcp")) == Pin()


@pytest.mark.parametrize(
    "command",
    [
        "npx --auth-token hunter@1.2.3 some-server",
        "npx --registry hunter@1.2.3 some-server",
        "uvx some-server --password hunter==1.2.3",
        "docker run -e hunter@1.2.3 image",
        "npx --_authToken hunter-two some-server",
        "npx -y https://user:hunter@example.org/pkg.tgz",
    ],
)
def test_a_secret_is_never_taken_for_a_package(command: str) -> None:
    found = pin(*command.split(), reported="1.0.0")
    assert "hunter" not in f"{found.package} {found.how}"


def test_a_value_of_the_environment_is_never_taken_either() -> None:
    found = pin("npx", "hunter@1.2.3", "some-server@1.0.0", SOME="hunter@1.2.3")
    assert found == Pin("some-server@1.0.0")
