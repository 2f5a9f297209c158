"""Canaries in environment, headers, arguments, results and errors are found in no artefact and on no screen."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.suites.suite_files import TICKETS, a_test, echo_server, write_suite
from tests.provider_formats import Calls, Fails, Says
from tests.provider_server import provider_server

CANARIES = {
    "environment": "canary-in-the-environment-4711",
    "spec": "canary-of-the-server-0815",
    "header": "canary-in-a-header-2342",
    "argument": "canary-as-an-argument-1984",
    "password": "canary password with blanks",
    "shape": "ghp_" + "C4naryShapedLikeAToken" + "0123456789abcd",
    "provider": "sk-ant-canary-0123456789-abcdefghij",
    "custom": "CUST-000-canary-77",
}
FORMATS = ("terminal", "json", "junit", "markdown", "github", "tap", "html", "agent")


def leaks(folder: Path, *said: CommandResult) -> list[str]:
    """Where a canary got to, in any spelling that can be read back."""
    texts = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    texts |= {f"screen {number}": (each.out + each.err).encode() for number, each in enumerate(said)}
    found = []
    for where, text in texts.items():
        if where.endswith((".toolbooth.yaml", "echo_server.py", ".pyc")):
            continue  # the user's own files
        found += [f"{name} in {where}" for name, canary in CANARIES.items() if canary.encode() in text]
    return found


@pytest.mark.promise("suite:secrets")
@pytest.mark.parametrize("surface", ["direct", "search", "code"])
def test_no_canary_of_a_scripted_run_gets_out(tmp_path: Path, surface: str) -> None:
    given = {
        "note": f"use {CANARIES['environment']} and {CANARIES['spec']}",
        "api_key": CANARIES["argument"],
        "text": f"login with password: {CANARIES['shape']}",
        "nested": [{"password": CANARIES["password"]}],
        "customer": CANARIES["custom"],
    }
    script = [{"call": "echo.echo", "args": given}, {"call": "echo.fail", "args": given}, {"say": str(given)}]
    test = a_test(
        script=script, surface=surface, prompt=f"Say {CANARIES['environment']} and {CANARIES['shape']}."
    )
    servers = {"tickets": TICKETS, "echo": echo_server(tmp_path, ECHO_TOKEN=CANARIES["spec"])}
    write_suite(tmp_path, test, servers=servers, redact=["CUST-[0-9]+-[a-z]+-[0-9]+"])
    secret: dict[str, Any] = {"MY_SERVICE_TOKEN": CANARIES["environment"]}
    said = [toolbooth("test", "--record", "--save", "run.json", home=tmp_path, **secret)]
    said += [toolbooth("test", "--offline", "--format", form, home=tmp_path, **secret) for form in FORMATS]
    said += [toolbooth("report", "run.json", "--format", form, home=tmp_path) for form in FORMATS]
    assert all(each.code == 1 for each in said), said[0].err
    assert "[redacted]" in "".join(path.read_text() for path in (tmp_path / "cassettes").rglob("*run-01*"))
    assert leaks(tmp_path, *said) == []


@pytest.mark.promise("suite:secrets")
def test_no_key_of_a_provider_gets_out_whatever_it_answers(tmp_path: Path) -> None:
    key = CANARIES["provider"]
    answers: list[Says | Fails] = [
        Says(f"your key is {key}", [Calls("create_ticket", {"title": key})]),
        Says(f"done with {key}"),
        Fails(401, f"the key {key} is not known"),
    ]
    tests = [a_test(name, model="claude-sonnet-4-5", script=None, runs=1) for name in ("first", "second")]
    write_suite(tmp_path, *tests, concurrency=1)
    with provider_server(answers) as server:
        environ: dict[str, Any] = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": key}
        said = toolbooth("test", "--record", "--save", "run.json", home=tmp_path, **environ)
        assert key in json.dumps(dict(server.requests[0].headers))  # it was really sent
    assert said.code == 3
    assert "ANTHROPIC_API_KEY" in said.out
    assert leaks(tmp_path, said) == []


@pytest.mark.promise("suite:secrets")
def test_no_header_of_a_remote_server_gets_out(tmp_path: Path, sdk_http: Callable[..., str]) -> None:
    key = CANARIES["header"]
    address = f"{sdk_http('streamable-http', key)}/mcp"
    remote = {"url": address, "headers": {"Authorization": f"Bearer {key}"}}
    calls = [
        {"call": "remote.add", "args": {"a": 1, "b": 2}},
        {"call": "remote.nothing", "args": {"it": key}},
    ]
    test = a_test(
        script=[{"calls": calls}, {"say": f"it was {key}, sent as Bearer {key}"}],
        equal_function_sets={"classes": [{"name": "add", "members": ["add"]}]},
    )
    write_suite(tmp_path, test, servers={"remote": remote})
    said = toolbooth("test", "--record", "--save", "run.json", home=tmp_path)
    assert said.code == 0, said.out  # it was reached with its header
    assert leaks(tmp_path, said) == []
