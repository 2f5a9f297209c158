"""The code and the script of docs/guide/code.md, on the bundled servers they are written for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.test_code import Coder, coder
from tests.documents import fenced, guide
from toolbooth.demo import demo_command

CODE, SCRIPT = fenced("py", guide("code"))
COMMANDS = {name: demo_command(name) for name in ("database", "tickets")}
SERVERS = {name: {"command": command[0], "args": list(command[1:])} for name, command in COMMANDS.items()}


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Coder]:
    with coder(tmp_path, servers=SERVERS, scripts="scripts") as found:
        yield found


def test_the_code_of_the_guide_runs(one: Coder) -> None:
    (first, most), *others = one.value(CODE)
    assert first
    assert len(others) == 2
    assert all(most >= comments > 0 for _, comments in others)


def test_the_script_of_the_guide_is_saved_found_and_run(one: Coder) -> None:
    file = one.home / "open_tickets.py"
    file.write_text(SCRIPT, encoding="utf-8")
    config = ("--config", str(one.home / "toolbooth.yaml"))
    saved = toolbooth("scripts", "save", "open_tickets", str(file), *config, home=one.home)
    assert saved.code == 0, saved
    arguments = '{"person": "ines-aalto"}'
    result = toolbooth("scripts", "run", "open_tickets", arguments, "--json", *config, home=one.home)
    assert result.code == 0, result
    assert result.json["value"]
    assert result.json["value"] == one.value("await scripts.open_tickets(person='ines-aalto')")
