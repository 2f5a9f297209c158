"""The script behind `make test`."""

from collections.abc import Iterator

import pytest
from scripts import run_tests


@pytest.mark.parametrize(
    ("codes", "wanted"), [((0, 0), 0), ((1, 0), 1), ((0, 1), 1), ((-9, 0), 1), ((5, 0), 1)]
)
def test_every_run_is_made_and_one_that_fails_or_is_killed_fails_the_gate(
    codes: tuple[int, int], wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: Iterator[int] = iter(codes)
    monkeypatch.setattr(run_tests, "run", lambda *_words, **_more: next(left))
    assert run_tests.tests([]) == wanted
    assert next(left, None) is None
