"""A server that quotes what it was given, as its version, in its words, in its last words: nobody reads it anywhere."""

import json
import sys
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.test_absent_servers import home, said
from tests.behaviour.test_working_folder import mcp, opened
from tests.unit.gateway.daemon.bridges import Home

__all__ = ["home"]  # a fixture
pytestmark = pytest.mark.promise("backend:secrets")
KEY = "canary-7f3a91d2-" + "abcdef0123456789" * 4
QUOTING = """
import json, os, sys
key, mode = os.environ["API_KEY"], sys.argv[1]
if mode == "dies":
    sys.stderr.write("x" * 130 + key + "\\n" + key)
    sys.exit(1)
for line in sys.stdin:
    asked = json.loads(line)
    method, number = asked.get("method"), asked.get("id")
    if number is None:
        continue
    version = key if mode == "strange" else "2025-06-18"
    info = {"name": key, "title": "T " + key, "version": "1." + key}
    tool = {"name": "t", "description": "Uses " + key, "inputSchema": {"type": "object"}}
    answers = {
        "initialize": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info,
                       "instructions": "Send " + key},
        "tools/list": {"tools": [tool, {"description": key}]},
    }
    if method in answers:
        answer = {"result": answers[method]}
    else:
        answer = {"error": {"code": -32601, "message": "no " + key}}
    print(json.dumps({"jsonrpc": "2.0", "id": number, **answer}), flush=True)
"""


def config(folder: Path) -> Path:
    (folder / "quoting.py").write_text(QUOTING)
    servers = {
        mode: {"command": sys.executable, "args": [str(folder / "quoting.py"), mode], "env": {"API_KEY": KEY}}
        for mode in ("serves", "strange", "dies")
    }
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def clean(text: str) -> bool:
    return KEY[:20] not in text


@pytest.mark.parametrize(
    "words",
    [
        ("doctor", "CONFIG", "--save", "saved.json"),
        ("doctor", "CONFIG", "--json"),
        ("doctor", "CONFIG", "--markdown"),
        ("lock", "CONFIG"),
        ("lock", "CONFIG", "--json"),
        ("scan", "CONFIG", "--lint", "--json"),
        ("profile", "CONFIG", "--json"),
        ("search", "anything", "--config", "CONFIG", "--json"),
        ("bench", "record", "CONFIG", "--output", "corpus.json", "--allow-missing"),
        ("init", "CONFIG"),
    ],
    ids=" ".join,
)
def test_no_report_and_no_file_quotes_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = config(tmp_path)
    before = set(tmp_path.rglob("*"))
    heard = toolbooth(*(str(path) if word == "CONFIG" else word for word in words), home=tmp_path)
    assert clean(heard.out)
    assert clean(heard.err)
    assert "answered with protocol version" in heard.err
    for written in set(tmp_path.rglob("*")) - before:
        assert not written.is_file() or clean(written.read_bytes().decode("latin-1")), written


def test_the_gateway_says_it_nowhere(home: Home) -> None:
    path = config(home.folder)
    before = set(home.folder.rglob("*"))
    client = opened(home, home.folder, "--config", str(path), "--no-daemon", "--surface", "full")
    heard = [
        said(client, "call_tool", name=f"{mode}.t", arguments={}) for mode in ("strange", "dies", "serves")
    ]
    heard += [said(client, "manage_servers", action="status"), said(client, "search_tools", query="zzzz")]
    for name in ("servers", "overview", "health", "server/serves", "server/strange", "server/dies"):
        heard.append(json.dumps(mcp(client, 2, "resources/read", {"uri": f"toolbooth://{name}"})))
    assert all(map(clean, heard)), heard
    assert "•••" in "".join(heard)
    client.process.terminate()
    assert clean(client.words())
    cached = {each for each in home.folder.rglob("*") if each.is_file()} - before
    logs = [each for each in cached if each.suffix in (".log", ".json")]
    assert all(clean(each.read_bytes().decode("latin-1")) for each in logs)
