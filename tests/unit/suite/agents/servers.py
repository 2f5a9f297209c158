"""Specs of real servers for toolboxes."""

import os
import sys
from pathlib import Path

import anyio
from tests.faults.gateway_driver import HOSTILE, alive
from tests.stepped_clock import SteppedClock

from toolbooth.catalog import ServerSpec
from toolbooth.demo import demo_command
from toolbooth.limits import CALL_TIMEOUT

ENVIRON = {"PATH": os.environ["PATH"]}


def demo(name: str, called: str = "") -> ServerSpec:
    """A bundled server, perhaps under another name."""
    command, *args = demo_command(name)
    return ServerSpec(called or name, "stdio", command, tuple(args))


def hostile(folder: Path, name: str = "h", **env: str) -> ServerSpec:
    """One whose tools misbehave; it writes what it saw to its call log."""
    args = ("-S", HOSTILE, str(call_log(folder, name)))
    return ServerSpec(name, "stdio", sys.executable, args, env)


def call_log(folder: Path, name: str = "h") -> Path:
    return folder / f"{name}.log"


def pids(folder: Path, name: str = "h") -> list[int]:
    """Every process of it that was ever started."""
    lines = call_log(folder, name).read_text(encoding="utf-8").splitlines()
    return [int(line.split()[1]) for line in lines if line.startswith("start ")]


def none_alive(folder: Path, name: str = "h") -> bool:
    return not any(map(alive, pids(folder, name)))


async def let_time_pass(clock: SteppedClock, folder: Path, calls: int = 1) -> None:
    """The deadline of a call passes once the server has that call: the `calls`th that hangs."""
    while not call_log(folder).exists() or call_log(folder).read_text("utf-8").count("call hang") < calls:  # noqa: ASYNC110
        await anyio.sleep(0.01)
    clock.advance(CALL_TIMEOUT)
