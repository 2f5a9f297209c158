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
from tests.unit.test_architecture import SIDE_DOORS

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
from toolbooth.gateway.surfaces import build
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import INSTRUCTION_TOKENS, MAX_ANSWER_TEXT, RESULT_AGE
from toolbooth.suite.authoring import suite_schema
from toolbooth.tokens import weigh

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_map_of_symptoms_is_short_and_every_path_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!symptom)[^|]+ \| (.+) \|$", text, re.MULTILINE)
    assert 15 <= len(rows) <= 35
    for row in rows:
        paths = re.findall(r"`((?:src|training|docs)/[^`]+)`", row)
        assert paths, row
        assert not [path for path in paths if not (ROOT / path).exists()]


def test_paths_named_in_the_other_documents_exist() -> None:
    for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path in re.findall(r"`((?:src|tests|docs|scripts)/[\w./-]+)`", text):
            assert (ROOT / path).exists(), f"{path} stands in {name} and is not there"


def test_every_entry_point_is_in_the_architecture_page() -> None:
    text = (ROOT / "docs" / "design" / "architecture.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+(?:\.\w+)+)` \|", text, re.MULTILINE))
    assert listed == {entry.removeprefix("toolbooth.") for entry in SIDE_DOORS}


def test_no_file_names_this_machine_or_a_registry() -> None:
    for file in ROOT.glob("*"):
        if file.is_file() and file.suffix in ("", ".md", ".toml", ".txt"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"(registry\.npmjs|pypi\.org/simple|/root/|/home/\w+/)", text), file.name


def fenced(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = fenced("python")
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own document is under test
    total, any_text = capsys.readouterr().out.split()
    assert (int(total), int(any_text)) == (10, 2)


def commands() -> list[list[str]]:
    lines = [line.split("#")[0] for block in fenced("sh") for line in block.splitlines()]
    inline = re.findall(r"`(toolbooth [a-z][^`]*)`", README)
    found = [shlex.split(line) for line in (*lines, *inline)]
    return [words[1:] for words in found if words[:1] == ["toolbooth"]]


def test_every_command_of_the_readme_is_understood() -> None:
    assert {words[0] for words in commands()} == set(COMMANDS)
    for verb, *rest in commands():
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


def test_the_way_behind_the_gateway_and_back_is_as_the_readme_says(tmp_path: Path) -> None:
    config = tmp_path / ".cursor" / "mcp.json"
    config.parent.mkdir()
    config.write_text('{"mcpServers": {"notes": {"command": "notes-server"}}, // mine\n "theme": 1}\n')
    before = config.read_bytes()
    wrap, unwrap = (words for words in commands() if words in (["wrap", "cursor"], ["unwrap", "cursor"]))
    assert "notes" in toolbooth("wrap", home=tmp_path).out
    assert toolbooth(*wrap, home=tmp_path).code == 0
    (server,) = read_config(config, {}).servers
    assert is_gateway_server(server)
    assert toolbooth(*unwrap, home=tmp_path).code == 0
    assert config.read_bytes() == before


@pytest.mark.parametrize("words", [["daemon", "status"], ["daemon", "stop"], ["auth", "--list"]])
def test_a_command_of_the_readme_that_needs_no_server_runs(words: list[str], tmp_path: Path) -> None:
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


def test_the_configs_of_the_readme_lead_to_the_gateway(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    servers: list[ServerSpec] = []
    for block in fenced("json"):
        path.write_text(block)
        servers += read_config(path, {"TOOLBOOTH_KEY": "secret"}).servers
    started, reached = servers
    assert is_gateway_server(started)
    assert (reached.url, reached.headers["Authorization"]) == (
        f"http://127.0.0.1:{PORT}/mcp",
        "Bearer secret",
    )


def test_the_surfaces_of_the_readme_keep_their_tokens_and_show_those_tools() -> None:
    table = README[README.index("| `--surface` |") : README.index("Beside the menu")]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    assert [name for name in OFFERED_SURFACES if name in rows] == list(OFFERED_SURFACES)
    for name, named in {"search": ["search"], "code": ["code"], "full": ["search", "code", "full"]}.items():
        menu = list(build(name, ToolRegistry(), GatewaySettings()).menu())
        seen = " ".join(rows[each] for each in named)
        assert {tool["name"] for tool in menu} == set(re.findall(r"`(\w+)`", seen))
        assert weigh(menu).total_tokens <= int(rows[name].rpartition("| ")[2])


def test_ceilings_that_the_readme_names_are_those_in_force() -> None:
    assert f"at most {INSTRUCTION_TOKENS} tokens on which servers" in README
    assert f"is over {MAX_ANSWER_TEXT:,} bytes" in README
    assert RESULT_AGE == 3600
    assert "for an hour and for the session" in README


@pytest.mark.parametrize("verb", ["doctor", "serve"])
def test_every_option_stands_in_the_readme(verb: str) -> None:
    parser = importlib.import_module(f"toolbooth.cli.{verb}").parser()
    options = {flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")}
    assert options - {"--help"} <= set(re.findall(r"--[a-z-]+", README))


def test_the_toolbooth_yaml_of_the_readme_is_read(tmp_path: Path) -> None:
    example = next(block for block in fenced("yaml") if block.startswith("servers:"))
    path = tmp_path / "toolbooth.yaml"
    path.write_text(example)
    config = read_config(path, {"GITHUB_PERSONAL_ACCESS_TOKEN": "x"})
    assert [spec.name for spec in config.servers] == ["github", "wiki"]
    assert config.answer_caps.cap_for("github.list_issues").max_bytes == 14_000
    assert GatewaySettings.of([config.gateway]) == GatewaySettings(always_visible=("github.create_issue",))
    jsonschema_rs.validate(config_schema(), yaml.safe_load(example))


def test_every_key_of_toolbooth_yaml_stands_in_the_readme() -> None:
    def keys(schema: dict[str, Any]) -> Iterator[str]:
        for name, each in schema.get("properties", {}).items():
            yield name
            yield from keys(each)
            yield from keys(
                each["additionalProperties"] if isinstance(each.get("additionalProperties"), dict) else {}
            )

    missing = [key for key in keys(config_schema()) if not re.search(rf"[`.]{key}[`.]", README)]
    assert not missing


def test_make_has_the_words_that_the_readme_uses() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for word in ("demo", "test", "check", "bench"):
        assert f"\n{word}:" in makefile


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.yaml")), ids=lambda path: path.name)
def test_examples_are_yaml_for_every_loader(path: Path) -> None:
    """The loader in pure Python is stricter than libyaml's: in braces no plain text holds a question mark."""
    text = path.read_text(encoding="utf-8")
    assert yaml.load(text, Loader=yaml.SafeLoader) == parse_yaml(text).value
