"""`toolbooth auth` as a person uses it: a real authorization server, a browser, and a doctor that runs unattended."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.authorization_server import CANARY, Guarded, guarded_server
from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.gateway_client import connected
from tests.behaviour.gateway_process import until

# The browser of the tests: goes where it is sent, and follows the redirect back to Toolbooth.
BROWSER = f"""#!{sys.executable}
import sys, urllib.request
urllib.request.urlopen(sys.argv[1]).read()
"""
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture(scope="module")
def running_guarded() -> Iterator[Guarded]:
    with guarded_server() as guarded:
        yield guarded


@pytest.fixture
def guarded(running_guarded: Guarded) -> Guarded:
    running_guarded.change(reset=True)
    return running_guarded


class Home:
    """A home with one config and a browser."""

    def __init__(self, path: Path, url: str) -> None:
        self.path, self.config = path, path / "mcp.json"
        servers = {"guarded": {"url": url}, "local": {"command": sys.executable}}
        self.config.write_text(json.dumps({"mcpServers": servers}))
        self.browser = path / "browser"
        self.browser.write_text(BROWSER)
        self.browser.chmod(0o755)
        self.tokens = path / ".local/share/toolbooth/tokens"

    @property
    def environ(self) -> dict[str, str]:
        return {**NO_KEYRING, "BROWSER": str(self.browser)}

    def auth(self, *words: str | Path) -> CommandResult:
        said = toolbooth("auth", *words, home=self.path, cwd=None, **self.environ)
        assert CANARY not in said.out + said.err
        return said

    def sign_in(self, *words: str) -> CommandResult:
        return self.auth("guarded", "--config", self.config, *words)

    def doctor(self) -> CommandResult:
        config = self.path / "one.json"
        config.write_text(
            json.dumps({"guarded": json.loads(self.config.read_text())["mcpServers"]["guarded"]})
        )
        said = toolbooth("doctor", config, home=self.path, cwd=None, **self.environ)
        assert CANARY not in said.out + said.err
        return said

    def kept(self) -> list[Path]:
        return sorted(self.tokens.glob("*.json"))


@pytest.fixture
def home(tmp_path: Path, guarded: Guarded) -> Home:
    return Home(tmp_path, guarded.url)


@pytest.mark.promise("auth:flow")
def test_sign_in_look_use_and_forget(home: Home, guarded: Guarded) -> None:
    before = home.doctor()
    assert before.code == 3
    assert "wants you to sign in: run `toolbooth auth guarded`" in before.err

    said = home.sign_in()
    assert said.code == 0, said.err
    assert said.out.startswith("signed in to guarded: valid until ")
    address = said.err.splitlines()[1].strip()
    assert address.startswith(f"{guarded.issuer}/authorize?")
    assert "code_challenge_method=S256" in address

    (file,) = home.kept()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.tokens.stat().st_mode) == 0o700

    listed = home.auth("--list", "--config", home.config)
    assert re.match(
        rf"{guarded.url}  \(guarded\)  valid until [\d :-]+, then renewed automatically\n", listed.out
    )
    (row,) = home.auth("--list", "--json").json["servers"]
    assert set(row) == {"address", "expires_at", "renews", "kept_in"}

    after = home.doctor()
    assert after.code == 0, after.err

    gone = home.auth("guarded", "--config", home.config, "--forget")
    assert (gone.code, gone.out) == (0, "deleted the tokens of guarded\n")
    assert home.kept() == []
    assert home.auth(guarded.url, "--forget").out.startswith("no tokens are stored for")
    assert home.doctor().code == 3


def test_a_project_does_not_take_the_name_of_a_server_of_the_user(home: Home, guarded: Guarded) -> None:
    (home.path / ".cursor").mkdir()
    (home.path / ".cursor/mcp.json").write_text(home.config.read_text())
    project = home.path / "project"
    (project / ".git").mkdir(parents=True)
    evil = {"guarded": {"url": f"{guarded.origin}/key"}, "own": {"url": f"{guarded.origin}/open"}}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": evil}))
    said = toolbooth("auth", "guarded", home=home.path, cwd=project, **home.environ)
    assert said.code == 0, said.err
    assert f"signing in to guarded at {guarded.url};" in said.err
    refused = toolbooth("auth", "own", home=home.path, cwd=project, **home.environ)
    assert refused.code == 5
    assert "--user-only" in refused.err  # it advises what it takes
    left_out = toolbooth("auth", "own", "--user-only", home=home.path, cwd=project, **home.environ)
    assert left_out.code == 2
    assert "no server 'own' in your configs" in left_out.err
    own = toolbooth("auth", "own", "--trust-project", home=home.path, cwd=project, **home.environ)
    assert own.code == 0


def test_the_outcome_as_json_is_json_alone(home: Home) -> None:
    said = home.sign_in("--json")
    assert said.json["signed_in"] is True
    assert (said.json["kept_in"], said.json["renews"]) == ("file", True)


def test_an_address_can_be_signed_in_to_without_a_config(home: Home, guarded: Guarded) -> None:
    assert home.auth(guarded.url).code == 0
    assert home.doctor().code == 0


@pytest.mark.promise("auth:refresh")
def test_doctor_renews_a_token_that_is_over(home: Home, guarded: Guarded) -> None:
    assert home.sign_in().code == 0
    (file,) = home.kept()
    first = json.loads(file.read_bytes())
    file.write_text(json.dumps({**first, "expires_at": 1.0}))
    guarded.change(revoke_access=True)
    assert home.doctor().code == 0
    second = json.loads(file.read_bytes())
    assert second["secret"]["refresh_token"] != first["secret"]["refresh_token"]
    assert home.doctor().code == 0
    assert guarded.seen()["grants"] == ["authorization_code", "refresh_token"]


@pytest.mark.promise("auth:nothing-half-stored")
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"deny": True}, "guarded: the sign-in was refused: access_denied (the person said no)"),
        ({"state": "forged"}, "does not belong to this sign-in (wrong state)"),
        ({"challenge": "x" * 43}, "gave no token (HTTP 400)"),
        ({"registers": False}, "does not let Toolbooth register itself"),
    ],
)
def test_a_sign_in_that_fails_is_one_line_and_keeps_nothing(
    home: Home, guarded: Guarded, settings: dict[str, object], words: str
) -> None:
    guarded.change(**settings)
    said = home.sign_in()
    assert said.code == 3
    assert said.out == ""
    last = said.err.splitlines()[-1]
    assert last.startswith("toolbooth: ")
    assert words in last
    assert home.kept() == []


def test_nobody_at_the_browser_ends_at_the_deadline(home: Home) -> None:
    said = home.sign_in("--no-browser", "--timeout", "1")
    assert said.code == 3
    assert "nobody signed in within 1 s" in said.err.splitlines()[-1]
    assert home.kept() == []


def test_the_folder_we_stand_in_gives_no_browser(home: Home) -> None:
    trap = home.path / "webbrowser.py"
    trap.write_text(f"open({str(home.path / 'sprung')!r}, 'w')")
    assert home.sign_in().code == 0
    assert not (home.path / "sprung").exists()


def test_ctrl_c_keeps_nothing(home: Home) -> None:
    command = [
        sys.executable,
        "-m",
        "toolbooth",
        "auth",
        "guarded",
        "--config",
        str(home.config),
        "--no-browser",
    ]
    env = {**os.environ, **NO_KEYRING, "HOME": str(home.path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=env, cwd=home.path) as running:
        assert running.stderr is not None
        assert b"signing in to guarded" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        rest = running.stderr.read()
    assert running.returncode == 130
    assert b"Traceback" not in rest
    assert home.kept() == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["gaurded"], 2, "did you mean guarded?"),
        (["quite-different"], 2, "the configs have guarded, local"),
        (["local"], 2, "is a command on this machine"),
        ([], 2, "name a server"),
        (["guarded", "--list"], 2, "--list shows every server"),
        (["guarded", "--timeout", "soon"], 2, "not a number of seconds"),
        (["https://", "--forget"], 2, "has no host"),
        (["http://mcp.example/mcp"], 2, "plain http://"),
    ],
)
def test_a_wrong_call_is_one_line(home: Home, words: list[str], code: int, said: str) -> None:
    answer = home.auth(*words, "--config", home.config)
    assert answer.code == code, answer.err
    assert len(answer.err.splitlines()) == 1
    assert said in answer.err


def test_a_server_that_asks_for_nothing_needs_no_sign_in(tmp_path: Path, guarded: Guarded) -> None:
    said = Home(tmp_path, f"{guarded.origin}/open").sign_in()
    assert (said.code, said.out) == (0, "guarded needs no sign-in: it requires no token\n")


def test_a_config_that_is_not_there_is_said(home: Home) -> None:
    said = home.auth("guarded", "--config", home.path / "no.json")
    assert said.code == 2
    assert "there is no such file" in said.err


@pytest.mark.promise("auth:owner-only")
def test_a_token_that_others_may_read_is_refused_with_the_fix(home: Home) -> None:
    assert home.sign_in().code == 0
    (file,) = home.kept()
    file.chmod(0o644)
    said = home.doctor()
    assert said.code == 3
    assert f"run `chmod 600 {file}`" in said.err
    listed = home.auth("--list")
    assert listed.code == 2
    assert "chmod 600" in listed.err
    file.chmod(0o600)
    assert home.doctor().code == 0


@pytest.mark.promise("auth:keyring")
def test_the_null_keyring_is_not_trusted(home: Home) -> None:
    environ = {**home.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    said = toolbooth(
        "auth", "guarded", "--config", home.config, "--json", home=home.path, cwd=None, **environ
    )
    assert said.json["kept_in"] == "file"


@pytest.mark.promise("auth:canary")
def test_a_token_stands_in_its_file_and_nowhere_else(home: Home, guarded: Guarded) -> None:
    assert home.sign_in().code == 0
    guarded.change(revoke_access=True)
    home.doctor()
    guarded.change(revoke_all=True)
    assert "wants you to sign in" in home.doctor().err
    holding = [
        path for path in home.path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()
    ]
    assert holding == home.kept()


def test_the_list_says_which_tokens_have_come_to_an_end(home: Home, guarded: Guarded) -> None:
    assert home.auth("--list").out == "no tokens are stored; `toolbooth auth SERVER` signs in\n"
    assert home.sign_in().code == 0
    (file,) = home.kept()
    record = json.loads(file.read_bytes())
    file.write_text(json.dumps({**record, "expires_at": time.time() - 60, "renews": False}))
    assert "(in no config)  expired " in home.auth("--list").out


@pytest.mark.promise("auth:running")
def test_a_running_gateway_tries_a_server_again_as_soon_as_somebody_signed_in(home: Home) -> None:
    servers = {"guarded": {"url": json.loads(home.config.read_text())["mcpServers"]["guarded"]["url"]}}
    asked = {"name": "call_tool", "arguments": {"name": "guarded.add", "arguments": {"a": 1, "b": 2}}}
    data = {**home.environ, "XDG_DATA_HOME": str(home.path)}
    with connected(home.path, servers, "search") as client:

        def state() -> str:
            read = client.result("resources/read", {"uri": "toolbooth://server/guarded"})
            return str(read["contents"][0]["text"])

        def refused() -> bool:
            client.ask("tools/call", asked)
            return state().startswith("guarded: resting")

        until(refused, "the server rests: it wants a sign-in, and nobody has signed in")
        said = toolbooth("auth", "guarded", "--config", home.config, home=home.path, cwd=None, **data)
        assert said.code == 0, said.err
        until(
            lambda: "resting" not in state() and "up" in state(), "it is tried again, though nobody calls it"
        )
