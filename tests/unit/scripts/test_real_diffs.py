"""The page of real version changes shows what the script runs, as it was printed, and nothing of a machine."""

import re
import shlex
from pathlib import Path

import pytest
from scripts.real_diffs import LOCKED, SAME_RELEASE

from toolbooth.cli.diff.command import parser

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "contracts-in-practice.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
SHOWN = ROOT / ".cache" / "contract-servers" / "shown"


def shown_lines() -> set[str]:
    return {line.rstrip() for block in BLOCKS for line in block.splitlines()} - {"", "[…]"}


def test_every_diff_of_the_page_is_one_of_the_script() -> None:
    runs = [pair.words() for pair in (*LOCKED.values(), *SAME_RELEASE.values())]
    typed = [
        shlex.split(line.removeprefix("$ toolbooth ")) for line in shown_lines() if line.startswith("$ ")
    ]
    diffs = [words for words in typed if words[0] == "diff"]
    assert len(diffs) == 5
    for words in diffs:
        assert words in runs
        parser().parse_args(words[1 : words.index("--")])


def test_six_servers_are_locked_in_two_versions() -> None:
    assert len(LOCKED) == 6
    assert all(pair.old != pair.new for pair in LOCKED.values())


def test_the_page_names_no_registry_and_no_path_of_a_machine() -> None:
    assert not re.search(r"https?://|registry\.|pypi\.org|npmjs|/(?:home|root|work|tmp|Users)/", PAGE)


def test_every_quoted_line_was_printed() -> None:
    if not SHOWN.is_dir():
        pytest.skip("no outputs are kept here: python scripts/real_diffs.py")
    printed = {line.rstrip() for file in SHOWN.glob("*.txt") for line in file.read_text().splitlines()}
    assert shown_lines() <= printed


def test_the_table_has_the_counts_that_were_printed() -> None:
    if not SHOWN.is_dir():
        pytest.skip("no outputs are kept here: python scripts/real_diffs.py")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if "(npm) |" in line or "(PyPI) |" in line
    ]
    assert len(rows) == 6
    for name, _old, _new, *counts, tokens in rows:
        text = (SHOWN / f"{name.split()[0]}.txt").read_text()
        counted = re.search(r": ((?:\d+ (?:breaking|risky|safe|cosmetic)(?:, |$))+)", text, re.MULTILINE)
        assert counted
        found = {word: number for number, word in re.findall(r"(\d+) (\w+)", counted[1])}
        assert [found.get(word, "0") for word in ("breaking", "risky", "safe", "cosmetic")] == counts
        assert f" {tokens} tokens (" in text
