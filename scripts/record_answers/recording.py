"""The recorder: it calls running servers and keeps results in which nothing of this machine is left."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from scripts.bench_gateway.pipe import Pipe

from .calls import FOLDER, REPOSITORY, SITE, Call
from .servers import Server
from .shop import graph

_BATCH = 50  # entities in one call; the memory server rewrites its file each time


class Recorder:
    """Starts each server once, at its first call."""

    def __init__(self, base: Path, site: str, known: dict[str, Server]) -> None:
        self._places = {FOLDER: str(base / "shop"), REPOSITORY: str(base / "repository"), SITE: site}
        self._base, self._known = base, known
        self._pipes: dict[str, Pipe] = {}

    def record(self, call: Call) -> dict[str, Any]:
        """The whole record: who was asked what, and the result."""
        pipe = self._pipes.get(call.server) or self._start(call.server)
        arguments = self._swapped(call.arguments, outward=False)
        if call.server == "playwright":
            pipe.call("browser_navigate", {"url": arguments.pop("url")})
        result = pipe.call(call.tool, arguments).result
        asked = {"server": call.server, "tool": call.tool, "arguments": call.arguments, "kind": call.kind}
        return {**asked, "result": self._swapped(result, outward=True)}

    def close(self) -> None:
        for pipe in self._pipes.values():
            pipe.close()

    def _start(self, name: str) -> Pipe:
        server = self._known[name]
        pipe = self._pipes[name] = Pipe(server.command, self._base, {**os.environ, **server.env})
        pipe.open()
        if name == "memory":
            _teach(pipe)
        return pipe

    def _swapped(self, value: Any, *, outward: bool) -> Any:
        """This machine's folder and port replaced by the neutral ones, or the reverse."""
        text = orjson.dumps(value).decode()
        for neutral, own in self._places.items():
            text = text.replace(own, neutral) if outward else text.replace(neutral, own)
        return orjson.loads(text)


def _teach(memory: Pipe) -> None:
    entities = graph.entities()
    for start in range(0, len(entities), _BATCH):
        memory.call("create_entities", {"entities": entities[start : start + _BATCH]})
    memory.call("create_relations", {"relations": graph.relations()})


@contextmanager
def recorder(base: Path, site: str, known: dict[str, Server]) -> Iterator[Recorder]:
    """Every started server is stopped at the end."""
    made = Recorder(base, site, known)
    try:
        yield made
    finally:
        made.close()
