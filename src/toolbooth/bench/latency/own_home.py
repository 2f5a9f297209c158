"""Servers → a `toolbooth serve` in front of them, whose home is of this run: the user's own stays untouched."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.config import own_command

_HOMES: Final = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
_XDG: Final = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
_VARIABLE: Final = "TOOLBOOTH_BENCH_TEXT_"
_BOUNDS: Final = ("timeout", "call_timeout", "concurrency")


class OwnHome(NamedTuple):
    """A config of the gateway, and the environment in which its home is the folder of this run."""

    config: Path
    environ: Mapping[str, str]

    def gateway(self, surface: str) -> ServerSpec:
        """The very command that a client would start."""
        command, *words = own_command()
        words += ["serve", "--no-daemon", "--config", str(self.config), "--surface", surface]
        return ServerSpec("toolbooth", "stdio", command, tuple(words), whole_environment=True)


def own_home(specs: Sequence[ServerSpec], folder: Path, environ: Mapping[str, str]) -> OwnHome:
    """Make it in `folder`; the servers behind the gateway see what they would see without it."""
    moved = {
        name: str(folder) for name in _HOMES if name in environ or (name == "HOME" and os.name == "posix")
    }
    config = _Config(environ, [*moved, *_XDG])
    path = folder / "toolbooth.yaml"
    path.touch(mode=0o600)
    path.write_text(json.dumps(config.document(specs)), encoding="utf-8")
    kept = {name: value for name, value in environ.items() if name not in _XDG}
    return OwnHome(path, {**kept, **moved, **config.variables})


class _Config:
    """`restored` are the variables of which the gateway has others than its servers shall have."""

    def __init__(self, environ: Mapping[str, str], restored: Sequence[str]) -> None:
        own = {"HOME": str(Path.home()), **environ}
        self._restored = {name: own[name] for name in restored if name in own}
        self.variables: dict[str, str] = {}

    def document(self, specs: Sequence[ServerSpec]) -> dict[str, Any]:
        """Servers stay up for the whole run, as they do without a gateway."""
        return {
            "servers": {spec.name: self._entry(spec) for spec in specs},
            "scripts": "no-scripts",
            "gateway": {"idle_stop": 0},
        }

    def _entry(self, spec: ServerSpec) -> dict[str, Any]:
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
        """What looks like a reference to a variable is text here: only the value of one is never expanded again."""
        if "${" not in text:
            return text
        name = f"{_VARIABLE}{len(self.variables)}"
        self.variables[name] = text
        return f"${{{name}}}"
