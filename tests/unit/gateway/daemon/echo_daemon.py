"""A real daemon with a small service of its own: each line of a client is a request, answered by one line.

`echo` answers, `hang` never does, `wait` does once the file in `value` is there, `half` writes half an answer,
`environ` and `fact` tell what the session has, `crash` ends the daemon at once.
"""

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import anyio

from toolbooth.errors import UserMistake
from toolbooth.gateway.daemon.journal import RequestJournal
from toolbooth.gateway.daemon.service import run_daemon
from toolbooth.gateway.daemon.session import Hello, ServeClient


class Client:
    def __init__(self, hello: Hello, read: int, write: int, journal: RequestJournal | None) -> None:
        self.hello, self.read, self.write, self.journal = hello, read, write, journal
        self.turn = anyio.Lock()

    async def lines(self) -> AsyncIterator[dict[str, Any]]:
        buffer = b""
        while True:
            await anyio.wait_readable(self.read)
            part = os.read(self.read, 65_536)
            if not part:
                return
            *whole, buffer = (buffer + part).split(b"\n")
            for line in whole:
                yield json.loads(line)

    async def say(self, **message: Any) -> None:
        line = json.dumps({"daemon": os.getpid(), **message}).encode() + b"\n"
        async with self.turn:
            while line:
                try:
                    line = line[os.write(self.write, line) :]
                except BlockingIOError:
                    await anyio.wait_writable(self.write)

    async def answer(self, request: dict[str, Any]) -> None:
        request_id, value = request["id"], request.get("value", "")
        if self.journal:
            self.journal.begin(request_id)
        result = await self.work(request["method"], value)
        if self.journal:  # before the answer: a test that has read it may kill us
            self.journal.end(request_id)
        await self.say(id=request_id, result=result)

    async def work(self, method: str, value: str) -> Any:
        match method:
            case "hang":
                await anyio.sleep_forever()
            case "wait":
                while not await anyio.Path(value).exists():  # noqa: ASYNC110
                    await anyio.sleep(0.01)
            case "half":
                assert self.journal
                self.journal.writing(True)
                os.write(self.write, b'{"id": 99, "resu')
                await anyio.sleep_forever()
            case "environ":
                return self.hello.environ.get(value)
            case "fact":
                assert self.journal
                before = self.journal.recall("fact")
                self.journal.remember("fact", {"is": value})
                return before
            case "crash":
                os._exit(9)
        return value


async def serve_client(
    hello: Hello, read: int, write: int, journal: RequestJournal | None, *, resumed: bool
) -> None:
    os.set_blocking(write, False)
    client = Client(hello, read, write, journal)
    try:
        if resumed and journal:
            if journal.was_writing:
                os.write(write, b"\n")
                journal.writing(False)
            for request_id in journal.interrupted():
                await client.say(id=request_id, error="the daemon ended during this call")
                journal.end(request_id)
        async with anyio.create_task_group() as tasks:
            async for request in client.lines():
                tasks.start_soon(client.answer, request)
    finally:
        for descriptor in (read, write):
            with suppress(OSError):
                os.close(descriptor)


class Echo:
    async def enter(self, hello: Hello) -> ServeClient:
        if "--wrong" in hello.words:
            raise UserMistake("there is no \x1b[31moption --wrong")
        if "--die" in hello.words:
            os._exit(9)
        if "--bug" in hello.words:
            raise RuntimeError(f"a bug with {hello.environ.get('CANARY')}")
        return partial(serve_client, hello)

    def status(self) -> Mapping[str, Any]:
        """As the runtime reports it."""
        server = {"server": "echo\x1b[2J", "state": "up", "tools": 3, "calls": 0}
        other = {"server": "gone", "state": "down", "tools": None, "calls": 2, "fault": "it \x1b[31mcrashed"}
        reported = {
            "configs": ["a.json"],
            "folder": "/tmp",
            "sessions": 0,
            "servers": [server, other],
            "source_errors": ["b.json: no"],
        }
        return {"gateways": [reported], "notes": []}

    def forget(self) -> None:
        return None

    def idle(self) -> float:
        return float(os.environ.get("TOOLBOOTH_DAEMON_IDLE", "60"))


@asynccontextmanager
async def open_echo() -> AsyncIterator[Echo]:
    folder = os.environ["XDG_RUNTIME_DIR"]
    if os.path.exists(f"{folder}/failing"):  # noqa: PTH110, ASYNC240
        raise RuntimeError("no luck today")
    if os.path.exists(f"{folder}/once"):  # noqa: PTH110, ASYNC240
        os.unlink(f"{folder}/once")  # noqa: PTH108
        os.kill(os.getpid(), signal.SIGKILL)
    yield Echo()


if __name__ == "__main__":
    run_daemon(open_echo, int(sys.argv[1]))
