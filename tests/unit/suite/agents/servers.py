"""Specs of real servers for toolboxes."""

import os
import sys
from pathlib import Path

from tests.faults.gateway_driver import HOSTILE, alive

from toolbooth.catalog import ServerSpec
from toolbooth.demo import demo_command

ENVIRON = {"PATH": os.environ["PATH"]}


def demo(name: str, called: str = "") -> ServerSpec:
    """A bundled server, perhaps under another name."""
    command, *args = demo_command(name)
    return ServerSpec(called or name, "stdio", command, tuple(args))


def hostile(folder: Path, name: str = "h", *, timeout: float = 60.0, **env: str) -> ServerSpec:
    """One whose tools misbehave; what it saw stands in its diary."""
    args = ("-S", HOSTILE, str(diary(folder, name)))
    return ServerSpec(name, "stdio", sys.executable, args, env, call_timeout=timeout)


def diary(folder: Path, name: str = "h") -> Path:
    return folder / f"{name}.diary"


def pids(folder: Path, name: str = "h") -> list[int]:
    """Every process of it that was ever started."""
    lines = diary(folder, name).read_text(encoding="utf-8").splitlines()
    return [int(line.split()[1]) for line in lines if line.startswith("start ")]


def none_alive(folder: Path, name: str = "h") -> bool:
    return not any(map(alive, pids(folder, name)))
