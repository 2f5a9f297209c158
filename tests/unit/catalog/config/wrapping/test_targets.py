"""A client's name, or a file's, leads to files."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Wrap, Write

from toolbooth.catalog.config import (
    HostContext,
    WrapOptions,
    candidates,
    files_to_unwrap,
    files_to_wrap,
    names_in,
)
from toolbooth.errors import UserMistake

SERVERS = '{"mcpServers": {"a": {"command": "x"}}}'


@pytest.fixture
def host(home: Path) -> HostContext:
    (home / "app/.git").mkdir(parents=True)
    return HostContext(home, home / "app", {"HOME": str(home)}, "linux")


@pytest.mark.parametrize("word", ["cursor", "Cursor", "CURSOR"])
def test_a_client_is_known_by_its_name(host: HostContext, write: Write, word: str) -> None:
    path = write(".cursor/mcp.json", SERVERS)
    write("app/.cursor/mcp.json", SERVERS)  # a project's own: only by its path
    assert files_to_wrap(word, host) == (path,)


@pytest.mark.parametrize("word", ["claude desktop", "claude-desktop", "ClaudeDesktop"])
def test_blanks_and_dashes_in_a_name_do_not_matter(host: HostContext, write: Write, word: str) -> None:
    path = write(".config/Claude/claude_desktop_config.json", SERVERS)
    assert files_to_wrap(word, host) == (path,)


def test_all_files_of_a_client_that_hold_servers_are_meant(host: HostContext, write: Write) -> None:
    user = ".config/Code/User"
    mcp = write(f"{user}/mcp.json", '{"servers": {"a": {"command": "x"}}}')
    settings = write(f"{user}/settings.json", '{"mcp": {"servers": {"b": {"command": "x"}}}}')
    write(".config/Code - Insiders/User/settings.json", '{"editor.fontSize": 12, "mcp": {"servers": {}}}')
    assert files_to_wrap("vscode", host) == (mcp, settings)


def test_a_file_is_known_by_its_path(host: HostContext, home: Path, write: Write) -> None:
    write("app/cursor.json", SERVERS)
    assert files_to_wrap("cursor.json", host) == (home / "app/cursor.json",)
    assert files_to_wrap("~/x/mcp.json", host) == (home / "x/mcp.json",)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("cursor vscode codex", ["cursor", "vscode", "codex"]),
        ("claude desktop cursor", ["claude desktop", "cursor"]),
        ("cursor claude code vs code", ["cursor", "claude code", "vs code"]),
        ("claude cursor", ["claude", "cursor"]),
        (".mcp.json my file.json", [".mcp.json", "my file.json"]),
    ],
)
def test_each_word_is_a_name_but_for_names_of_several(
    host: HostContext, write: Write, words: str, names: list[str]
) -> None:
    write("app/my file.json", SERVERS)
    assert names_in(words.split(), host) == names


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("claude", "'claude' could be Claude Code, Claude Desktop"),
        ("emacs", "is neither a file nor a client; the clients are Claude Code"),
        ("cursr", r"is neither a file nor a client; did you mean Cursor\?"),
        ("codx", r"did you mean Codex\?"),
        ("cursor", r"Cursor has no servers configured here; looked at .*/\.cursor/mcp\.json"),
    ],
)
def test_a_word_that_leads_nowhere_says_what_would(host: HostContext, word: str, says: str) -> None:
    with pytest.raises(UserMistake, match=says):
        files_to_wrap(word, host)


def test_wrapped_files_are_found_even_if_they_are_gone(
    host: HostContext, write: Write, wrapped: Wrap, gateway: WrapOptions
) -> None:
    path = write(".cursor/mcp.json", SERVERS)
    with pytest.raises(UserMistake, match="no config of Cursor is wrapped"):
        files_to_unwrap("cursor", host, gateway.data)
    wrapped(path)
    assert files_to_unwrap("cursor", host, gateway.data) == (path,)
    path.unlink()
    assert files_to_unwrap("cursor", host, gateway.data) == (path,)


def test_the_list_tells_wrapped_from_not(
    host: HostContext, write: Write, wrapped: Wrap, gateway: WrapOptions
) -> None:
    wrapped(write(".cursor/mcp.json", SERVERS))
    wrapped(write("elsewhere/mcp.json", SERVERS))
    write(".kiro/settings/mcp.json", '{"mcpServers": {')
    write("app/.mcp.json", SERVERS)
    found = candidates(host, gateway.data)
    assert [(each.path.parent.name, each.wrapped, each.project) for each in found] == [
        (".cursor", True, False),
        ("settings", False, False),
        ("elsewhere", True, False),
        ("app", False, True),
    ]
    assert "broken JSON" in found[1].problem
