"""The gateway's command: how a client starts it, and how its entry in a config is recognised."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth.catalog.client_profiles import profile_named
from toolbooth.catalog.config.originals import WRAPPED_FOLDER
from toolbooth.catalog.server_spec import ServerSpec

_VARIABLE: Final = re.compile(
    r"\$(?:\{(?:env:)?(?P<braced>[A-Za-z_]\w*)(?::-[^{}]*)?\}|(?P<bare>[A-Za-z_]\w*))"
)


@dataclass(frozen=True)
class GatewayLaunch:
    """The gateway's command, and the entries of the client's file that move behind it, by name."""

    command: str
    args: tuple[str, ...]
    client: str
    moved: Mapping[str, Any] = field(repr=False, hash=False)

    def most(self, key: str, usual: float = 0) -> dict[str, float]:
        """The highest number under `key`, if it is above the client's default: the gateway must not time out first.

        The unit does not matter, because it is the same within one client.
        """
        found = [entry[key] for entry in self.moved.values() if isinstance(entry, Mapping) and key in entry]
        numbers = [each for each in found if isinstance(each, int | float) and not isinstance(each, bool)]
        return {key: max(numbers)} if max(numbers, default=usual) > usual else {}

    def variables(self) -> dict[str, str]:
        """The environment variables that the entries refer to, each with its reference as written."""
        found = (match for text in texts_in(self.moved) for match in _VARIABLE.finditer(text))
        return {match["braced"] or match["bare"]: match[0] for match in found}


def toolbooth_command() -> tuple[str, ...]:
    """The command of this installation with its absolute path, because a desktop client has another PATH than a shell.

    `-P` keeps the client's working folder, which may be a cloned repository with modules, out of Python's path.
    """
    python = Path(sys.executable)
    script = python.with_name("toolbooth.exe" if os.name == "nt" else "toolbooth")
    return (str(script),) if script.is_file() else (str(python), "-P", "-m", "toolbooth")


def texts_in(value: object) -> Iterator[str]:
    """Every text in a value, at any depth; keys are not included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for inner in value.values() for text in texts_in(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts_in(inner))


_RUNNERS: Final = frozenset({"uv", "uvx", "pipx"})
_SEPARATORS: Final = re.compile(r"[\\/]")


def is_gateway_server(spec: ServerSpec) -> bool:
    """Whether a server's command is `toolbooth`, `python -m toolbooth` or `uvx toolbooth`, followed by `serve`."""
    return is_gateway_command((spec.command, *spec.args))


def is_gateway_command(words: Sequence[str]) -> bool:
    """The same for the words of a command."""
    return any(_is_toolbooth(words, at) and "serve" in words[at + 1 :] for at in range(len(words)))


class ServeOptions(NamedTuple):
    """The options of `toolbooth serve`: its config files (none: the user's own) and its surface ("" is the default)."""

    configs: tuple[str, ...]
    surface: str = ""


def serve_options(words: Sequence[str]) -> ServeOptions:
    """The options in a command of the gateway, written as `--config FILE` or `--config=FILE`."""
    values = {"--config": list[str](), "--surface": list[str]()}
    for before, word in pairwise(words):
        if before in values:
            values[before].append(word)
    for word in words:
        option, equals, value = word.partition("=")
        if equals and option in values:
            values[option].append(value)
    return ServeOptions(tuple(values["--config"]), next(iter(values["--surface"][-1:]), ""))


def with_surface(args: Sequence[str], surface: str) -> list[str]:
    """The arguments of the gateway, with this surface in place of any other; the rest and its order stay."""
    kept: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--surface":
            next(words, None)
        elif not word.startswith("--surface="):
            kept.append(word)
    return [*kept, "--surface", surface]


def loading_keys(client: str, surface: str) -> dict[str, Any]:
    """What a client's entry says so that it loads the gateway's tools at once.

    On `direct` it may defer them: there are as many as its servers have.
    """
    profile = profile_named(client)
    return dict(profile.loading) if profile is not None and surface != "direct" else {}


def kept_copies(words: Sequence[str]) -> list[Path]:
    """The kept copies of wrapped files that a command of the gateway reads."""
    return [path for path in map(Path, serve_options(words).configs) if is_kept_copy(path)]


def is_kept_copy(path: Path) -> bool:
    """Whether a path is one where wrapping keeps a copy; the copy itself may be gone."""
    return path.parent.parent.name == WRAPPED_FOLDER


def _is_toolbooth(words: Sequence[str], at: int) -> bool:
    name = _program(words[at])
    if at == 0:
        return name == "toolbooth"
    named = words[at - 1] == "-m" or _program(words[0]) in _RUNNERS
    return named and name.partition("@")[0] == "toolbooth"


def _program(word: str) -> str:
    return _SEPARATORS.split(word)[-1].lower().removesuffix(".exe")
