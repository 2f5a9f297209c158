"""Budgets: they are read or refused with an example, and the lock keeps them unchanged."""

import pytest

from toolbooth.contracts import Budgets, with_limits
from toolbooth.errors import UserMistake

ALL = (
    "total=8k",
    "server:github=3_000",
    "tool:github.create_issue=300",
    "tool=500",
    "answer:github.search=4,000",
    "growth=10%",
    "growth=200",
)


def test_every_kind_of_budget_is_read() -> None:
    budgets = with_limits(Budgets(), ALL)
    assert budgets == Budgets(
        total=8000,
        servers={"github": 3000},
        tools={"github.create_issue": 300, "*": 500},
        answers={"github.search": 4000},
        growth_tokens=200,
        growth_percent=10,
    )
    assert (budgets.of_tool("github.create_issue"), budgets.of_tool("mail.send")) == (300, 500)
    assert (budgets.of_server("github"), budgets.of_server("mail")) == (3000, None)
    assert budgets.of_answer("github.search") == 4000


def test_budgets_are_read_back_from_the_lock_unchanged() -> None:
    budgets = with_limits(Budgets(), ALL)
    assert Budgets.from_json(budgets.as_json()) == budgets
    assert Budgets().as_json() == {}
    assert not Budgets()


def test_off_removes_a_budget() -> None:
    budgets = with_limits(with_limits(Budgets(), ALL), [f"{word.partition('=')[0]}=off" for word in ALL])
    assert not budgets


@pytest.mark.parametrize(
    "word", ["8000", "total", "total=many", "total:x=1", "tool:a.b=10%", "growth=-1", "tokens=3", "total=1.5"]
)
def test_an_invalid_budget_is_refused_with_an_example(word: str) -> None:
    with pytest.raises(UserMistake, match="server:github=3000"):
        with_limits(Budgets(), [word])


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"totals": 1},
        {"total": "1"},
        {"total": True},
        {"total": -1},
        {"tools": 3},
        {"tools": {"a.b": 1.5}},
        {"growth_percent": "10%"},
    ],
)
def test_budgets_of_a_damaged_lock_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budgets.from_json(value)
