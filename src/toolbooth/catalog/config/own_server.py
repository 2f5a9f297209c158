"""A server of a config → whether it is `toolbooth serve` itself, as a wrapped client's config has it."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth.catalog.config.wrapping.manifest import FOLDER
from toolbooth.catalog.server_spec import ServerSpec

_RUNNERS: Final = frozenset({"uv", "uvx", "pipx"})
_SEPARATORS: Final = re.compile(r"[\\/]")


def is_own_server(spec: ServerSpec) -> bool:
    """`toolbooth`, `python -m toolbooth` or `uvx toolbooth`, with `serve` behind it."""
    return is_own_command((spec.command, *spec.args))


def is_own_command(words: Sequence[str]) -> bool:
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
    return path.parent.parent.name == FOLDER


def _is_toolbooth(words: Sequence[str], at: int) -> bool:
    name = _program(words[at])
    if at == 0:
        return name == "toolbooth"
    named = words[at - 1] == "-m" or _program(words[0]) in _RUNNERS
    return named and name.partition("@")[0] == "toolbooth"


def _program(word: str) -> str:
    return _SEPARATORS.split(word)[-1].lower().removesuffix(".exe")
