"""Arguments that several verbs share, and a help that teaches with examples."""

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_NUMBER = re.compile(
    r"(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9][0-9_]{0,14})(?:\.[0-9]{1,6})?)(?P<k>k?)"
)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose mistakes are ours: one line, exit 2."""

    def __init__(self, verb: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"toolbooth {verb}",
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.color = False  # Python 3.14 would put escapes into the usage that `takes_command` extends

    def takes_command(self) -> None:
        """Name the part behind `--` in the usage; call it after the last option is added."""
        self.usage = self.format_usage().removeprefix("usage: ").rstrip() + " [-- COMMAND ...]"

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Argparse keeps silent when the help cannot be written; we do not."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise UserMistake(f"{message}; `{self.prog} --help` shows how")


def add_project(add: Callable[..., object]) -> None:
    """Whether the configs of the project count, which may be a stranger's."""
    add("--user-only", action="store_true", help="leave out the configs of the project in this folder")
    add("--trust-project", action="store_true", help="start what they name without asking")


class Words(NamedTuple):
    """A command line, cut at `--`: options before it, a server's own command after it."""

    options: list[str]
    command: list[str]


def cut_command(words: Sequence[str]) -> Words:
    """Whatever follows `--` is never ours to read."""
    words = list(words)
    if "--" not in words:
        return Words(words, [])
    at = words.index("--")
    if at == len(words) - 1:
        raise UserMistake("a command is missing after `--`, as in `-- npx -y some-mcp-server`")
    return Words(words[:at], words[at + 1 :])


def tokens(text: str) -> int:
    """A whole number from zero up; 8k, 1.5k, 8_000 and 8,000 are understood."""
    match = _NUMBER.fullmatch(text.strip().lower())
    value = Fraction(re.sub("[_,]", "", match["number"])) * (1000 if match["k"] else 1) if match else None
    if value is None or value.denominator != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, as in 8000, 8k or 1.5k")
    return int(value)


def positive(text: str) -> int:
    """The same above zero."""
    value = tokens(text)
    if not value:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return value


def seconds(text: str) -> float:
    """A duration above zero."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return value


def dollars(text: str) -> float:
    """An amount above zero; a dollar sign may stand before it."""
    value = _number(text.removeprefix("$"))
    if value is None or value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars, as in 0.50")
    return value


def share(text: str) -> float:
    """Points or percents from zero up."""
    value = _number(text.removesuffix("%"))
    if value is None or value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from zero up, as in 2 or 5%")
    return value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
