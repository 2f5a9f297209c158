"""How the gateway is started, and for which moved servers: what a format needs to write the gateway's entry."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_VARIABLE: Final = re.compile(
    r"\$(?:\{(?:env:)?(?P<braced>[A-Za-z_]\w*)(?::-[^{}]*)?\}|(?P<bare>[A-Za-z_]\w*))"
)


@dataclass(frozen=True)
class Launch:
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


def own_command() -> tuple[str, ...]:
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
