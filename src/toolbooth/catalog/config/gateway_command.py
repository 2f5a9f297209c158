"""The command of the gateway: how a client starts it, and whether a server of a config is the gateway itself."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth.catalog.config.wrapping.originals import WRAPPED_FOLDER
from toolbooth.catalog.server_spec import ServerSpec

_VARIABLE: Final = re.compile(
    r"\$(?:\{(?:env:)?(?P<braced>[A-Za-z_]\w*)(?::-[^{}]*)?\}|(?P<bare>[A-Za-z_]\w*))"
)


@dataclass(frozen=True)
class GatewayLaunch:
    """The command of the gateway and, by name, the entries as the client's file has them."""

    command: str
    args: tuple[str, ...]
    client: str
    moved: Mapping[str, Any] = field(repr=False, hash=False)

    def most(self, key: str, usual: float = 0) -> dict[str, float]:
        """The highest number under `key` if it is above the client's usual one: the gateway must not end first.

        Of the unit nothing need be known: within one client it is the same.
        """
        found = [entry[key] for entry in self.moved.values() if isinstance(entry, Mapping) and key in entry]
        numbers = [each for each in found if isinstance(each, int | float) and not isinstance(each, bool)]
        return {key: max(numbers)} if max(numbers, default=usual) > usual else {}

    def variables(self) -> dict[str, str]:
        """The environment variables that the entries refer to, each with its reference as it is written."""
        found = (match for text in texts_in(self.moved) for match in _VARIABLE.finditer(text))
        return {match["braced"] or match["bare"]: match[0] for match in found}


def toolbooth_command() -> tuple[str, ...]:
    """This very Toolbooth by absolute path: a client with a window has another PATH than a shell.

    `-P` keeps the client's working folder out of Python's path, where a clone could put a module of its own.
    """
    python = Path(sys.executable)
    script = python.with_name("toolbooth.exe" if os.name == "nt" else "toolbooth")
    return (str(script),) if script.is_file() else (str(python), "-P", "-m", "toolbooth")


def texts_in(value: object) -> Iterator[str]:
    """Every text in a value, however deep; keys are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for inner in value.values() for text in texts_in(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts_in(inner))


_RUNNERS: Final = frozenset({"uv", "uvx", "pipx"})
_SEPARATORS: Final = re.compile(r"[\\/]")


def is_gateway_server(spec: ServerSpec) -> bool:
    """`toolbooth`, `python -m toolbooth` or `uvx toolbooth`, with `serve` behind it."""
    return is_gateway_command((spec.command, *spec.args))


def is_gateway_command(words: Sequence[str]) -> bool:
    """The same for the words of a command."""
    return any(_is_toolbooth(words, at) and "serve" in words[at + 1 :] for at in range(len(words)))


class ServeOptions(NamedTuple):
    """What `toolbooth serve` was told: the files to read (none: the user's own) and the surface ("" is its default)."""

    configs: tuple[str, ...]
    surface: str = ""


def serve_options(words: Sequence[str]) -> ServeOptions:
    """The options of a command of the gateway, as `--config FILE` or `--config=FILE`."""
    values = {"--config": list[str](), "--surface": list[str]()}
    for before, word in pairwise(words):
        if before in values:
            values[before].append(word)
    for word in words:
        option, equals, value = word.partition("=")
        if equals and option in values:
            values[option].append(value)
    return ServeOptions(tuple(values["--config"]), next(iter(values["--surface"][-1:]), ""))


def kept_copies(words: Sequence[str]) -> list[Path]:
    """The kept copies of wrapped files that a command of the gateway reads."""
    return [path for path in map(Path, serve_options(words).configs) if is_kept_copy(path)]


def is_kept_copy(path: Path) -> bool:
    """Whether a path is one where wrapping keeps a copy; whether the copy is still there is another question."""
    return path.parent.parent.name == WRAPPED_FOLDER


def _is_toolbooth(words: Sequence[str], at: int) -> bool:
    name = _program(words[at])
    if at == 0:
        return name == "toolbooth"
    named = words[at - 1] == "-m" or _program(words[0]) in _RUNNERS
    return named and name.partition("@")[0] == "toolbooth"


def _program(word: str) -> str:
    return _SEPARATORS.split(word)[-1].lower().removesuffix(".exe")
