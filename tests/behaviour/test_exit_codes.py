"""The exit codes are one table: the same mistake ends every command with the same code, and its help names it."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.behaviour.command_line import CommandResult, code_at_a_terminal, toolbooth
from toolbooth import cli, errors
from toolbooth.cli.arguments import Parser
from toolbooth.cli.main import COMMANDS

WRONG, NOTHING, UNTRUSTED = (
    errors.UserMistake.exit_code,
    errors.NothingToWeigh.exit_code,
    errors.Refused.exit_code,
)
BROKEN, MISSING, EMPTY, DOWN = "broken", "missing", "empty", "down"
FILES = {
    BROKEN: '{"mcpServers": {',
    MISSING: None,
    EMPTY: '{"tools": []}',
    DOWN: '{"mcpServers": {"gone": {"command": "no-such-program-of-this-test"}}}',
}
EVERY_CASE = {BROKEN: WRONG, MISSING: WRONG, EMPTY: NOTHING, DOWN: NOTHING}
A_FILE = {BROKEN: WRONG, MISSING: WRONG}  # of commands that start no server
# X is the file in question, GOOD a catalog, LOCK its lock, and TRACE a recorded run.
NAMED = {
    "doctor X": EVERY_CASE,
    "doctor --json X": EVERY_CASE,
    "doctor --list X": {**A_FILE, EMPTY: NOTHING},
    "search mail --config X": EVERY_CASE,
    "search mail --catalog X": EVERY_CASE,
    "call gone.tool --config X": EVERY_CASE,
    "scan X": EVERY_CASE,
    "profile X": EVERY_CASE,
    "init X": EVERY_CASE,
    "lock X": EVERY_CASE,
    "lock X --file LOCK": EVERY_CASE,
    "lock X --file LOCK --check": EVERY_CASE,
    "lock X --file LOCK --accept --reason why": EVERY_CASE,
    "lock GOOD --file X --check": A_FILE,
    "diff X GOOD": EVERY_CASE,
    "diff GOOD X --json": {BROKEN: WRONG, MISSING: WRONG, EMPTY: NOTHING, DOWN: NOTHING},
    "diff LOCK --config X": EVERY_CASE,
    "bench X": EVERY_CASE,
    "bench --catalog X": {**A_FILE, EMPTY: NOTHING},
    "bench tokens X": EVERY_CASE,
    "bench tokens --catalog X": {**A_FILE, EMPTY: NOTHING},
    "bench retrieval X --golden GOLDEN": EVERY_CASE,
    "bench latency X": EVERY_CASE,
    "bench growth X --quick": EVERY_CASE,
    "bench record X --output corpus.json": EVERY_CASE,
    "bench live http://127.0.0.1:9 --catalog X --golden GOLDEN": {**A_FILE, EMPTY: NOTHING},
    "bench report X": A_FILE,
    "score TRACE --classes a=b.c --catalog X": {**A_FILE, EMPTY: NOTHING},
    "score X --classes a=b.c": A_FILE,
    "auth gone --config X": A_FILE,
    "wrap ./X": A_FILE,
    "unwrap ./X": A_FILE,
    "serve --no-daemon --config X": A_FILE,
    "scripts list --config X": A_FILE,
    "test ./X": A_FILE,
    "validate ./X": A_FILE,
    "report X": A_FILE,
}
# What became incomplete by a file or a server: the gate of the rest is not proven.
BESIDE_A_GOOD_ONE = [
    "doctor GOOD X --budget 9k",
    "scan GOOD X",
    "profile GOOD X --fail-on critical",
    "lock GOOD X",
    "lock GOOD X --file LOCK --check",
    "diff LOCK --config GOOD --config X",
    "bench record GOOD X --output corpus.json",
]
WITHOUT_CONFIG = [
    "doctor",
    "doctor --list",
    "search mail",
    "scan",
    "profile",
    "init",
    "lock",
    "lock --file LOCK --check",
    "diff LOCK",
    "bench record --output corpus.json",
    "wrap",
    "unwrap",
]


GOOD = '{"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}'


@cache
def lock_of_good() -> bytes:
    """Written once; a process takes a second."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "good.json").write_text(GOOD)
        assert toolbooth("lock", "good.json", "--file", "good.lock", home=home).code == 0
        return (home / "good.lock").read_bytes()


def prepared(home: Path, case: str) -> None:
    text = FILES.get(case)
    if text is not None:
        (home / "x.json").write_text(text)
    (home / "good.json").write_text(GOOD)
    (home / "golden.yaml").write_text('{"queries": [{"query": "a", "relevant": ["good.a"]}]}')
    (home / "trace.json").write_text('{"tool_calls": [{"name": "c", "server": "b"}]}')


def run(command: str, home: Path) -> CommandResult:
    if "LOCK" in command:
        (home / "good.lock").write_bytes(lock_of_good())
    names = {"X": "x.json", "./X": "./x.json", "GOOD": "good.json", "LOCK": "good.lock"}
    names |= {"TRACE": "trace.json", "GOLDEN": "golden.yaml"}
    said = toolbooth(*(names.get(word, word) for word in command.split()), home=home)
    first, second = [*command.split(), ""][:2]
    known = dict(parsers())
    made = known.get(f"{first} {second}") or known[first]
    assert said.code in made.exit_codes, "its --help does not name this code"
    return said


def codes_in(page: str) -> dict[int, str]:
    """What a help page says of exit codes, lines joined."""
    shown = page.partition("exit codes:\n")[2]
    found = re.findall(r"^  (\d+) +(.*(?:\n {7}\S.*)*)$", shown, re.MULTILINE)
    return {int(code): re.sub(r"\s+", " ", meaning) for code, meaning in found}


@pytest.mark.promise("cli:exit-codes")
@pytest.mark.parametrize(
    ("command", "case"), [(command, case) for command, cases in NAMED.items() for case in cases]
)
def test_the_same_mistake_has_the_same_code_in_every_command(command: str, case: str, tmp_path: Path) -> None:
    prepared(tmp_path, case)
    said = run(command, tmp_path)
    assert said.code == NAMED[command][case], said
    if case == BROKEN:
        assert "could not be reached" not in said.err + said.out
    if case in (BROKEN, MISSING):
        assert "x.json" in said.err + said.out


@pytest.mark.promise("cli:exit-codes")
@pytest.mark.parametrize("case", [BROKEN, MISSING, DOWN])
@pytest.mark.parametrize("command", BESIDE_A_GOOD_ONE)
def test_a_source_that_fails_beside_a_good_one_has_the_same_code(
    command: str, case: str, tmp_path: Path
) -> None:
    prepared(tmp_path, case)
    said = run(command, tmp_path)
    assert said.code == EVERY_CASE[case], said


@pytest.mark.promise("cli:exit-codes")
@pytest.mark.parametrize("command", WITHOUT_CONFIG)
def test_no_config_at_all_is_nothing_to_reach(command: str, tmp_path: Path) -> None:
    prepared(tmp_path, MISSING)
    said = run(command, tmp_path)
    assert said.code == NOTHING, said
    assert said.err


@pytest.mark.promise("cli:exit-codes")
@pytest.mark.parametrize("command", ["doctor", "lock", "scan", "auth strange"])
def test_an_answer_no_is_the_code_of_no_trust_and_says_what_to_do(command: str, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    planted = {"command": "touch", "args": [str(tmp_path / "started")]}
    (clone / ".mcp.json").write_text(json.dumps({"mcpServers": {"strange": planted}}))
    code, screen = code_at_a_terminal(*command.split(), typed="n\n", home=tmp_path, cwd=clone)
    assert code == UNTRUSTED == toolbooth(*command.split(), home=tmp_path, cwd=clone).code
    assert "answer y, or use --trust-project" in re.sub(r"\s+", " ", screen)
    assert not (tmp_path / "started").exists()
    assert toolbooth("doctor", "--user-only", home=tmp_path, cwd=clone).code == NOTHING


def parsers() -> Iterator[tuple[str, Parser]]:
    for command in COMMANDS:
        yield command, import_module(f"toolbooth.cli.{command}").parser()
    for path in sorted(Path(cli.__path__[0], "bench").glob("*.py")):
        module = import_module(f"toolbooth.cli.bench.{path.stem}") if path.stem != "__init__" else None
        if path.stem != "command" and hasattr(module, "EXAMPLES"):
            yield f"bench {path.stem}", module.parser()  # type: ignore[union-attr]


@pytest.mark.promise("cli:exit-codes")
@pytest.mark.parametrize(
    ("command", "made"), list(parsers()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_each_help_names_every_code_of_the_command(command: str, made: Parser) -> None:
    shown = codes_in(made.format_help())
    assert shown == made.exit_codes
    assert shown.keys() <= errors.EXIT_CODES.keys()
    assert shown.keys() >= {0, 2, 130} | raised_by(command)
    options = made.format_help()
    for option, code in (("--timeout", 3), ("--trust-project", 5), ("exit 1", 1), ("exits 1", 1)):
        assert option not in options or code in shown


def raised_by(command: str) -> set[int]:
    """The codes of all errors that the command's own modules raise by name."""
    place = Path(cli.__path__[0], *command.split())
    sources = [place.with_suffix(".py")] if place.with_suffix(".py").is_file() else [*place.glob("*.py")]
    trees = [ast.parse(source.read_text()) for source in sources]
    calls = [node.exc for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    names = [
        call.func.attr
        for call in calls
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    ]
    return {getattr(errors, name).exit_code for name in names if hasattr(errors, name)}
