"""What a server was given (environment, arguments, headers) stands in no text, no log and no file of the gateway."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway, until
from tests.server_process import free_port

IN_ENV, IN_ARGS, IN_HEADER, INHERITED = (
    f"canary-{place}-5ad9c1" for place in ("env", "args", "header", "parent")
)
CANARIES = (IN_ENV, IN_ARGS, IN_HEADER, INHERITED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("secrets")


@pytest.fixture(scope="module")
def booth(folder: Path) -> Iterator[DrivenGateway]:
    nowhere = {"url": f"http://127.0.0.1:{free_port()}/mcp?token={IN_ARGS}"}
    with gateway(
        folder,
        HostileServer("leaky", folder, ("--api-key", IN_ARGS), {"env": {"CANARY": IN_ENV}}),
        HostileServer("child", folder, settings={"env": {"CANARY": "${PARENT_TOKEN}"}}),
        HostileServer(
            "remote", folder, remote={**nowhere, "headers": {"Authorization": f"Bearer {IN_HEADER}"}}
        ),
        PARENT_TOKEN=INHERITED,
    ) as made:
        yield made


@pytest.mark.promise("gateway:secrets")
def test_last_words_and_refusals_of_a_server_do_not_give_away_what_it_was_given(booth: DrivenGateway) -> None:
    crashed = booth.call("leaky.crash").text
    refused = booth.call("leaky.refuse").text
    assert "panic: core melted, •••, •••" in crashed
    assert "with •••" in refused
    assert "panic: core melted, •••" in booth.call("child.crash").text


@pytest.mark.promise("gateway:secrets")
def test_an_error_that_passes_through_as_it_is_leaves_out_the_secrets(tmp_path: Path) -> None:
    leaky = HostileServer("leaky", tmp_path, settings={"env": {"CANARY": IN_ENV}})
    with gateway(tmp_path, leaky, surface="direct") as booth:
        listed = booth.request("tools/list")["result"]["tools"]
        name = next(each["name"] for each in listed if each["name"].endswith("refuse"))
        error = booth.request("tools/call", {"name": name, "arguments": {}})["error"]
    assert error["code"] == -32000
    assert error["message"].endswith("with •••")
    assert error["data"] == {"token": "•••", "kept": 1}


@pytest.mark.promise("gateway:secrets")
def test_no_state_log_or_file_holds_a_secret(booth: DrivenGateway, folder: Path) -> None:
    booth.call("leaky.crash")
    until(lambda: "could not be reached" in booth.builtin("manage_servers", {"server": "remote"}).text)
    reported = booth.builtin("manage_servers").text
    assert "environment: CANARY" in reported
    assert [each for each in CANARIES if each in reported] == []
    written = [path for path in folder.rglob("*") if path.is_file() and path.name != "toolbooth.yaml"]
    assert any(path.name == "stderr" for path in written)
    for path in written:
        content = path.read_bytes()
        assert [each for each in CANARIES if each.encode() in content] == [], path


@pytest.mark.promise("gateway:secrets")
def test_the_process_list_shows_no_secret_of_the_environment(booth: DrivenGateway) -> None:
    line = subprocess.run(
        ["ps", "-o", "args=", "-p", str(booth.process.pid)], capture_output=True, text=True, check=True
    ).stdout
    assert sys.executable in line
    assert [each for each in CANARIES if each in line] == []
