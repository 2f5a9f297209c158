"""Numbers as people type them, and what all commands' options have in common."""

import argparse
from importlib import import_module
from pathlib import Path

import pytest

from toolbooth import cli
from toolbooth.cli import doctor, scan
from toolbooth.cli.arguments import FORMER_NAMES, Parser, positive, tokens


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
    names = sorted(path.stem for path in Path(cli.__path__[0]).glob("*.py"))
    makers = [getattr(import_module(f"toolbooth.cli.{name}"), "parser", None) for name in names]
    return [maker() for maker in dict.fromkeys(makers) if maker is not None]


@pytest.mark.promise("cli:help")
@pytest.mark.parametrize("made", parsers(), ids=lambda made: made.prog)
def test_help_fits_in_80_columns(made: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("80", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        assert [line for line in made.format_help().splitlines() if len(line) > 80] == []


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
    told = scan.parser().parse_args(words)
    assert (told.format or ("json" if told.json else None)) in (asked, "human")
