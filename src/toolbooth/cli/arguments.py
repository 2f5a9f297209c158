"""The argument parser of every command, and the argument types and options that several commands share."""

import argparse
import math
import re
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from toolbooth import errors, safetext, suggest

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


FORMER_NAMES = {
    "--out": "--output",
    "--corpus": "--catalog",
    "--limit": "--top",
    "--worst": "--top",
    "--replace": "--force",
}
"""Former names of options, accepted in place of the present ones."""
HELP_WIDTH = 80  # columns
UNTRUSTED: Final = "the project's config is not trusted"
_OF_ALL: Final = (0, 2, 130)  # exit codes of every command
_COMMAND = "[-- COMMAND ...]"
_UNRECOGNIZED = "unrecognized arguments: "
_CHOICE = re.compile(
    r"argument (?P<name>\S+): invalid choice: (?P<quote>['\"]?)(?P<word>.*)(?P=quote) "
    r"\(choose from (?P<choices>[^)]*)\)",
    re.DOTALL,
)
_NUMBER = re.compile(
    r"(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9][0-9_]{0,14})(?:\.[0-9]{1,6})?)(?P<k>k?)"
)


class _Help(argparse.RawDescriptionHelpFormatter):
    """A help page is at most 80 columns wide."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(HELP_WIDTH, get_terminal_size().columns))


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose help has examples and exit codes, and whose errors are one line with a suggestion."""

    def __init__(
        self, command: str, description: str, examples: str, exits: Mapping[int, str] | None = None
    ) -> None:
        """`exits` are the codes that not every command can give; an empty meaning is that of `errors.EXIT_CODES`."""
        self._examples, self._exits = help_text(examples), dict(exits or {})
        super().__init__(
            prog=f"toolbooth {command}",
            description=help_text(description),
            formatter_class=_Help,
            allow_abbrev=False,
        )
        self.color = False  # Python 3.14 would put escapes into the usage that `takes_command` extends

    def takes_command(self) -> None:
        """Name the part behind `--` in the usage; call it after the last option is added."""
        usage = self.format_usage().removeprefix("usage: ").rstrip()
        last = usage.rpartition("\n")[2]
        indent = f"\n{' ' * (len(last) - len(last.lstrip()))}" if "\n" in usage else f"\n{' ' * 7}"
        available = HELP_WIDTH - len(last) - (0 if "\n" in usage else len("usage: "))
        self.usage = usage + (" " if len(_COMMAND) < available else indent) + _COMMAND

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Former option names still work; the help does not show them."""
        known = self._option_string_actions
        for old, new in FORMER_NAMES.items():
            if new in known:
                known.setdefault(old, known[new])
        words = self._one_spelling(list(sys.argv[1:] if args is None else args))
        return super().parse_known_args(words, namespace)

    def _one_spelling(self, words: list[str]) -> list[str]:
        """`--format markdown` and `--markdown` mean the same; each command accepts both."""
        known = self._option_string_actions
        if "--format" in known:
            return _spelled(words, {} if "--markdown" in known else {"--markdown": ["--format", "markdown"]})
        shorts = {f"--format={name}": [f"--{name}"] for name in ("json", "markdown") if f"--{name}" in known}
        return _spelled(_joined(words), {**shorts, "--format=human": []}) if shorts else words

    @property
    def exit_codes(self) -> dict[int, str]:
        """Every exit code that the command can give, and what it means here."""
        asks = (
            {errors.Refused.exit_code: UNTRUSTED} if "--trust-project" in self._option_string_actions else {}
        )
        given = {**dict.fromkeys(_OF_ALL, ""), **asks, **self._exits}
        return {code: given[code] or errors.EXIT_CODES[code] for code in sorted(given)}

    def format_help(self) -> str:
        """The exit codes depend on the options, so they are known only now."""
        self.epilog = f"examples:\n{self._examples}\n\n{_exit_lines(self.exit_codes)}"
        return super().format_help()

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Argparse ignores a failed write of the help; we raise it."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise errors.UserMistake(f"{_plainer(message)}{self._nearest(message)}; see `{self.prog} --help`")

    def _nearest(self, message: str) -> str:
        """The option or choice that was probably meant, or all choices."""
        unknown = message.removeprefix(_UNRECOGNIZED)
        if unknown != message:
            shown = [
                name for action in self._actions for name in action.option_strings if name.startswith("--")
            ]
            words = [word.partition("=")[0] for word in unknown.split() if word.startswith("-")]
            meant = [each for word in words for each in suggest.closest(word, shown)]
        else:
            chosen = _CHOICE.fullmatch(message)
            choices = _choices(chosen["choices"]) if chosen else []
            meant = suggest.closest(chosen["word"], choices) if chosen else []
            if chosen and not meant:
                return f"; choose from {', '.join(choices)}"
        return f" (did you mean {meant[0]}?)" if meant else ""


def _exit_lines(codes: Mapping[int, str]) -> str:
    lines = [f"  {code:<5}{meaning}" for code, meaning in codes.items()]
    return "\n".join(["exit codes:", *(fill(line, HELP_WIDTH, subsequent_indent=" " * 7) for line in lines)])


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
    """Argparse's message in our wording."""
    chosen = _CHOICE.fullmatch(message)
    if chosen:
        option = f" for {chosen['name']}" if chosen["name"].startswith("-") else ""
        return f"unknown value '{safetext.for_terminal(chosen['word'], 60)}'{option}"
    rest = message.removeprefix(_UNRECOGNIZED)
    if rest == message:
        return message
    words = rest.split()
    options = [word for word in words if word.startswith("-")]
    return f"unknown option {options[0]}" if options else f"unexpected argument {' '.join(words)}"


def _choices(listed: str) -> list[str]:
    """The names in argparse's list; Python 3.14 does not quote them."""
    return re.findall(r"[^\s,']+", listed)


def help_text(text: str) -> str:
    """Text that fits a help page: prose is filled, and the explanation of a long example moves below it."""
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
    """Whether to use the configs of the current project, which may come from an untrusted clone."""
    add("--user-only", action="store_true", help="ignore the configs of the project in this folder")
    add("--trust-project", action="store_true", help="start the project's servers without asking")


class CommandLine(NamedTuple):
    """A command line, cut at `--`: options before it, a server's own command after it."""

    options: list[str]
    command: list[str]


def split_command_line(words: Sequence[str]) -> CommandLine:
    """Split at the first `--`; we never interpret what follows it."""
    words = list(words)
    if "--" not in words:
        return CommandLine(words, [])
    at = words.index("--")
    if at == len(words) - 1:
        raise errors.UserMistake("a command is missing after `--`; try `-- npx -y some-mcp-server`")
    return CommandLine(words[:at], words[at + 1 :])


def tokens(text: str) -> int:
    """A whole number from zero up; 8k, 1.5k, 8_000 and 8,000 are understood."""
    match = _NUMBER.fullmatch(text.strip().lower())
    value = Fraction(re.sub("[_,]", "", match["number"])) * (1000 if match["k"] else 1) if match else None
    if value is None or value.denominator != 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number of zero or more; try 8000, 8k or 1.5k"
        )
    return int(value)


def positive(text: str) -> int:
    """A whole number above zero."""
    try:
        value = tokens(text)
    except argparse.ArgumentTypeError:
        value = 0
    if not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero; try 10")
    return value


def seconds(text: str) -> float:
    """A duration above zero."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seconds above zero and below a day; try 60"
        )
    return value


def dollars(text: str) -> float:
    """An amount above zero; a leading dollar sign is allowed."""
    value = _number(text.removeprefix("$"))
    if value is None or value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount in dollars; try 0.50")
    return value


def share(text: str) -> float:
    """Points or a percentage, zero or more."""
    value = _number(text.removesuffix("%"))
    if value is None or value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of zero or more; try 2 or 5%")
    return value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_AGO: Final = re.compile(r"(\d{1,6})([smhdw])")


def since(text: str) -> float:
    """A time ago or a date, as a timestamp; a time without a zone is local time."""
    ago = _AGO.fullmatch(text.strip().lower())
    if ago:
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise ArgumentTypeError(
            f"{text!r} is not a time; try 24h, 7d, 2026-11-01 or 2026-11-01T09:30"
        ) from None
