"""Arguments that several verbs share, and a help that teaches with examples."""

import argparse
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

FORMER_NAMES = {
    "--out": "--output",
    "--corpus": "--catalog",
    "--limit": "--top",
    "--worst": "--top",
    "--replace": "--force",
}
"""Options of the same meaning have the same name in every command; these were theirs in some."""
HELP_WIDTH = 80  # columns
_COMMAND = "[-- COMMAND ...]"
_UNRECOGNIZED = "unrecognized arguments: "
_CHOICE = re.compile(r"invalid choice: '?(?P<word>[^\s']+)'? \(choose from (?P<choices>[^)]*)\)")
_NUMBER = re.compile(
    r"(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9][0-9_]{0,14})(?:\.[0-9]{1,6})?)(?P<k>k?)"
)


class _Help(argparse.RawDescriptionHelpFormatter):
    """At most as wide as a usual terminal, however wide this one is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(HELP_WIDTH, get_terminal_size().columns))


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose mistakes are ours: one line, exit 2, with the nearest right word."""

    def __init__(self, verb: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"toolbooth {verb}",
            description=help_text(description),
            epilog=f"examples:\n{help_text(examples)}",
            formatter_class=_Help,
            allow_abbrev=False,
        )
        self.color = False  # Python 3.14 would put escapes into the usage that `takes_command` extends

    def takes_command(self) -> None:
        """Name the part behind `--` in the usage; call it after the last option is added."""
        usage = self.format_usage().removeprefix("usage: ").rstrip()
        last = usage.rpartition("\n")[2]
        indent = f"\n{' ' * (len(last) - len(last.lstrip()))}" if "\n" in usage else f"\n{' ' * 7}"
        room = HELP_WIDTH - len(last) - (0 if "\n" in usage else len("usage: "))
        self.usage = usage + (" " if len(_COMMAND) < room else indent) + _COMMAND

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Former names of options go on working, and the help does not show them."""
        known = self._option_string_actions
        for old, new in FORMER_NAMES.items():
            if new in known:
                known.setdefault(old, known[new])
        words = self._one_spelling(list(sys.argv[1:] if args is None else args))
        return super().parse_known_args(words, namespace)

    def _one_spelling(self, words: list[str]) -> list[str]:
        """`--format markdown` and `--markdown` are one wish: each command takes both."""
        known = self._option_string_actions
        if "--format" in known:
            return _spelled(words, {} if "--markdown" in known else {"--markdown": ["--format", "markdown"]})
        shorts = {f"--format={name}": [f"--{name}"] for name in ("json", "markdown") if f"--{name}" in known}
        return _spelled(_joined(words), {**shorts, "--format=human": []}) if shorts else words

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Argparse keeps silent when the help cannot be written; we do not."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise UserMistake(f"{_plainer(message)}{self._nearest(message)}; `{self.prog} --help` shows how")

    def _nearest(self, message: str) -> str:
        """The option or choice that was probably meant."""
        unknown = message.removeprefix(_UNRECOGNIZED)
        if unknown != message:
            shown = [
                name for action in self._actions for name in action.option_strings if name.startswith("--")
            ]
            words = [word.partition("=")[0] for word in unknown.split() if word.startswith("-")]
            found = [each for word in words for each in get_close_matches(word, shown, n=1)]
            return f" (did you mean {found[0]}?)" if found else ""
        chosen = _CHOICE.search(message)
        choices = re.findall(r"[^\s,']+", chosen["choices"]) if chosen else []
        found = get_close_matches(chosen["word"], choices, n=1) if chosen else []
        return f" (did you mean {found[0]}?)" if found else ""


def _joined(words: list[str]) -> list[str]:
    """`--format NAME` as one word."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--format":
            joined[-1] = f"--format={word}"
        else:
            joined.append(word)
    return joined


def _spelled(words: list[str], as_: Mapping[str, list[str]]) -> list[str]:
    return [spelled for word in words for spelled in as_.get(word, [word])]


def _plainer(message: str) -> str:
    """As the rest of the command line words it."""
    rest = message.removeprefix(_UNRECOGNIZED)
    if rest == message:
        return message
    words = rest.split()
    options = [word for word in words if word.startswith("-")]
    return f"unknown option {options[0]}" if options else f"unexpected argument {' '.join(words)}"


def help_text(text: str) -> str:
    """The same within the width of a help: prose is filled, what explains a command moves below it."""
    lines: list[str] = []
    prose: list[str] = []
    for line in [*text.rstrip().split("\n"), ""]:
        if line and not line.startswith(" "):
            prose.append(line)
            continue
        lines += wrap(" ".join(prose), HELP_WIDTH, break_on_hyphens=False, break_long_words=False)
        prose = []
        lines += _example(line)
    return "\n".join(lines)


def _example(line: str) -> list[str]:
    if len(line) <= HELP_WIDTH:
        return [line]
    command, *explained = re.split(r"(?<=\S) {2,}", line, maxsplit=1)
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    filled = wrap(
        command, HELP_WIDTH - 2, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    typed = " \\" if command.lstrip().startswith("toolbooth ") else ""
    lines = [f"{part}{typed}" for part in filled[:-1]] + filled[-1:]
    for words in explained:
        lines += wrap(words, HELP_WIDTH, initial_indent=indent, subsequent_indent=indent)
    return lines


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
