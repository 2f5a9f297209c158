"""A promise without a test, or a test of an unknown promise, fails."""

import re
from pathlib import Path

from tests.promises import PROMISES

TESTS = Path(__file__).parents[1]


def kept() -> set[str]:
    files = (path for path in TESTS.rglob("test_*.py") if path.name != Path(__file__).name)
    return {
        name
        for path in files
        for name in re.findall(r'mark\.promise\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    }


def test_every_promise_is_kept_by_a_test() -> None:
    assert set(PROMISES) - kept() == set()


def test_every_test_of_a_promise_names_a_known_one() -> None:
    assert kept() - set(PROMISES) == set()
