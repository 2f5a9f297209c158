"""The closed formula of a session agrees with counting it turn by turn."""

from itertools import product
from statistics import fmean

import pytest
from hypothesis import given, strategies as st

from toolbooth.bench.tokens.session import MeanSession, QuestionSession, SessionStep

TOKENS = st.integers(0, 5_000)
STEPS = st.builds(SessionStep, TOKENS, TOKENS)
SESSIONS = st.builds(QuestionSession, TOKENS.map(SessionStep), st.none() | STEPS, st.none() | STEPS)


def turn_by_turn(menu: int, calls: tuple[QuestionSession, ...]) -> float:
    """Every turn reads the menu and all that was said before it; what the model writes is paid, too."""
    paid = carried = 0.0
    for step in (step for call in calls for step in call.steps):
        paid += menu + carried + step.call
        carried += sum(step)
    return paid + menu + carried


@given(SESSIONS, TOKENS, st.integers(1, 12))
def test_one_kind_of_call_any_number_of_times(session: QuestionSession, menu: int, calls: int) -> None:
    counted = turn_by_turn(menu, (session,) * calls)
    assert MeanSession.of([session]).with_history(menu, calls) == pytest.approx(counted)


@given(st.lists(SESSIONS, min_size=1, max_size=3), TOKENS, st.integers(1, 3))
def test_mixed_calls_cost_the_mean_of_all_their_orders(
    sessions: list[QuestionSession], menu: int, calls: int
) -> None:
    orders = product(sessions, repeat=calls)
    assert MeanSession.of(sessions).with_history(menu, calls) == pytest.approx(
        fmean(turn_by_turn(menu, order) for order in orders)
    )


@given(SESSIONS, TOKENS)
def test_history_only_adds(session: QuestionSession, menu: int) -> None:
    mean_session = MeanSession.of([session])
    assert mean_session.with_history(menu) >= mean_session.paid(menu)
