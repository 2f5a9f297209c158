"""A first suite from a catalog: look-alikes are one class, telling tools follow, secrets stay out."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerSpec, ServerTools, Tool
from toolbooth.catalog.config import parse_document
from toolbooth.errors import ConfigError, NothingToWeigh
from toolbooth.suite.first_suite_servers import SuiteServerEntries, suite_server_entries, written_path
from toolbooth.suite.first_suites import MOST_ALIKE, MOST_TESTS, first_suite, scalar
from toolbooth.suite.spec.load import load_suite


def tool(server: str, name: str, description: str = "", **annotations: Any) -> Tool:
    return Tool(server, name, description, annotations=annotations)


def catalog(*tools: Tool) -> Catalog:
    servers = dict.fromkeys(each.server for each in tools)
    return Catalog(
        tuple(ServerTools(name, tuple(each for each in tools if each.server == name)) for name in servers)
    )


def written(folder: Path, tools: Catalog, servers: SuiteServerEntries | None = None) -> Any:
    """The value of the file."""
    path = folder / "first.toolbooth.yaml"
    path.write_text(
        first_suite(tools, servers or SuiteServerEntries(names=("a", "b"))).text, encoding="utf-8"
    )
    return parse_document(path).value


SEARCH = "Search the web for pages that match a query and return the best results."
ALIKE = catalog(
    tool("a", "web_search", SEARCH),
    tool("b", "web_search", SEARCH),
    tool("a", "delete_page", "Remove a page for good.", destructiveHint=True),
    tool("a", "open_page", "Open one page. It may be slow."),
    tool("b", "mystery"),
    tool("b", "send_mail", "Send a message by mail."),
)


def test_look_alikes_are_one_class_and_stand_first(tmp_path: Path) -> None:
    first, *rest = first_suite(ALIKE, SuiteServerEntries(names=("a", "b"))).tests
    assert (first.name, first.members) == ("web_search or one like it", ("a.web_search", "b.web_search"))
    assert [test.members for test in rest] == [
        ("a.open_page",),
        ("b.send_mail",),
        ("a.delete_page",),
        ("b.mystery",),
    ]
    value = written(tmp_path, ALIKE)
    assert value["tests"][0]["equal_function_sets"]["classes"] == [
        {"name": "web_search or one like it", "members": ["a.web_search", "b.web_search"]}
    ]


def test_prompts_are_left_to_the_user_with_a_hint(tmp_path: Path) -> None:
    value = written(tmp_path, ALIKE)
    assert {test["prompt"] for test in value["tests"]} == {""}
    text = (tmp_path / "first.toolbooth.yaml").read_text()
    assert 'prompt: ""  # a request that needs a.open_page: Open one page.\n' in text
    assert "b.mystery, which has no description" in text
    with pytest.raises(ConfigError, match="the prompt is empty; write what a user would ask"):
        load_suite(tmp_path / "first.toolbooth.yaml")


def test_once_prompts_are_written_the_suite_loads(tmp_path: Path) -> None:
    written(tmp_path, ALIKE)
    path = tmp_path / "first.toolbooth.yaml"
    path.write_text(path.read_text().replace('prompt: ""', "prompt: Please."))
    suite = load_suite(path)
    assert (len(suite.tests), suite.warnings) == (5, ())
    assert {(test.models, test.surfaces, test.agent.servers) for test in suite.tests} == {
        (("lexical",), ("direct", "search"), ("a", "b"))
    }


def test_there_are_as_many_tests_as_a_person_writes_prompts_for() -> None:
    names = ("lion", "tiger", "bear", "wolf", "eagle", "shark", "whale", "horse", "mouse", "snake")
    many = catalog(
        *(tool(server, f"find_{name}", f"Find a {name} in the zoo.") for server in "ab" for name in names),
        *(tool("a", f"{verb}_{verb}", f"{verb} something.") for verb in ("cook", "sing", "paint", "jump")),
    )
    tests = first_suite(many, SuiteServerEntries(names=("a", "b"))).tests
    assert len(tests) == MOST_TESTS
    assert sum(len(test.members) > 1 for test in tests) == MOST_ALIKE


def test_servers_take_turns() -> None:
    many = catalog(
        *(tool("a", f"a{number}", f"Task {number}.") for number in range(9)), tool("b", "b1", "Other.")
    )
    names = [test.name for test in first_suite(many, SuiteServerEntries(names=("a", "b"))).tests]
    assert names[:3] == ["a0", "b1", "a1"]


def test_tools_of_servers_that_the_suite_cannot_start_are_left_out() -> None:
    tests = first_suite(ALIKE, SuiteServerEntries(names=("b",))).tests
    assert {member.partition(".")[0] for test in tests for member in test.members} == {"b"}


def test_a_saved_catalog_has_no_server_and_the_file_says_so(tmp_path: Path) -> None:
    value = written(tmp_path, ALIKE, SuiteServerEntries())
    assert "config" not in value
    assert "servers" not in value["defaults"]
    assert "there is no server to call" in (tmp_path / "first.toolbooth.yaml").read_text()


def test_names_that_are_alike_are_told_apart() -> None:
    tests = first_suite(
        catalog(tool("a", "x", "Cut the grass."), tool("b", "x", "")), SuiteServerEntries(names=("a", "b"))
    ).tests
    assert len({test.name for test in tests}) == len(tests)


@pytest.mark.parametrize("name", ["x" * 300, "bad\ud800"])
def test_a_name_that_cannot_be_written_is_left_out(name: str) -> None:
    found = first_suite(catalog(tool("a", name), tool("a", "fine")), SuiteServerEntries(names=("a",))).tests
    assert [test.members for test in found] == [("a.fine",)]


def test_where_there_is_no_tool_there_is_no_suite() -> None:
    with pytest.raises(NothingToWeigh):
        first_suite(Catalog((ServerTools("a", ()),)), SuiteServerEntries(names=("a",)))


def test_one_config_is_named_from_the_suites_folder(tmp_path: Path) -> None:
    config = tmp_path / ".mcp.json"
    config.write_text('{"mcpServers": {"a": {"command": "x", "env": {"KEY": "hunter2hunter2"}}}}')
    spec = ServerSpec("a", "stdio", "x", env={"KEY": "hunter2hunter2"}, source=f"Claude Code ({config})")
    servers = suite_server_entries([spec], tmp_path / "suites" / "first.toolbooth.yaml", {}, tmp_path)
    assert servers == SuiteServerEntries(("../.mcp.json",), {}, ("a",))
    assert "hunter2" not in first_suite(catalog(tool("a", "t")), servers).text


def test_several_configs_are_a_list_and_of_two_servers_of_one_name_the_first_counts(tmp_path: Path) -> None:
    specs = []
    for number, command in ((1, "x"), (2, "y")):
        path = tmp_path / f"{number}.json"
        path.write_text(
            f'{{"mcpServers": {{"a": {{"command": "{command}"}}, "b{number}": {{"command": "z"}}}}}}'
        )
        specs += [
            ServerSpec("a" if number == 1 else "a-2", "stdio", command, source=f"some client ({path})"),
            ServerSpec(f"b{number}", "stdio", "z", source=f"some client ({path}, project /x)"),
        ]
    servers = suite_server_entries(specs, tmp_path / "first.toolbooth.yaml", {}, tmp_path)
    assert servers == SuiteServerEntries(("1.json", "2.json"), {}, ("a", "b1", "b2"))
    value = written(tmp_path, catalog(tool("b1", "t"), tool("a-2", "u")), servers)
    assert (value["config"], value["defaults"]["servers"]) == (["1.json", "2.json"], ["a", "b1", "b2"])
    assert [test["name"] for test in value["tests"]] == ["t"]


def test_a_command_is_an_entry_without_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text("")
    args = ("server.py", "--api-key", "hunter2hunter2", "--token=abcdEF123456", "--level", "low")
    spec = ServerSpec("my-server", "stdio", "python", args, source="the command line")
    servers = suite_server_entries([spec], tmp_path / "suites" / "first.toolbooth.yaml", {}, tmp_path)
    assert servers.entries["my-server"] == {
        "command": "python",
        "args": [
            "server.py",
            "--api-key",
            "${MY_SERVER_SECRET}",
            "--token=${MY_SERVER_SECRET_2}",
            "--level",
            "low",
        ],
        "cwd": "..",
    }
    assert servers.variables == ("MY_SERVER_SECRET", "MY_SERVER_SECRET_2")
    value = written(tmp_path, catalog(tool("my-server", "t")), servers)
    assert value["servers"]["my-server"] == servers.entries["my-server"]
    text = (tmp_path / "first.toolbooth.yaml").read_text()
    assert "Set MY_SERVER_SECRET" in text
    assert "hunter2" not in text


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("https://mcp.example.com/mcp", "https://mcp.example.com/mcp"),
        ("http://127.0.0.1:9000/", "http://127.0.0.1:9000/"),
        ("https://mcp.example.com/mcp?key=hunter2", "${EXAMPLE_URL}"),
        ("https://me:hunter2@mcp.example.com/mcp", "${EXAMPLE_URL}"),
        ("https://mcp.example.com/s/AbCdEf0123456789AbCdEf/mcp", "${EXAMPLE_URL}"),
        ("https://mcp.example.com/s/0123456789abcdef0123456789/mcp", "${EXAMPLE_URL}"),
        ("https://mcp.example.com/#hunter2", "${EXAMPLE_URL}"),
    ],
)
def test_an_address_with_a_secret_in_it_is_a_variable(tmp_path: Path, url: str, entry: str) -> None:
    spec = ServerSpec("example", "auto", url=url, source="the command line")
    servers = suite_server_entries([spec], tmp_path / "first.toolbooth.yaml", {}, tmp_path)
    assert servers.entries == {"example": {"url": entry}}
    assert servers.variables == (("EXAMPLE_URL",) if entry.startswith("$") else ())


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/users/me/work/app/.mcp.json", ".mcp.json"),
        ("/users/me/work/.mcp.json", "../.mcp.json"),
        ("/users/me/work/app/sub/mcp.json", "sub/mcp.json"),
        ("/users/me/.cursor/mcp.json", "../../.cursor/mcp.json"),
        ("/etc/mcp.json", "/etc/mcp.json"),
    ],
)
def test_a_path_is_written_as_it_is_read_best(path: str, words: str) -> None:
    assert written_path(Path(path), Path("/users/me/work/app"), Path("/users/me")) == words
    deep = Path("/users/me/a/b/c/d")
    assert written_path(Path("/users/me/.cursor/mcp.json"), deep, Path("/users/me")) == "~/.cursor/mcp.json"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("server.tool-name_2", "server.tool-name_2"),
        ("No", '"No"'),
        ("null", '"null"'),
        ("12", '"12"'),
        ("1.5", '"1.5"'),
        ("a: b # c", '"a: b # c"'),
        ('say "x" \\', '"say \\"x\\" \\\\"'),
        ("two\nlines\x1b", '"two\\x0alines\\x1b"'),
        ("\u202e😀\U000e0001", '"\\u202e😀\\U000e0001"'),
        ("", '""'),
        ("trailing.", '"trailing."'),
    ],
)
def test_a_scalar_is_plain_where_every_reader_takes_it_so(text: str, words: str) -> None:
    assert scalar(text) == words
