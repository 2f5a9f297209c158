"""The suite where it is installed; the fixture server running, directly or behind the gateway."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conformance.suite import Suite, Verdicts
from tests.parts import part
from tests.server_process import free_port, running

ROOT = Path(__file__).parents[2]
SCRIPT = Path("node_modules") / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
FIXTURE = [sys.executable, "-m", "tests.conformance.fixture"]
FINDS_FIXTURE = {"PYTHONPATH": str(ROOT)}
# The suite looks for the fixture's tools under their own names; `direct` puts the server's name before them.
UNPREFIXED = (
    "from toolbooth.gateway import public_names; public_names.public_name = lambda tool: tool.name; "
    "from toolbooth.cli.main import entry; entry()"
)

Judge = Callable[[str, str], Verdicts]


@pytest.fixture(scope="session")
def suite(npm_node: Path) -> Suite:
    return Suite(npm_node / "node", part("conformance") / SCRIPT)


@pytest.fixture(scope="session")
def judge(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A row and a version of the spec → verdicts; each is judged once."""
    kept: dict[tuple[str, str], Verdicts] = {}

    def ask(row: str, spec_version: str) -> Verdicts:
        if (row, spec_version) not in kept:
            home = tmp_path_factory.mktemp(row)
            with ROWS[row](home) as url:
                kept[row, spec_version] = suite.judge(url, spec_version, home / "results")
        return kept[row, spec_version]

    return ask


@contextmanager
def direct(_home: Path) -> Iterator[str]:
    port = free_port()
    with running([*FIXTURE, "--port", str(port)], port, FINDS_FIXTURE):
        yield f"http://127.0.0.1:{port}/mcp"


@contextmanager
def gateway(home: Path) -> Iterator[str]:
    with direct(home) as url, _gateway_before({"url": url}, home) as front:
        yield front


@contextmanager
def gateway_stdio(home: Path) -> Iterator[str]:
    backend = {"command": FIXTURE[0], "args": [*FIXTURE[1:], "--stdio"], "env": FINDS_FIXTURE}
    with _gateway_before(backend, home) as front:
        yield front


@contextmanager
def _gateway_before(backend: Mapping[str, object], home: Path) -> Iterator[str]:
    config = home / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"fixture": backend}}), encoding="utf-8")
    port = free_port()
    command = [sys.executable, "-c", UNPREFIXED, "serve", "--http", "--port", str(port), "--no-key"]
    command += ["--surface", "direct", "--config", str(config)]
    with running(command, port, _only_this_home(home)):
        yield f"http://127.0.0.1:{port}/mcp/direct"


def _only_this_home(home: Path) -> dict[str, str]:
    """Nothing of the real user's folders may leak in, or be written to."""
    folders = {name: str(home) for name in os.environ if name.startswith("XDG_")}
    return {**folders, "HOME": str(home)}


ROWS = {"direct": direct, "gateway": gateway, "gateway-stdio": gateway_stdio}
