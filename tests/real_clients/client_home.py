"""A scratch home folder in which a real client runs, with its own environment, its config, and Toolbooth beside it."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.parts import part
from tests.provider_server import Asked
from tests.real_clients.network import alone
from tests.real_clients.scripted_model import ScriptedModel, Turn
from tests.real_clients.what_was_sent import Sent, what_was_sent

PATIENCE: Final = 240.0  # seconds; only a client that hangs is ended by it
_SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")


class RealClient(NamedTuple):
    """How one client is started: its command, the file with its servers, and what its environment says.

    `{url}` stands for the provider. `prefix` is what the client puts before the names of our tools, and `settings` are
    what its file says beside its servers.
    """

    key: str
    package: str
    command: tuple[str, ...]
    config: str
    environ: Mapping[str, str]
    prefix: str = "mcp__toolbooth__"
    settings: Mapping[str, Any] = {}


class Session(NamedTuple):
    """One run of a client from its start to its end: the requests to its model, and what it printed."""

    turns: Sequence[Asked]
    code: int
    output: str
    errors: str

    @property
    def sent(self) -> list[Sent]:
        """What the model was sent, turn by turn."""
        assert self.turns, (
            f"nothing was sent; exit code {self.code}: {self.errors[-2000:]}{self.output[-2000:]}"
        )
        return [what_was_sent(each.body) for each in self.turns]

    @property
    def results(self) -> tuple[str, ...]:
        """The answers of tools in the order of the script, as the model read them at last."""
        return self.sent[-1].results


@dataclass(frozen=True)
class ClientHome:
    """The home of one client; `close` stops what still runs for it."""

    folder: Path
    client: RealClient
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def config(self) -> Path:
        """The client's own file with its servers."""
        return self.folder / self.client.config

    @property
    def project(self) -> Path:
        """The folder in which the client works."""
        (self.folder / "project").mkdir(exist_ok=True)
        return self.folder / "project"

    def toolbooth(self, *words: str) -> str:
        """What a command of Toolbooth prints in this home."""
        command = [sys.executable, "-m", "toolbooth", *words]
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, script: Sequence[Turn], *words: str, **environ: str) -> Session:
        """Run the client once against a model that follows the script."""
        return alone(lambda: self._run(script, words, environ))

    def _run(self, script: Sequence[Turn], words: Sequence[str], environ: Mapping[str, str]) -> Session:
        with scripted(script) as model:
            said = {name: value.replace("{url}", model.url) for name, value in self.client.environ.items()}
            command = [each.replace("{url}", model.url) for each in (*self.client.command, *words)]
            code, output, errors = self._ended(command, {**self.environment(), **said, **environ})
            return Session(model.turns, code, output, errors)

    def _ended(self, command: Sequence[str], environ: Mapping[str, str]) -> tuple[int, str, str]:
        binary = part("cli-agents") / "node_modules" / ".bin" / command[0]
        process = subprocess.Popen(
            [str(binary), *command[1:]],
            cwd=self.project,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return process.returncode, output, errors

    def environment(self) -> dict[str, str]:
        """Nothing of this machine's environment but where programs are."""
        node = part("npm-servers") / "tool" / "bin"
        path = os.pathsep.join((str(node), str(Path(sys.executable).parent), *_SYSTEM_PATH))
        return {"HOME": str(self.folder), "PATH": path, "TERM": "dumb", "PYTHONUTF8": "1", **self.environ}

    def close(self) -> None:
        """Stop the daemon, then end every process that still has this home."""
        self.toolbooth("daemon", "stop")
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def processes(self) -> list[int]:
        """Processes that run with this home; only Linux tells."""
        mine = f"\0HOME={self.folder}\0".encode()
        return [int(path.parent.name) for path in _environments() if mine in b"\0" + _read(path)]


@contextmanager
def scripted(script: Sequence[Turn]) -> Iterator[ScriptedModel]:
    """The provider, for as long as the block lasts."""
    model = ScriptedModel(script)
    thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.end()
        thread.join()


def _environments() -> Iterator[Path]:
    yield from (path for path in Path("/proc").glob("[0-9]*/environ") if path.parent.name != str(os.getpid()))


def _read(path: Path) -> bytes:
    with suppress(OSError):
        return path.read_bytes()
    return b""


def servers_of(entries: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Commands of servers, as most clients write them."""
    return {name: {"command": words[0], "args": list(words[1:])} for name, words in entries.items()}


def as_toml(entries: Mapping[str, Sequence[str]]) -> str:
    """The same as Codex writes them."""
    return "\n".join(
        f"[mcp_servers.{name}]\ncommand = {json.dumps(words[0])}\nargs = {json.dumps(list(words[1:]))}\n"
        for name, words in entries.items()
    )
