"""Arguments that several verbs share, and a help that teaches with examples."""

import argparse
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from toolbooth.errors import UserMistake


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

    def error(self, message: str) -> NoReturn:
        raise UserMistake(f"{message}; `{self.prog} --help` shows how")


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


def positive(text: str) -> int:
    """A whole number above zero; 8k and 8_000 are understood."""
    digits = text.lower().replace("_", "").replace(",", "")
    number = digits.removesuffix("k")
    if not number.isdigit() or int(number) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return int(number) * (1000 if digits.endswith("k") else 1)


def seconds(text: str) -> float:
    """A duration above zero."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return value
