"""The entry point of the demo package: names, commands, a light import, clean starts and ends."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import toolbooth.demo
from toolbooth.demo import DEMO_SERVERS, demo_command

PACKAGE = Path(toolbooth.demo.__file__).parent


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], input="", capture_output=True, text=True, timeout=60)


def test_command_starts_the_named_server_with_this_interpreter() -> None:
    assert demo_command("mail") == (sys.executable, "-m", "toolbooth.demo", "mail")


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="files, notes"):
        demo_command("moon")


def test_every_name_is_a_module_of_the_package() -> None:
    assert [name for name in DEMO_SERVERS if not (PACKAGE / f"{name}.py").is_file()] == []


def test_the_entry_point_imports_nothing_heavy() -> None:
    heavy = "('mcp', 'pydantic', 'anyio', 'json')"
    code = f"import sys, toolbooth.demo; print([name for name in {heavy} if name in sys.modules])"
    assert _run("-c", code).stdout.strip() == "[]"


def test_server_ends_cleanly_and_silently_when_stdin_closes() -> None:
    ended = _run(*demo_command("notes")[1:])
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_missing_name_is_a_usage_error_on_stderr() -> None:
    ended = _run("-m", "toolbooth.demo")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "files|notes" in ended.stderr


def test_the_package_imports_no_other_package() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("toolbooth"):
                assert (node.module or "").startswith("toolbooth.demo"), path
