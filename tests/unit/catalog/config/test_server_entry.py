"""One bad entry is one line; no value is ever in it."""

import json
from typing import Any

import pytest
from tests.unit.catalog.config.conftest import Read

CANARY = "hunter2-canary"


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (None, "its entry is not an object"),
        (CANARY, "its entry is not an object"),
        ({}, "has neither a command nor a url"),
        ({"command": ""}, "has no command"),
        ({"command": "  "}, "has no command"),
        ({"command": {}}, "command[0] is an object, not text"),
        ({"command": []}, "has no command"),
        ({"command": "x", "args": CANARY}, "args is text, not a list"),
        ({"command": "x", "args": ["a", [CANARY]]}, "args[1] is a list, not text"),
        ({"command": "x", "args": [None]}, "args[0] is empty, not text"),
        ({"command": "x", "env": [CANARY]}, "env is a list, not a map of texts"),
        ({"command": "x", "env": {"T": {"v": CANARY}}}, "env.T is an object, not text"),
        ({"command": "x", "env": {"A=B": CANARY}}, "a name or value in env cannot be passed to a process"),
        (
            {"command": "x", "env": {"A": CANARY + "\0"}},
            "a name or value in env cannot be passed to a process",
        ),
        ({"command": "x", "cwd": 1.5}, "cwd is a number, not text"),
        ({"url": f"ftp://{CANARY}"}, "its url does not begin with http:// or https://"),
        ({"url": f"${{NOPE}}{CANARY}"}, "needs the environment variable NOPE, which is not set"),
        ({"url": "https://x", "headers": CANARY}, "headers is text, not a map of texts"),
        ({"url": "https://x", "headers": {"A": f"x\r\n{CANARY}"}}, "a header contains a line break"),
        ({"url": f"https://x:{CANARY}"}, "its url has a port that is not a number from 1 to 65535"),
        ({"url": "https://x:99999"}, "its url has a port that is not a number from 1 to 65535"),
        ({"url": f"https://[{CANARY}"}, "its url has an invalid host"),
        ({"url": "https:///mcp"}, "its url has no host"),
        ({"url": "https://x", "headers": {"A": f"{CANARY}€"}}, "the value of a header is not plain ASCII"),
        ({"url": "https://x", "headers": {"A": f"{CANARY}\x1b"}}, "the value of a header is not plain ASCII"),
        (
            {"url": "https://x", "headers": {f"{CANARY} é": "x"}},
            "the name of a header is not plain ASCII without blanks",
        ),
        ({"type": "ws", "url": "wss://x"}, "the transport 'ws' is not supported; use stdio, http or sse"),
        ({"type": "stdio", "url": "https://x"}, "has no command"),
        ({"type": "http", "command": "x"}, "has no url"),
    ],
)
def test_a_bad_entry_is_one_line_and_the_others_stay(read: Read, entry: Any, says: str) -> None:
    found = read("x.json", json.dumps({"mcpServers": {"bad": entry, "good": {"command": "x"}}}))
    assert [str(problem) for problem in found.problems] == [f"bad: {says}"]
    assert [spec.name for spec in found.servers] == ["good"]
    assert CANARY not in repr(found)


def test_a_command_may_be_written_as_one_list(read: Read) -> None:
    found = read("x.json", '{"mcpServers": {"a": {"command": ["npx", "-y", "x"], "args": ["z"]}}}')
    assert (found.servers[0].command, found.servers[0].args) == ("npx", ("-y", "x", "z"))


def test_a_server_without_a_name_is_a_problem(read: Read) -> None:
    found = read("x.json", '{"mcpServers": {" ": {"command": "x"}, "a.b": {"command": "x"}}}')
    assert "no usable name" in found.problems[0].reason
    assert found.servers[0].name == "a_b"
    assert "'a.b'" in found.notes[0]


def test_secrets_are_in_no_repr(read: Read) -> None:
    entry = {"command": "x", "args": [f"--token={CANARY}"], "env": {"T": CANARY, "U": "${SECRET}"}}
    remote = {"url": f"https://x/{CANARY}", "headers": {"A": CANARY}}
    found = read("x.json", json.dumps({"mcpServers": {"a": entry, "b": remote}}), SECRET=CANARY)
    assert found.servers[0].env["U"] == CANARY
    assert CANARY not in repr(found)
