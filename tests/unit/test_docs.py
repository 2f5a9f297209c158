"""The documents are true: paths exist, commands run, figures are those in force."""

import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from tests.behaviour.command_line import toolbooth
from tests.documents import PAGES, ROOT, fenced, guide
from tests.unit.test_architecture import ENTRY_POINTS

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.config import (
    OFFERED_SURFACES,
    GatewaySettings,
    config_schema,
    is_gateway_server,
    read_config,
)
from toolbooth.catalog.config.syntax import parse_yaml
from toolbooth.cli.arguments import split_command_line
from toolbooth.cli.bench.command import SUBCOMMANDS
from toolbooth.cli.main import COMMANDS
from toolbooth.cli.serve import PORT
from toolbooth.errors import EXIT_CODES, ToolboothError
from toolbooth.gateway.surfaces import build
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import INSTRUCTION_TOKENS, MAX_ANSWER_TEXT, RESULT_AGE
from toolbooth.suite import suite_schema
from toolbooth.tokens import weigh

TEXT_FILES = ("", ".md", ".toml", ".txt", ".yml", ".yaml", ".json", ".py")
SOURCE_FILES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in ("src", "tests", "scripts", "training")
    for path in (ROOT / folder).rglob("*.py")
]


def test_the_map_of_symptoms_is_short_and_every_path_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!symptom)[^|]+ \| (.+) \|$", text, re.MULTILINE)
    assert 15 <= len(rows) <= 35
    for row in rows:
        paths = re.findall(r"`((?:src|training|docs)/[^`]+)`", row)
        assert paths, row
        assert not [path for path in paths if not (ROOT / path).exists()]


def test_paths_named_in_the_other_documents_exist() -> None:
    for name in (*PAGES, "SECURITY.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path in re.findall(r"`((?:src|tests|docs|scripts)/[\w./-]+)`", text):
            assert (ROOT / path).exists(), f"{path} stands in {name} and is not there"


def test_the_glossary_names_packages_and_classes_that_exist() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+\. \| `([\w/]+)`(?:: `(\w+)`)? \|$", text, re.MULTILINE)
    assert len(rows) == text.count("\n| ") - text.count("\n| term |")
    for term, package, name in rows:
        folder = ROOT / "src" / "toolbooth" / package
        assert (folder / "__init__.py").exists(), term
        sources = (path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
        assert not name or any(re.search(rf"^class {name}\b", each, re.MULTILINE) for each in sources), term


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "design").glob("*.md")), ids=lambda path: path.name)
def test_files_named_in_a_design_note_exist(page: Path) -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.py)`", page.read_text(encoding="utf-8"))
    assert not [path for path in named if not any(file.endswith(f"/{path}") for file in SOURCE_FILES)]


def test_every_entry_point_is_in_the_architecture_page() -> None:
    text = (ROOT / "docs" / "design" / "architecture.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+(?:\.\w+)+)` \|", text, re.MULTILINE))
    assert listed == {entry.removeprefix("toolbooth.") for entry in ENTRY_POINTS}


def test_no_file_names_this_machine_or_a_registry() -> None:
    """A link to a dependency leads to its project's own page."""
    foreign = re.compile(
        r"\b(pypi\.org|npmjs\.(com|org)|pythonhosted\.org|crates\.io|rubygems\.org)|/root/|/home/(?!me/)\w+/"
    )
    files = [path for path in ROOT.glob("*") if path.is_file()]
    files += [path for folder in ("docs", "examples", ".github") for path in (ROOT / folder).rglob("*.*")]
    files += [path for folder in ("src", "scripts") for path in (ROOT / folder).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix in TEXT_FILES}
    assert len(texts) > 500
    assert not [path for path, text in texts.items() if foreign.search(text)]


def headings(text: str) -> set[str]:
    """The anchors of a page, as they are made from its headings."""
    found = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in found}


@pytest.mark.parametrize("name", [*PAGES, "docs/glossary.md"])
def test_links_lead_to_pages_and_headings_that_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)\s]*)\)", re.sub(r"`[^`\n]+`", "", text)):
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        assert page.exists(), f"{name} links to {target}"
        assert not anchor or anchor in headings(page.read_text(encoding="utf-8")), f"{name} links to {target}"


def test_the_readme_is_short_and_the_index_lists_every_guide() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 110
    guides = {name.rpartition("/")[2] for name in PAGES if name.startswith("docs/guide/")}
    assert set(re.findall(r"\]\((\w[\w-]*\.md)\)", guide("index"))) == guides - {"index.md"}


def test_the_python_of_the_guides_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = fenced("python")
    exec(compile(example, "counting.md", "exec"), {})  # noqa: S102 - our own document is under test
    total, any_text = capsys.readouterr().out.split()
    assert (int(total), int(any_text)) == (10, 2)


def commands() -> list[list[str]]:
    lines = [line.split("#")[0] for block in fenced("sh") for line in block.splitlines()]
    inline = [found for text in PAGES.values() for found in re.findall(r"`(toolbooth [a-z][^`]*)`", text)]
    found = [shlex.split(line) for line in (*lines, *inline)]
    return [words[1:] for words in found if words[:1] == ["toolbooth"]]


def test_every_command_of_the_documents_is_understood() -> None:
    typed_words = [words for words in commands() if words[0] != "help"]
    assert {words[0] for words in typed_words} == set(COMMANDS)
    for verb, *rest in typed_words:
        rest = rest[
            : min((rest.index(sign) for sign in (">", ">>", "&&") if sign in rest), default=len(rest))
        ]
        if verb == "bench" and rest and rest[0] in SUBCOMMANDS:
            verb, rest = f"bench.{rest[0]}", rest[1:]
        module = importlib.import_module(f"toolbooth.cli.{verb}")
        typed = split_command_line(rest)
        if verb == "serve":
            module.options_of(typed.options)
        elif verb != "search" or typed.options:  # the verb alone is a name, not a command
            module.parser().parse_args(typed.options)


def test_exit_codes_of_the_documents_are_those_of_the_command_line() -> None:
    texts = [*PAGES.values(), (ROOT / "action.yml").read_text(encoding="utf-8")]
    lists = [
        line for text in texts for line in re.findall(r"exit codes?: (.*)|exit code of the (.*)", text, re.I)
    ]
    named = {int(code) for line in lists for code in re.findall(r"(?:^|[;,.] )(\d+) [a-z]", "".join(line))}
    assert {0, 1, 2, 3, 5, 7, 130} <= named <= set(EXIT_CODES)


def test_every_error_ends_with_an_exit_code_of_the_table() -> None:
    def codes(kind: type[ToolboothError]) -> Iterator[int]:
        yield kind.exit_code
        for each in kind.__subclasses__():
            yield from codes(each)

    assert set(codes(ToolboothError)) <= set(EXIT_CODES)


def test_the_way_behind_the_gateway_and_back_is_as_the_documents_say(tmp_path: Path) -> None:
    config = tmp_path / ".cursor" / "mcp.json"
    config.parent.mkdir()
    config.write_text('{"mcpServers": {"notes": {"command": "notes-server"}}, // mine\n "theme": 1}\n')
    before = config.read_bytes()
    wrap, unwrap = ["wrap", "cursor"], ["unwrap", "cursor"]
    assert wrap in commands()
    assert unwrap in commands()
    assert "notes" in toolbooth("wrap", home=tmp_path).out
    assert toolbooth(*wrap, home=tmp_path).code == 0
    (server,) = read_config(config, {}).servers
    assert is_gateway_server(server)
    assert toolbooth(*unwrap, home=tmp_path).code == 0
    assert config.read_bytes() == before


@pytest.mark.parametrize("words", [["daemon", "status"], ["daemon", "stop"], ["auth", "--list"]])
def test_a_command_of_the_documents_that_needs_no_server_runs(words: list[str], tmp_path: Path) -> None:
    assert words in commands()
    assert toolbooth(*words, home=tmp_path, XDG_RUNTIME_DIR=str(tmp_path)).code == 0


def test_the_schema_for_editors_is_printed(tmp_path: Path) -> None:
    assert ["schema", ">", "toolbooth.schema.json"] in commands()
    assert toolbooth("schema", "config", home=tmp_path).json == config_schema()
    assert toolbooth("schema", "suite", home=tmp_path).json == suite_schema()
    both = jsonschema_rs.Draft202012Validator(toolbooth("schema", home=tmp_path).json)
    assert both.is_valid({"servers": {"notes": {"command": "notes-server"}}, "surface": "search"})
    assert both.is_valid({"tests": [{"name": "idle", "no_calls": True}]})
    assert not both.is_valid({"tests": [{"name": "idle", "no_cals": True}]})


def test_the_configs_of_the_guides_lead_to_the_gateway(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    servers: list[ServerSpec] = []
    for block in fenced("json"):
        path.write_text(block)
        servers += read_config(path, {"TOOLBOOTH_KEY": "secret"}).servers
    reached, started = servers  # docs/guide/gateway.md, docs/guide/wrap.md
    assert is_gateway_server(started)
    assert (reached.url, reached.headers["Authorization"]) == (
        f"http://127.0.0.1:{PORT}/mcp",
        "Bearer secret",
    )


def test_the_surfaces_of_the_guide_keep_their_tokens_and_show_those_tools() -> None:
    table = guide("gateway").split("| `--surface` |")[1].split("Beside the menu")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    assert [name for name in OFFERED_SURFACES if name in rows] == list(OFFERED_SURFACES)
    for name, named in {"search": ["search"], "code": ["code"], "full": ["search", "code", "full"]}.items():
        menu = list(build(name, ToolRegistry(), GatewaySettings()).menu())
        seen = " ".join(rows[each] for each in named)
        assert {tool["name"] for tool in menu} == set(re.findall(r"`(\w+)`", seen))
        assert weigh(menu).total_tokens <= int(rows[name].rpartition("| ")[2])


def test_ceilings_that_the_guides_name_are_those_in_force() -> None:
    assert f"at most {INSTRUCTION_TOKENS} tokens that say which servers" in guide("gateway")
    assert f"is over {MAX_ANSWER_TEXT:,} bytes" in guide("answers")
    assert RESULT_AGE == 3600
    assert "for an hour and for the session" in guide("gateway")


@pytest.mark.parametrize(("verb", "topic"), [("doctor", "doctor"), ("serve", "gateway")])
def test_every_option_stands_in_its_guide(verb: str, topic: str) -> None:
    parser = importlib.import_module(f"toolbooth.cli.{verb}").parser()
    options = {flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")}
    assert options - {"--help"} <= set(re.findall(r"--[a-z-]+", guide(topic) + guide("wrap")))


def test_the_toolbooth_yaml_of_the_guide_is_read(tmp_path: Path) -> None:
    (example,) = fenced("yaml", guide("toolbooth-yaml"))
    path = tmp_path / "toolbooth.yaml"
    path.write_text(example)
    config = read_config(path, {"GITHUB_PERSONAL_ACCESS_TOKEN": "x"})
    assert [spec.name for spec in config.servers] == ["github", "wiki"]
    assert config.answer_caps.cap_for("github.list_issues").max_bytes == 14_000
    assert GatewaySettings.of([config.gateway]) == GatewaySettings(always_visible=("github.create_issue",))
    jsonschema_rs.validate(config_schema(), yaml.safe_load(example))


def test_every_key_of_toolbooth_yaml_stands_in_the_guides() -> None:
    def keys(schema: dict[str, Any]) -> Iterator[str]:
        for name, each in schema.get("properties", {}).items():
            yield name
            yield from keys(each)
            yield from keys(
                each["additionalProperties"] if isinstance(each.get("additionalProperties"), dict) else {}
            )

    reported = guide("toolbooth-yaml") + guide("answers")
    missing = [key for key in keys(config_schema()) if not re.search(rf"[`.]{key}[`.]", reported)]
    assert not missing


def test_make_has_the_words_that_the_documents_use() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    texts = [*PAGES.values(), (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")]
    lines = [line for block in fenced("sh") for line in block.splitlines()]
    used = re.findall(r"`(?:\w+=\w+ )?make ([a-z-]+)`", "\n".join(texts)) + re.findall(
        r"^make ([a-z-]+)", "\n".join(lines), re.MULTILINE
    )
    assert {"demo", "test", "bench"} <= set(used)
    assert not [word for word in used if f"\n{word}:" not in makefile]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.yaml")), ids=lambda path: path.name)
def test_examples_are_yaml_for_every_loader(path: Path) -> None:
    """The loader in pure Python is stricter than libyaml's: in braces no plain text holds a question mark."""
    text = path.read_text(encoding="utf-8")
    assert yaml.load(text, Loader=yaml.SafeLoader) == parse_yaml(text).value
