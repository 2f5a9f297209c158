"""Numbers as people type them, and what all commands' options have in common."""

import argparse
import pkgutil
import time
from argparse import ArgumentTypeError
from datetime import UTC, datetime
from importlib import import_module

import pytest

from toolbooth import cli
from toolbooth.cli import doctor, scan
from toolbooth.cli.arguments import FORMER_NAMES, Parser, positive, since, tokens
from toolbooth.errors import EXIT_CODES


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("8k", 8000), ("1.5K", 1500), ("8_000", 8000), ("8,000", 8000), ("1,234.5k", 1_234_500)],
)
def test_a_number_of_tokens(text: str, value: int) -> None:
    assert tokens(text) == value


@pytest.mark.parametrize("text", ["", "k", "1.5", "1,5k", "-1", "1e3", "٣", "0.0001k", "9" * 5000, "nan"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        tokens(text)


def test_some_numbers_must_be_above_zero() -> None:
    assert positive("1") == 1
    with pytest.raises(argparse.ArgumentTypeError):
        positive("0")


def parsers() -> list[Parser]:
    """Of every command, and of the parts of `bench`."""
    names = sorted(found.name for found in pkgutil.walk_packages(cli.__path__, "toolbooth.cli."))
    makers = [getattr(import_module(name), "parser", None) for name in names]
    return [maker() for maker in dict.fromkeys(makers) if maker is not None]


@pytest.mark.promise("cli:help")
@pytest.mark.parametrize("made", parsers(), ids=lambda made: made.prog)
def test_help_fits_in_80_columns(made: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("80", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        assert [line for line in made.format_help().splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("made", parsers(), ids=lambda made: made.prog)
def test_help_ends_with_the_exit_codes_of_the_one_table(made: Parser) -> None:
    lines = made.format_help().split("exit codes:\n")[1].splitlines()
    codes = [int(line.split()[0]) for line in lines if line[2] != " "]
    assert codes == sorted(codes)
    assert {0, 2} <= set(codes) <= set(EXIT_CODES)


@pytest.mark.promise("cli:one-name")
@pytest.mark.parametrize("made", parsers(), ids=lambda made: made.prog)
def test_options_of_the_same_meaning_have_one_name(made: Parser) -> None:
    shown = {name for action in made._actions for name in action.option_strings}
    assert not shown & FORMER_NAMES.keys()


@pytest.mark.parametrize(
    ("words", "json", "markdown"),
    [
        (["--format", "markdown"], False, True),
        (["--format=json"], True, False),
        (["--format", "human"], False, False),
        (["--markdown"], False, True),
    ],
)
def test_a_format_has_two_spellings_everywhere(words: list[str], json: bool, markdown: bool) -> None:
    options = doctor.parser().parse_args(words)
    assert (options.json, options.markdown) == (json, markdown)
    asked = next((name for name in ("json", "markdown") if {"json": json, "markdown": markdown}[name]), None)
    reported = scan.parser().parse_args(words)
    assert (reported.format or ("json" if reported.json else None)) in (asked, "human")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("24h", 86_400), ("7d", 604_800), (" 2W ", 1_209_600), ("0d", 0)],
)
def test_a_time_ago(text: str, seconds: float) -> None:
    before = time.time()
    assert before - seconds <= since(text) <= time.time() - seconds


def test_a_date_or_time_is_one_of_this_machine_unless_it_has_a_zone() -> None:
    assert since("2026-11-01") == datetime(2026, 11, 1).astimezone().timestamp()
    assert since("2026-11-01T09:30") == datetime(2026, 11, 1, 9, 30).astimezone().timestamp()
    assert since("2026-11-01T09:30:00+00:00") == datetime(2026, 11, 1, 9, 30, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("text", ["", "yesterday", "24", "24 hours", "-1h", "2026-13-01", "99999999d"])
def test_what_is_no_time_is_said_with_examples(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="try 24h, 7d"):
        since(text)
