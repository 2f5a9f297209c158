"""One holder at a time, between processes, and none for ever."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from toolbooth.catalog.connect.oauth.file_lock import locked

pytestmark = pytest.mark.anyio

HOLDER = """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


async def test_two_holders_of_one_process_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []

    async def hold(number: int) -> None:
        async with locked(tmp_path / "lock", 10):
            inside.append(number)
            await anyio.lowlevel.checkpoint()
            assert inside[-1] == number
            inside.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(hold, number)
    assert len(inside) == 10
    assert inside[::2] == inside[1::2]


async def test_the_lock_of_another_process_holds_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:  # noqa: ASYNC220
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError):
            async with locked(path, 0.1):
                pass
        other.kill()
    async with locked(path, 10):
        pass
