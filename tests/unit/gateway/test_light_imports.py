"""The tool registry, its cache and its menus are there before numpy, the tokenizer and the protocol SDK are."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.behaviour.gateway_process import HELLO, SteeredServer, isolated_environ, through_menu

MODULES = ("tool_registry", "offer_cache", "builtin_tools", "results", "surfaces", "agent_texts")
HEAVY = (
    "numpy",
    "rapidfuzz",
    "splintr",
    "mcp",
    "toolbooth.search.engine",
    "toolbooth.economics.duplicates",
    "toolbooth.tokens.counting",
)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    imports = ", ".join(f"toolbooth.gateway.{name}" for name in MODULES)
    code = f"import sys, {imports}; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert all(find_spec(name) for name in HEAVY)
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.strip() == "[]"


def test_a_gateway_without_contracts_imports_nothing_of_that_package(tmp_path: Path) -> None:
    """Not when it starts, and not when it serves."""
    config = tmp_path / "toolbooth.yaml"
    config.write_text(json.dumps({"servers": {"s": SteeredServer.at(tmp_path / "s").entry}}))
    code = (
        "import sys; from toolbooth.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith('toolbooth.contracts.')], file=sys.stderr)"
    )
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO["params"]},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": through_menu("s.echo", "x")},
    ]
    said = subprocess.run(
        [sys.executable, "-c", code, "serve", "--no-daemon", "--config", str(config)],
        input="".join(f"{json.dumps(each)}\n" for each in asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=isolated_environ(tmp_path),
    )
    assert "echo says x" in said.stdout
    assert said.stderr.strip().splitlines()[-1] == "[]"
