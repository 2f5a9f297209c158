"""What README.md and the guides show of a command is what it prints now."""

import re

import pytest
from scripts.docs_blocks import BLOCKS, made, same, shown

from tests.documents import PAGES


@pytest.mark.promise("docs:blocks")
@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_shows_what_its_command_prints(name: str) -> None:
    """`python scripts/docs_blocks.py --write` writes those that are out of date."""
    before, now = shown(name), made(name)
    assert same(name, before, now), f"{BLOCKS[name].page} shows\n{before}\nbut the command prints\n{now}"


def test_every_marked_block_is_generated_and_every_generated_block_is_marked() -> None:
    marked = [
        (name, page) for page, text in PAGES.items() for name in re.findall(r"<!-- block: (.+?) -->", text)
    ]
    assert sorted(marked) == sorted((name, block.page) for name, block in BLOCKS.items())
    assert sum(text.count("<!-- /block -->") for text in PAGES.values()) == len(marked)


@pytest.mark.parametrize(
    ("now", "agrees"),
    [
        ("answers 105,452 2,800 less", True),
        ("answers  105,460   2,743 less", True),
        ("answers 105,452 3,743 less", False),
        ("replies 105,452 2,743 less", False),
        ("answers 105,452 2,743 less, 5", False),
    ],
)
def test_a_block_that_varies_agrees_in_its_words_and_nearly_in_its_figures(now: str, agrees: bool) -> None:
    assert same("stats", "answers 105,452 2,743 less", now) is agrees
    assert not same("bench", "answers 105,452 2,743 less", now)
