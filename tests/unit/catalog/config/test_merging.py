"""Several files are one set of servers."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.catalog.config import merge
from toolbooth.catalog.config.merging import clean_name, free_name


def _config(**servers: str) -> str:
    entries = ", ".join(f'"{name}": {entry}' for name, entry in servers.items())
    return f'{{"mcpServers": {{{entries}}}}}'


NPX = '{"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}}'


def test_the_same_server_in_two_files_is_one(read: Read) -> None:
    merged = merge([read(".cursor/mcp.json", _config(a=NPX)), read(".lmstudio/mcp.json", _config(a=NPX))])
    assert [spec.name for spec in merged.servers] == ["a"]
    assert "Cursor" in merged.servers[0].source
    assert "LM Studio" in merged.servers[0].source
    assert len(merged.notes) == 1
    assert merged.notes[0].startswith("a is one server, found in ")


def test_another_server_of_that_name_is_renamed(read: Read) -> None:
    other = '{"command": "npx", "args": ["-y", "x"], "env": {"K": "hunter2"}}'
    files = [
        read(".cursor/mcp.json", _config(a=NPX)),
        read(".lmstudio/mcp.json", _config(a=other)),
        read(".kiro/settings/mcp.json", _config(a=other)),
    ]
    merged = merge(files)
    assert [spec.name for spec in merged.servers] == ["a", "a-2"]
    assert any("called a-2 here" in note for note in merged.notes)
    assert "hunter2" not in repr(merged)


def test_a_bare_url_is_the_same_as_one_with_its_transport(read: Read) -> None:
    bare, typed = '{"url": "https://x.dev/mcp"}', '{"type": "http", "url": "https://x.dev/mcp"}'
    sse = '{"type": "sse", "url": "https://x.dev/mcp"}'
    merged = merge(
        [read("1.json", _config(a=bare)), read("2.json", _config(a=typed)), read("3.json", _config(a=sse))]
    )
    assert [(spec.name, spec.transport) for spec in merged.servers] == [("a", "http"), ("a-2", "sse")]


def test_names_that_clean_to_the_same_are_kept_apart(read: Read) -> None:
    found = read(
        "x.json",
        '{"mcpServers": {"a.b": {"command": "x"}, "a_b": {"command": "y"}, "a_b-2": {"command": "z"}}}',
    )
    assert [spec.name for spec in found.servers] == ["a_b", "a_b-2", "a_b-2-2"]


def test_problems_disabled_and_caps_are_joined(read: Read) -> None:
    files = [
        read("1.json", '{"mcpServers": {"p": {}, "off": {"command": "x", "disabled": true}}}'),
        read("2.json", '{"mcpServers": {"p": {}, "q": {}}}'),
        read("toolbooth.yaml", "tools: {'*': {limit: 7}}"),
    ]
    merged = merge(files)
    assert [problem.server for problem in merged.problems] == ["p", "q"]
    assert merged.disabled == ("off",)
    assert merged.answer_caps.cap_for("a.b").limit == 7


def test_nothing_merges_to_nothing() -> None:
    assert merge([]).servers == ()


def test_the_working_folder_is_part_of_a_server(read: Read) -> None:
    one = read("one/.mcp.json", _config(a='{"command": "./run"}'))
    two = read("two/.mcp.json", _config(a='{"command": "./run"}'))
    assert [spec.cwd for spec in merge([one, two]).servers] == [
        Path(one.path.parent),
        Path(two.path.parent),
    ]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("github", "github"),
        ("my.server", "my_server"),
        ("io.github.me/thing", "io_github_me-thing"),
        ("  GitHub (work) ", "GitHub-work"),
        ("a\t\n b", "a-b"),
        ("a\x1b[31m\u202eb", "a-31m-b"),
        ("@scope/pkg_1", "@scope-pkg_1"),
        ("werkzeug-größe", "werkzeug-größe"),
        ("天気", "天気"),
        ("*?[x]", "x"),
        ("...", "___"),
        (" / ", ""),
        ("", ""),
    ],
)
def test_names_are_cleaned(raw: str, name: str) -> None:
    assert clean_name(raw) == name
    assert clean_name(name) == name


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("a", set()) == "a"
    assert free_name("a", {"a", "a-2"}) == "a-3"
