"""One call, one row, whichever way it ends."""

import asyncio

import pytest

from toolbooth.catalog.connect import RawResult
from toolbooth.errors import (
    BackendBusy,
    BackendCrashed,
    BackendRefused,
    BackendTimeout,
    FrameTooLarge,
    SignInNeeded,
    WrongArguments,
)
from toolbooth.gateway.calls.record import CallRecord, outcome_of
from toolbooth.gateway.ledger import Ledger
from toolbooth.store import BUILTIN_SERVER, Row

ANSWER = RawResult(b'{"content":[{"type":"text","text":"all is well here"}]}')


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(None)


def only_row(ledger: Ledger) -> Row:
    try:
        (row,) = ledger.recent(10)
    finally:
        ledger.close()
    return row


def test_an_answer_that_passed_is_the_same_before_and_after(ledger: Ledger) -> None:
    record = CallRecord(ledger, "s", "mail", "list_messages")
    record.answered(ANSWER)
    record.close(ANSWER)
    row = only_row(ledger)
    assert (row.server, row.tool, row.kind, row.outcome) == ("mail", "list_messages", "call", "ok")
    assert row.tokens_before == row.tokens_after == 4


def test_it_is_closed_once(ledger: Ledger) -> None:
    record = CallRecord(ledger, "s", "mail", "send")
    record.close(None)
    record.close(ANSWER, error=True)
    assert only_row(ledger).outcome == "ok"


def test_an_answer_that_was_cut_is_measured_as_it_was_read(ledger: Ledger) -> None:
    record = CallRecord(ledger, "s", "mail", "list_messages")
    record.answered(ANSWER)
    record.cut({"content": [{"type": "text", "text": "all is well here"}]}, ("collapse",))
    record.close({"content": [{"type": "text", "text": "all"}]})
    row = only_row(ledger)
    assert (row.tokens_before, row.tokens_after, row.steps) == (4, 1, ("collapse",))


def test_a_call_that_nobody_waits_for_saves_nothing(ledger: Ledger) -> None:
    record = CallRecord(ledger, "s", "mail", "list_messages")
    record.answered(ANSWER)
    record.failed(BackendTimeout("late"))
    record.close(None)
    row = only_row(ledger)
    assert (row.outcome, row.tokens_before, row.tokens_after) == ("timeout", 0, 0)


def test_a_question_on_the_way_is_no_call(ledger: Ledger) -> None:
    record = CallRecord(ledger, "s", "mail", "send")
    record.asks()
    record.close(None)
    row = only_row(ledger)
    assert (row.kind, row.outcome) == ("question", "input_required")


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("search_tools", "discovery"),
        ("read_result", "read"),
        ("manage_servers", "servers"),
        ("call_tool", "call"),
    ],
)
def test_built_in_tools_have_kinds_of_their_own(ledger: Ledger, tool: str, kind: str) -> None:
    record = CallRecord(ledger, "s")
    record.builtin(tool)
    record.close(None)
    row = only_row(ledger)
    assert (row.server, row.tool, row.kind) == (BUILTIN_SERVER, tool, kind)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (BackendCrashed("x"), "crashed"),
        (BackendRefused("x"), "refused"),
        (SignInNeeded("x"), "sign_in_needed"),
        (BackendBusy("x"), "busy"),
        (FrameTooLarge("x"), "protocol_error"),
        (WrongArguments("x"), "bad_arguments"),
    ],
)
def test_each_failure_has_its_word(error: Exception, word: str) -> None:
    assert outcome_of(error) == word


def test_what_is_cancelled_is_no_failure_of_the_server() -> None:
    assert outcome_of(asyncio.CancelledError()) == "cancelled"
