"""A program that embeds a gateway: `python embedding_program.py LOOP WORK CONFIG`, on asyncio's own loop or on uvloop.

What it finds is printed as JSON.
"""

import asyncio
import gc
import json
import logging
import os
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy  # noqa: F401 - sets filters for warnings when it is imported, which is no doing of ours
import uvloop

from toolbooth import gateway

AT_ONCE = 3
THREAD_END = 60.0  # seconds; only a program that fails waits that long
SIZES = (1_000, 900_000, 15_000_000)


async def answers(config: str) -> list[list[int]]:
    """The lengths of answers, several of each size at once: each whole, and as it is cut for a model."""
    async with gateway.open(config) as tools:

        async def answer(size: int, **options: bool) -> int:
            given = {"name": "b.bulk", "arguments": {"size": size}, **options}
            return len((await tools.call("call_tool", given)).text)

        found = []
        for size in SIZES:
            asked = [answer(size, **options) for options in ({"reduce": False}, {}) for _ in range(AT_ONCE)]
            found.append(list(await asyncio.gather(*asked)))
        return found


async def changes(config: str) -> list[str]:
    """What a host program would find changed, while a gateway is open and after it."""
    before = host_state()
    async with gateway.open(config) as tools:
        await tools.search("bulk")
        await tools.call("b.bulk", {"size": 100_000})
        inside = host_state()
    after = host_state()
    return [name for name in before if not before[name] == inside[name] == after[name]]


def host_state() -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    return {
        "log": (list(logging.root.handlers), logging.root.level),
        "signals": [signal.getsignal(each) for each in signal.valid_signals()],
        "policy": type(asyncio.get_event_loop_policy()),
        "exceptions": (loop.get_exception_handler(), sys.excepthook, threading.excepthook),
        "executor": getattr(loop, "_default_executor", None),
        "collector": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()),
        "interpreter": (sys.getswitchinterval(), sys.getrecursionlimit(), list(warnings.filters)),
        "process": (Path.cwd(), dict(os.environ), resource.getrlimit(resource.RLIMIT_NOFILE)),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
    }


async def wait(config: str) -> None:
    """Calls a tool that does not answer, until somebody ends this."""
    async with gateway.open(config) as tools:
        await tools.call("s.wait", {"text": "never"})


WORKS: dict[str, Callable[[str], Awaitable[object]]] = {"answers": answers, "changes": changes, "wait": wait}


async def main(work: str, config: str) -> None:
    print(json.dumps(await WORKS[work](config)))


if __name__ == "__main__":
    loop, work, config = sys.argv[1:]
    (uvloop.run if loop == "uvloop" else asyncio.run)(main(work, config))
    left = [each for each in threading.enumerate() if each is not threading.main_thread()]
    for each in left:  # told to end with the loop
        each.join(THREAD_END)
        assert not each.is_alive(), each.name
