"""Runs the command line as a user does: a process of its own, with a home and an environment of its own."""

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


@dataclass(frozen=True)
class CommandResult:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def toolbooth(*words: str | Path, home: Path, cwd: Path | None = None, **environ: str) -> CommandResult:
    """`home` is an empty folder of the test: nothing of the real user's configs may leak in."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONUTF8": "1", **environ}
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=env,
        cwd=cwd or home,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return CommandResult(done.returncode, done.stdout, done.stderr)


class Screen(NamedTuple):
    code: int
    screen: str


def at_a_terminal(*words: str, typed: str, home: Path, cwd: Path, **environ: str) -> str:
    """The same at a pseudo-terminal, with `typed` at the keyboard; gives back the screen."""
    return code_at_a_terminal(*words, typed=typed, home=home, cwd=cwd, **environ).screen


def code_at_a_terminal(*words: str, typed: str, home: Path, cwd: Path, **environ: str) -> Screen:
    """The same, with the exit code."""
    ours, theirs = pty.openpty()
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONUTF8": "1", "TERM": "xterm", **environ}
    command = [sys.executable, "-m", "toolbooth", *words]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=cwd)
    os.close(theirs)
    os.write(ours, typed.encode())
    screen = b""
    with suppress(OSError):  # Linux reports the other side's end as an error
        while chunk := os.read(ours, 4096):
            screen += chunk
    code = process.wait(timeout=120)
    os.close(ours)
    return Screen(code, screen.decode("utf-8", "replace"))
