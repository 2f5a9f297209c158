"""A server's process sees what its config names, the usual few, and nothing else of ours."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.adhoc import spec_of_command
from toolbooth.catalog.connect.environment import PASSED_ON, server_environment
from toolbooth.catalog.connect.process import start_process, stop_process
from toolbooth.errors import UserMistake

SECRETS = {"TOOLBOOTH_KEY": "a", "OPENAI_API_KEY": "b", "AWS_SECRET_ACCESS_KEY": "c", "MY_PROJECT": "d"}
USUAL = {
    "PATH": "/bin",
    "HOME": "/home/me",
    "LC_ALL": "C.UTF-8",
    "https_proxy": "http://proxy",
    "TMPDIR": "/tmp",
}


def test_the_usual_few_are_passed_on_and_no_others() -> None:
    assert server_environment({**USUAL, **SECRETS}, {}) == USUAL


def test_what_the_config_names_comes_first() -> None:
    assert server_environment(USUAL, {"PATH": "/own", "OPENAI_API_KEY": "b"}) == {
        **USUAL,
        "PATH": "/own",
        "OPENAI_API_KEY": "b",
    }


def test_a_function_of_the_shell_is_not_passed_on() -> None:
    assert server_environment({"TERM": "() { :; }; touch x", "USER": "me"}, {}) == {"USER": "me"}


def test_every_row_has_a_reason_and_no_name_twice() -> None:
    names = [name for reason, row in PASSED_ON for name in row if reason]
    assert len(names) == len(set(names)) == sum(len(row) for _, row in PASSED_ON)
    assert all(name == name.upper() and not name.startswith("TOOLBOOTH") for name in names)


def test_a_process_has_exactly_that_environment() -> None:
    async def seen() -> dict[str, str]:
        code = "import json, os, sys; sys.stderr.write(json.dumps(dict(os.environ)))"
        spec = ServerSpec("s", "stdio", sys.executable, ("-I", "-c", code), env={"NAMED": "x"})
        process = await start_process(spec, {**os.environ, **SECRETS})
        await process.exited.wait()
        await process.silent.wait()
        await stop_process(process)
        words = b"".join(process.words._chunks)
        return dict(json.loads(words))

    found = anyio.run(seen)
    assert found["NAMED"] == "x"
    assert not SECRETS.keys() & found.keys()
    assert found["PATH"] == os.environ["PATH"]


def test_a_typed_command_may_name_variables_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "hunter2")
    spec = spec_of_command(["TOKEN=${MY_TOKEN}", "MODE=a=b", "npx", "-y", "some-server", "KEY=x"])
    assert (spec.name, spec.command, spec.args) == ("some-server", "npx", ("-y", "some-server", "KEY=x"))
    assert spec.env == {"TOKEN": "hunter2", "MODE": "a=b"}
    with pytest.raises(UserMistake, match="a command is missing after TOKEN=…"):
        spec_of_command(["TOKEN=x"])
    with pytest.raises(UserMistake, match="TOKEN needs the environment variable NOT_THERE, which is not set"):
        spec_of_command(["TOKEN=${NOT_THERE}", "npx"])


def test_only_our_own_gateway_gets_everything() -> None:
    assert spec_of_command(["toolbooth", "serve"]).whole_environment
    assert not spec_of_command([str(Path("/usr/bin/npx")), "toolbooth"]).whole_environment
