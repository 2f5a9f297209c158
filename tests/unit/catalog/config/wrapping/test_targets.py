"""A client's name, or a file's, leads to files."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Write
from tests.unit.catalog.config.wrapping.conftest import Wrap

from toolbooth.catalog.config import (
    Gateway,
    Surroundings,
    candidates,
    data_folder,
    files_to_unwrap,
    files_to_wrap,
    names_in,
)
from toolbooth.errors import UserMistake

SERVERS = '{"mcpServers": {"a": {"command": "x"}}}'


@pytest.fixture
def around(home: Path) -> Surroundings:
    (home / "app/.git").mkdir(parents=True)
    return Surroundings(home, home / "app", {"HOME": str(home)}, "linux")


@pytest.mark.parametrize("word", ["cursor", "Cursor", "CURSOR"])
def test_a_client_is_known_by_its_name(around: Surroundings, write: Write, word: str) -> None:
    path = write(".cursor/mcp.json", SERVERS)
    write("app/.cursor/mcp.json", SERVERS)  # a project's own: only by its path
    assert files_to_wrap(word, around) == (path,)


@pytest.mark.parametrize("word", ["claude desktop", "claude-desktop", "ClaudeDesktop"])
def test_blanks_and_dashes_in_a_name_do_not_matter(around: Surroundings, write: Write, word: str) -> None:
    path = write(".config/Claude/claude_desktop_config.json", SERVERS)
    assert files_to_wrap(word, around) == (path,)


def test_all_files_of_a_client_that_hold_servers_are_meant(around: Surroundings, write: Write) -> None:
    user = ".config/Code/User"
    mcp = write(f"{user}/mcp.json", '{"servers": {"a": {"command": "x"}}}')
    settings = write(f"{user}/settings.json", '{"mcp": {"servers": {"b": {"command": "x"}}}}')
    write(".config/Code - Insiders/User/settings.json", '{"editor.fontSize": 12, "mcp": {"servers": {}}}')
    assert files_to_wrap("vscode", around) == (mcp, settings)


def test_a_file_is_known_by_its_path(around: Surroundings, home: Path, write: Write) -> None:
    write("app/cursor.json", SERVERS)
    assert files_to_wrap("cursor.json", around) == (home / "app/cursor.json",)
    assert files_to_wrap("~/x/mcp.json", around) == (home / "x/mcp.json",)


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
    around: Surroundings, write: Write, words: str, names: list[str]
) -> None:
    write("app/my file.json", SERVERS)
    assert names_in(words.split(), around) == names


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
def test_a_word_that_leads_nowhere_says_what_would(around: Surroundings, word: str, says: str) -> None:
    with pytest.raises(UserMistake, match=says):
        files_to_wrap(word, around)


def test_wrapped_files_are_found_even_if_they_are_gone(
    around: Surroundings, write: Write, wrapped: Wrap, gateway: Gateway
) -> None:
    path = write(".cursor/mcp.json", SERVERS)
    with pytest.raises(UserMistake, match="no config of Cursor is wrapped"):
        files_to_unwrap("cursor", around, gateway.data)
    wrapped(path)
    assert files_to_unwrap("cursor", around, gateway.data) == (path,)
    path.unlink()
    assert files_to_unwrap("cursor", around, gateway.data) == (path,)


def test_the_list_tells_wrapped_from_not(
    around: Surroundings, write: Write, wrapped: Wrap, gateway: Gateway
) -> None:
    wrapped(write(".cursor/mcp.json", SERVERS))
    wrapped(write("elsewhere/mcp.json", SERVERS))
    write(".kiro/settings/mcp.json", '{"mcpServers": {')
    write("app/.mcp.json", SERVERS)
    found = candidates(around, gateway.data)
    assert [(each.path.parent.name, each.wrapped, each.project) for each in found] == [
        (".cursor", True, False),
        ("settings", False, False),
        ("elsewhere", True, False),
        ("app", False, True),
    ]
    assert "broken JSON" in found[1].trouble


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/home/me/.local/share/toolbooth"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/toolbooth"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/me/.local/share/toolbooth"),
        ("darwin", {}, "/home/me/Library/Application Support/toolbooth"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/toolbooth"),
    ],
)
def test_originals_are_kept_where_the_system_keeps_a_users_data(
    platform: str, environ: dict[str, str], folder: str
) -> None:
    assert data_folder(Path("/home/me"), environ, platform) == Path(folder)
