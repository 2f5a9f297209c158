"""What a session costs, by hand."""

import pytest

from toolbooth.bench.tokens.session import MeanSession, QuestionSession, SessionStep, session_cost

DIRECT = QuestionSession(SessionStep(10))
SEARCHED = QuestionSession(SessionStep(12), SessionStep(5, 100))
LOOKED_UP = QuestionSession(SessionStep(12), SessionStep(5, 100), SessionStep(7, 40))
MISSED = QuestionSession(SessionStep(12), SessionStep(5, 60), shown=False, first=False)


def test_a_direct_call_takes_two_turns_and_is_sent_again_once() -> None:
    mean_session = MeanSession.of([DIRECT])
    assert mean_session.paid(1000) == 2 * 1000 + 10
    assert mean_session.with_history(1000) == 2 * 1000 + 10 + 10


def test_a_search_takes_a_turn_more_and_its_answer_is_read_twice() -> None:
    mean_session = MeanSession.of([SEARCHED])
    assert mean_session.paid(200) == 3 * 200 + 5 + 100 + 12
    # Turn 1 writes 5; turn 2 reads 5 + 100 and writes 12; turn 3 reads all of that.
    assert mean_session.with_history(200) == 3 * 200 + 5 + (105 + 12) + (105 + 12)


def test_a_definition_takes_a_fourth() -> None:
    mean_session = MeanSession.of([LOOKED_UP])
    assert mean_session.paid(200) == 4 * 200 + 105 + 47 + 12
    assert mean_session.with_history(200) == 4 * 200 + (5 + 7 + 12) + 3 * 105 + 2 * 47 + 12


def test_calls_pile_up_in_one_session() -> None:
    """Two searched calls, turn by turn."""
    written = [5, 12, 5, 12]
    answers = [100, 0, 100, 0]
    carried = 0
    paid = 0
    for call, answer in zip(written, answers, strict=True):
        paid += 200 + carried + call
        carried += call + answer
    assert MeanSession.of([SEARCHED]).with_history(200, 2) == paid + 200 + carried


def test_a_session_without_the_right_tool_is_paid_and_not_right() -> None:
    cost = session_cost("search", 200, [SEARCHED, MISSED])
    assert (cost.questions, cost.correct, cost.correct_first) == (2, 1, 1)
    assert cost.paid == 3 * 200 + 5 + 80 + 12
    assert cost.paid_per_correct == 2 * cost.paid
    assert cost.history_per_correct == 2 * cost.paid_with_history


def test_where_nothing_is_right_there_is_no_price_of_it() -> None:
    cost = session_cost("search", 200, [MISSED])
    assert (cost.correct, cost.paid_per_correct, cost.history_per_correct) == (0, None, None)


def test_the_parts_add_up() -> None:
    cost = session_cost("search", 200, [SEARCHED, LOOKED_UP, MISSED])
    parts = cost.menu * cost.turns + cost.search_response + cost.definition + cost.call_envelope
    assert cost.paid == pytest.approx(parts)
    assert cost.turns == pytest.approx(10 / 3)
