"""Suites for tests, written to a folder; a server for them that does whatever a test needs."""

import json
from pathlib import Path
from typing import Any

TICKETS = {"command": "${TOOLBOOTH_PYTHON}", "args": ["-m", "toolbooth.demo", "tickets"]}
FILED = {"name": "file", "members": ["tickets.create_ticket"]}
SCRIPT = [
    {"call": "tickets.create_ticket", "args": {"title": "Blank page"}},
    {"say": "I opened LF-251."},
]
# Speaks just enough MCP. `echo` tells its arguments and its environment, `fail` fails with them, `die` ends the
# process, `hang` never answers.
ECHO = """
import json, os, sys, time
def say(number, **what):
    print(json.dumps({"jsonrpc": "2.0", "id": number, **what}), flush=True)
def answer(name, given):
    answer = "given " + json.dumps(given) + " in " + os.environ.get("ECHO_TOKEN", "nothing")
    if name == "die":
        sys.exit(3)
    while name == "hang":
        time.sleep(1)
    return {"content": [{"type": "text", "text": answer}], "isError": name == "fail"}
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "fail", "die", "hang")]
for line in sys.stdin:
    message = json.loads(line)
    method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "initialize":
        hello = {"capabilities": {"tools": {}}, "serverInfo": {"name": "echo", "version": "1"}}
        say(number, result={"protocolVersion": params["protocolVersion"], **hello})
    elif method == "tools/list":
        say(number, result={"tools": TOOLS})
    elif method == "tools/call":
        say(number, result=answer(params["name"], params.get("arguments") or {}))
    elif number is not None:
        say(number, error={"code": -32601, "message": "no such method"})
"""


def echo_server(folder: Path, **env: str) -> dict[str, Any]:
    """Its entry in a suite."""
    path = folder / "echo_server.py"
    path.write_text(ECHO, encoding="utf-8")
    return {"command": "${TOOLBOOTH_PYTHON}", "args": [str(path)], "env": env}


def a_test(name: str = "files a ticket", **keys: Any) -> dict[str, Any]:
    """A scripted test that passes; a key that is None is left out."""
    usual = {
        "name": name,
        "model": "scripted",
        "prompt": "The login page is blank. Open a ticket.",
        "script": SCRIPT,
        "equal_function_sets": {"classes": [FILED]},
    }
    return {key: value for key, value in {**usual, **keys}.items() if value is not None}


def write_suite(folder: Path, *tests: dict[str, Any], name: str = "one", **keys: Any) -> Path:
    """JSON is YAML."""
    path = folder / f"{name}.toolbooth.yaml"
    suite = {"servers": {"tickets": TICKETS}, "tests": list(tests) or [a_test()], **keys}
    path.write_text(json.dumps(suite, indent=1), encoding="utf-8")
    return path


def recorded(folder: Path) -> list[Path]:
    """Every file that was recorded there."""
    return sorted(path for path in (folder / "cassettes").rglob("*.json") if path.is_file())
