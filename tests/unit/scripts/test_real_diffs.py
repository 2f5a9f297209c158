"""The page of real version changes shows what the script runs, as it was printed, and nothing of a machine."""

import re
import shlex
from pathlib import Path

import pytest
from scripts.real_diffs import LOCKED, SAME_RELEASE

from toolbooth.cli.diff.command import parser

PAGE = (Path(__file__).parents[3] / "docs" / "contracts-in-practice.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)


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


def counts(text: str) -> list[int]:
    """What a last line of `diff` counts: breaking, risky, safe, cosmetic."""
    found = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", text)}
    return [found.get(word, 0) for word in ("breaking", "risky", "safe", "cosmetic")]


def table() -> dict[str, list[str]]:
    rows = [
        line.strip("|").split("|") for line in PAGE.splitlines() if re.search(r"\((?:npm|PyPI)\) \|", line)
    ]
    return {name.split()[0]: [cell.strip() for cell in cells] for name, *cells in rows}


def test_the_table_adds_up_to_what_the_check_of_all_servers_said() -> None:
    rows = table()
    assert rows.keys() == LOCKED.keys()
    columns = zip(*(map(int, row[2:6]) for row in rows.values()), strict=True)
    (shown,) = re.findall(r"toolbooth\.lock does not fit: (.*)", PAGE)
    assert [sum(column) for column in columns] == counts(shown)
    before = [int(row[6].split(" → ")[0].replace(",", "")) for row in rows.values()]
    assert f"6 servers, 61 tools, {sum(before):,} tokens" in PAGE


@pytest.mark.parametrize("name", ["context7", "playwright", "git"])
def test_a_row_of_the_table_is_what_its_diff_said(name: str) -> None:
    old, new, *shown, tokens = table()[name]
    (block,) = (each for each in BLOCKS if shlex.join(LOCKED[name].words()) in each)
    (said,) = re.findall(r": (\d+ breaking.*)", block)
    assert counts(said) == list(map(int, shown))
    assert f" {tokens} tokens (" in block
    assert old in LOCKED[name].old
    assert new in LOCKED[name].new
