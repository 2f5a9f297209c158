"""`toolbooth serve` with a temporary home, and the time from its start to its first `tools/list`.

The user's home stays untouched; the servers behind the gateway see the environment they would see without it.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth import catalog, errors, files
from toolbooth.bench.latency.connections import all_connected, list_all
from toolbooth.catalog.config import toolbooth_command

_HOMES: Final = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
_XDG: Final = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
_VARIABLE: Final = "TOOLBOOTH_BENCH_TEXT_"
_BOUNDS: Final = ("timeout", "call_timeout", "concurrency")


class IsolatedHome(NamedTuple):
    """A config of the gateway, and an environment whose home is a folder of this run."""

    config: Path
    environ: Mapping[str, str]

    def gateway(self, surface: str) -> catalog.ServerSpec:
        """The command that a client would start."""
        command, *words = toolbooth_command()
        words += ["serve", "--no-daemon", "--config", str(self.config), "--surface", surface]
        return catalog.ServerSpec("toolbooth", "stdio", command, tuple(words), whole_environment=True)


def isolated_home(
    specs: Sequence[catalog.ServerSpec], folder: Path, environ: Mapping[str, str]
) -> IsolatedHome:
    """Create the home in `folder`; the servers see the environment they would see without a gateway."""
    moved = {
        name: str(folder) for name in _HOMES if name in environ or (name == "HOME" and os.name == "posix")
    }
    config = _GatewayConfig(environ, [*moved, *_XDG])
    path = folder / "toolbooth.yaml"
    files.write_new(path, json.dumps(config.document(specs)).encode())
    kept = {name: value for name, value in environ.items() if name not in _XDG}
    return IsolatedHome(path, {**kept, **moved, **config.variables})


class _GatewayConfig:
    """`restored` are the variables that differ between the gateway and its servers."""

    def __init__(self, environ: Mapping[str, str], restored: Sequence[str]) -> None:
        own = {"HOME": str(Path.home()), **environ}
        self._restored = {name: own[name] for name in restored if name in own}
        self.variables: dict[str, str] = {}

    def document(self, specs: Sequence[catalog.ServerSpec]) -> dict[str, Any]:
        """Servers stay up for the whole run, as they do without a gateway."""
        return {
            "servers": {spec.name: self._entry(spec) for spec in specs},
            "scripts": "no-scripts",
            "gateway": {"idle_stop": 0},
        }

    def _entry(self, spec: catalog.ServerSpec) -> dict[str, Any]:
        bounds = {name: getattr(spec, name) for name in _BOUNDS}
        if spec.transport != "stdio":
            headers = {key: self._text(value) for key, value in spec.headers.items()}
            url = self._text(spec.url)
            return {"url": url, "transport": spec.transport, "headers": headers, **bounds}
        env = {**self._restored, **spec.env}
        return {
            "command": self._text(os.path.expanduser(spec.command)),  # noqa: PTH111 - a word, not a path
            "args": [self._text(word) for word in spec.args],
            "env": {key: self._text(value) for key, value in env.items()},
            "cwd": self._text(str(spec.cwd or Path.cwd())),
            **bounds,
        }

    def _text(self, text: str) -> str:
        """Text that looks like a variable reference becomes a variable, because values are not expanded again."""
        if "${" not in text:
            return text
        name = f"{_VARIABLE}{len(self.variables)}"
        self.variables[name] = text
        return f"${{{name}}}"


class Starts(NamedTuple):
    """Start times in milliseconds, handshakes included."""

    gateway: list[float]
    servers: list[float]


async def measure_starts(
    home: IsolatedHome, specs: Sequence[catalog.ServerSpec], starts: int, progress: Callable[[int], None]
) -> Starts:
    """Start the gateway from its warm cache, then all servers at once; the first start of each is not counted."""
    taken = Starts([], [])
    for done in range(starts + 1):
        progress(done)
        taken.gateway.append(await _first_list([home.gateway("search")], home.environ))
        taken.servers.append(await _first_list(specs, None))
    return Starts(taken.gateway[1:], taken.servers[1:])


async def _first_list(specs: Sequence[catalog.ServerSpec], environ: Mapping[str, str] | None) -> float:
    began = time.perf_counter()
    async with all_connected(specs, environ) as running:
        for name, fault in running.faults.items():
            raise errors.BackendCrashed(fault, name)
        await list_all(list(running.peers.values()))
        return (time.perf_counter() - began) * 1000
