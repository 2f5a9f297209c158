"""Names of tools in a config or a script that no server has: said before an agent misses them."""

import json
import logging
import sys
from pathlib import Path

import anyio
import pytest

from tests.behaviour.command_line import toolbooth
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Session

SERVERS = {"tickets": {"command": sys.executable, "args": ["-m", "toolbooth.demo", "tickets"]}}
SCRIPT = '"""Open tickets."""\nawait tickets.list_tickets()\n'


def written(folder: Path, *pins: str) -> Path:
    path = folder / "toolbooth.yaml"
    path.write_text(json.dumps({"servers": SERVERS, "always_visible": list(pins)}))
    return path


@pytest.mark.promise("config:pins")
def test_doctor_says_that_a_pin_names_no_tool(tmp_path: Path) -> None:
    path = written(tmp_path, "tickets.create_ticket", "tickets.create_tiket")
    said = toolbooth("doctor", path, "--json", home=tmp_path)
    (note,) = [note for note in said.json["notes"] if "always_visible" in note]
    assert "tickets.create_tiket is not shown" in note
    assert "did you mean tickets.create_ticket?" in note


@pytest.mark.promise("config:pins")
def test_validate_says_that_a_pin_names_no_server_and_starts_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "tickets.create_ticket", "tickts.create_ticket")
    said = toolbooth("validate", path, home=tmp_path)
    assert said.code == 0
    assert "warning: always_visible: tickts.create_ticket is not shown" in said.err
    assert "tickets.create_ticket is" not in said.err
    assert (
        "warning: always_visible: the tools of tickets could not be checked, because no gateway" in said.err
    )


class Reported(logging.Handler):
    """Sets its event when a line with these words is logged."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words, self.event = words, anyio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if self.words in record.getMessage():
            self.event.set()


@pytest.mark.promise("config:pins")
@pytest.mark.anyio
async def test_a_gateway_says_it_in_its_log_and_status(tmp_path: Path) -> None:
    path = written(tmp_path, "tickets.create_tiket")
    environ = {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    reported = Reported("always_visible: tickets.create_tiket is not shown")
    logging.getLogger("toolbooth").addHandler(reported)
    try:
        async with open_runtime(environ, tmp_path) as runtime:
            view = await runtime.enter(GatewayRequest((str(path),), "search", tmp_path, environ))
            client_identity = ClientIdentity({"name": "memory", "version": "1"}, {})
            await view.gateway.learn("tickets", Session("s", "2025-11-25", False, client_identity, None))
            assert any(reported.words in note for note in runtime.status()["notes"])
            with anyio.fail_after(240):
                await reported.event.wait()
    finally:
        logging.getLogger("toolbooth").removeHandler(reported)


@pytest.mark.promise("scripts:tools-exist")
def test_a_script_that_calls_a_tool_nobody_has_is_not_saved(tmp_path: Path) -> None:
    config = ("--config", written(tmp_path))
    script = tmp_path / "open.py"
    script.write_text(SCRIPT.replace("tickets.list", "tickts.list"))
    foreign = toolbooth("scripts", "save", "a", script, *config, home=tmp_path)
    assert foreign.code == 2
    assert (
        "no server tickts is configured; did you mean tickets?; --allow-unknown saves it anyway"
        in foreign.err
    )
    script.write_text(SCRIPT)
    cold = toolbooth("scripts", "save", "a", script, *config, home=tmp_path)
    assert cold.code == 0
    assert cold.err.startswith(
        "toolbooth: the tools of tickets could not be checked, because no gateway has connected"
    )
    assert cold.err.count("\n") == 1
    result = toolbooth("scripts", "run", "a", *config, home=tmp_path)  # from now on its tools are known
    assert result.code == 0, result.err
    script.write_text(SCRIPT.replace("list_tickets", "list_tikets"))
    wrong = toolbooth("scripts", "save", "b", script, *config, home=tmp_path)
    assert wrong.code == 2
    warm = toolbooth("scripts", "save", "d", script, "--allow-unknown", *config, home=tmp_path)
    assert warm.err == ""
    assert "unknown tool tickets.list_tikets; did you mean tickets.list_tickets?" in wrong.err
    assert toolbooth("scripts", "save", "b", script, "--allow-unknown", *config, home=tmp_path).code == 0
    script.write_text(SCRIPT + "import asyncio\nawait asyncio.sleep(0)\n")
    known = toolbooth("scripts", "save", "c", script, *config, home=tmp_path)
    assert (known.code, known.err) == (0, "")


@pytest.mark.promise("scripts:tools-exist")
def test_a_server_that_lacks_its_variable_is_named_where_its_tools_are_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "toolbooth.yaml"
    lacking = {"github": {"command": "x", "env": {"TOKEN": "${NO_SUCH_TOKEN_ANYWHERE}"}}}
    path.write_text(json.dumps({"servers": lacking, "always_visible": ["github.nosuch"]}))
    script = tmp_path / "a.py"
    script.write_text('"""Issues."""\nawait github.nosuch()\n')
    said = toolbooth("scripts", "save", "a", script, "--config", path, home=tmp_path)
    assert said.code == 0
    assert "the tools of github could not be checked" in said.err
    checked = toolbooth("validate", path, home=tmp_path)
    assert "always_visible: the tools of github could not be checked" in checked.err
