"""The launcher of contenders: each runs with its own home folder, and ends with the launcher."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from .backends import Servers
from .contenders import Contender, Sent, Words
from .pipe import PROTOCOL, Answer, ContenderFailed, Pipe

Made = TypeVar("Made")
HOMES = {
    "HOME": "",
    "XDG_RUNTIME_DIR": "run",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_STATE_HOME": "state",
    "XDG_DATA_HOME": "data",
}


class PreparedContender(NamedTuple):
    """A contender ready to start: its folder, its environment and the command line of each connection."""

    contender: Contender
    folder: Path
    env: dict[str, str]
    commands: dict[str, Words]
    servers: Servers

    def start(self, version: str = PROTOCOL) -> "Session":
        """Start it and introduce a client of this protocol version."""
        pipes: dict[str, Pipe] = {}
        try:
            for name, command in self.commands.items():
                pipes[name] = Pipe(command, self.folder, self.env, version)
            said = [pipe.open() for pipe in pipes.values()]
        except BaseException:
            for pipe in pipes.values():
                pipe.close()
            raise
        return Session(self, pipes, "\n".join(each.get("instructions") or "" for each in said).strip())

    def stop(self) -> None:
        """Stop what it deliberately leaves running."""
        if self.contender.stop:
            command = [str(word) for word in self.contender.stop]
            subprocess.run(command, env=self.env, capture_output=True, timeout=30, check=False)


class Session(NamedTuple):
    """A running contender, or the servers themselves."""

    prepared: PreparedContender
    pipes: dict[str, Pipe]
    instructions: str

    def pipe(self, server: str) -> Pipe:
        """The connection that leads to a server."""
        return self.pipes.get(server) or self.pipes[""]

    def sent(self, server: str, tool: str, arguments: dict[str, Any]) -> Sent:
        return self.prepared.contender.call(server, tool, arguments)

    def call(self, server: str, tool: str, arguments: dict[str, Any]) -> Answer:
        return self.pipe(server).call(*self.sent(server, tool, arguments))

    def echo(self, server: str, message: str) -> float:
        """Seconds of one echo; the answer has to contain the message."""
        answer = self.call(server, "echo", {"message": message})
        if f"Echo: {message}" not in str(answer.result.get("content")):
            raise ContenderFailed(f"the echo was {str(answer.result)[:120]}")
        return answer.seconds

    def close(self) -> None:
        for pipe in self.pipes.values():
            pipe.close()


class Launcher:
    """Runs contenders. Leaving it ends them all, with their backends and daemons, also on Ctrl-C."""

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="tbb-", dir="/tmp"))  # short: socket paths have 108 bytes
        self._prepared: list[PreparedContender] = []
        self._sessions: list[Session] = []
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave processes behind
        self.clear()
        for process in processes_of(self.folder):
            _kill(process)
        shutil.rmtree(self.folder, ignore_errors=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def prepare(self, contender: Contender, servers: Servers) -> PreparedContender:
        """Write the contender's config and give it its own home folder."""
        home = self.folder / str(len(self._prepared))
        env = {**os.environ, **{key: str(home / part) for key, part in HOMES.items()}}
        for key in HOMES:
            Path(env[key]).mkdir(mode=0o700, parents=True, exist_ok=True)
        commands: dict[str, Words] = {**servers}
        if contender.command:
            commands = {"": contender.command(home, servers)}
        prepared = PreparedContender(contender, home, env, commands, servers)
        self._prepared.append(prepared)
        return prepared

    def start(self, prepared: PreparedContender, version: str = PROTOCOL) -> Session:
        session = prepared.start(version)
        self._sessions.append(session)
        return session

    def clear(self) -> None:
        """End every contender that is running."""
        for session in self._sessions:
            session.close()
        for prepared in self._prepared[self._cleared :]:
            prepared.stop()
        self._sessions.clear()
        self._cleared = len(self._prepared)

    _cleared = 0


def processes_of(folder: Path) -> list[int]:
    """The processes whose environment names this folder, which only the launcher gave out."""
    mark = str(folder).encode() + b"/"
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if mark in read_proc(path)]


def read_proc(path: Path) -> bytes:
    """A file of /proc, or nothing if its process has ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def attempt(contender: Contender, work: Callable[[], Made]) -> Made | None:
    """Do it, or print why this contender is left out."""
    try:
        return work()
    except (ContenderFailed, OSError, KeyError) as error:
        reason = str(error) if isinstance(error, ContenderFailed) else repr(error)
        print(f"  {contender.name:24} left out: {reason}", flush=True)
        return None
