"""Answers of real servers, reduced: what could be read before can still be read, from less."""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.behaviour.gateway_client import ROOT, GatewayClient, connected
from tests.recorded_answers import AnswerQuestion, RecordedAnswer, answer, answers, questions, text_of
from tests.result_reading import ask, show
from toolbooth.gateway.results import ResultStore
from toolbooth.limits import REDUCE_OVER, SHOWN_ANSWER
from toolbooth.tokens import count

KINDS = sorted({each.kind for each in answers()})
WITH_INTENT = [each for each in questions() if each.intent]


def asked(how: str, table: Sequence[AnswerQuestion]) -> list[Any]:
    """One case a question; those that are known to be lost must stay so, or the table is stale."""
    return [pytest.param(each, id=each.id, marks=_lost(each.lost.get(how))) for each in table]


def _lost(reason: str | None) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=reason, strict=True)] if reason else []


@pytest.fixture(scope="module")
def store() -> ResultStore:
    return ResultStore()


@pytest.mark.promise("reduce:questions")
@pytest.mark.parametrize("question", asked("without", questions()))
def test_a_question_is_answered_by_what_is_shown_and_one_read(
    store: ResultStore, question: AnswerQuestion
) -> None:
    reported = ask(store, question, "")
    assert reported.by, f"{question.question} {question.expect or question.every}: {reported.text[:2000]}"


@pytest.mark.promise("reduce:questions")
@pytest.mark.parametrize("question", asked("with", WITH_INTENT))
def test_an_intent_does_not_hide_the_answer(store: ResultStore, question: AnswerQuestion) -> None:
    reported = ask(store, question, question.intent)
    assert reported.by, f"{question.question} {question.expect or question.every}: {reported.text[:2000]}"


def test_an_intent_lets_more_questions_be_answered_at_once(store: ResultStore) -> None:
    without = sum(ask(store, each, "").by == "shown" for each in WITH_INTENT)
    with_it = sum(ask(store, each, each.intent).by == "shown" for each in WITH_INTENT)
    assert with_it > without


@pytest.mark.promise("reduce:fewer-tokens")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_answer_costs_fewer_tokens(store: ResultStore, kind: str) -> None:
    group = [each for each in answers() if each.kind == kind and len(each.text) > SHOWN_ANSWER]
    before = sum(count(each.text) for each in group)
    after = sum(count(show(store, each, "").text) for each in group)
    assert after < before


@pytest.mark.parametrize("given", answers(), ids=lambda each: each.name)
def test_no_answer_becomes_longer(store: ResultStore, given: RecordedAnswer) -> None:
    assert count(show(store, given, "").text) <= count(given.text) + 60  # the line that says what was cut


# -- through a gateway -------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayClient]:
    command = {
        "command": sys.executable,
        "args": ["-m", "tests.replay_server"],
        "env": {"PYTHONPATH": str(ROOT)},
    }
    with connected(tmp_path_factory.mktemp("home"), {"shop": command}, "search", "old") as client:
        yield client


def call(client: GatewayClient, question: AnswerQuestion, **more: Any) -> dict[str, Any]:
    arguments = {"name": f"shop.{question.answer}", "arguments": {}, **more}
    return client.result("tools/call", {"name": "call_tool", "arguments": arguments})


def by_id(name: str) -> AnswerQuestion:
    return next(each for each in questions() if each.id == name)


@pytest.mark.promise("reduce:questions")
@pytest.mark.parametrize("name", ["issue-request", "sailing-time", "log-declined", "handbook-chargebacks"])
def test_a_client_gets_the_answer_with_one_read_through_a_gateway(gateway: GatewayClient, name: str) -> None:
    question = by_id(name)
    shown = text_of(call(gateway, question))
    assert len(shown) < len(answer(question.answer).text)
    assert not question.is_answered_by_shown(shown)
    ref = re.findall(r"ref='([^']+)'", shown)[-1]
    read = gateway.result(
        "tools/call", {"name": "read_result", "arguments": {"ref": ref, **(question.read or {})}}
    )
    assert question.is_answered_by_read(text_of(read))


@pytest.mark.promise("reduce:questions")
@pytest.mark.parametrize("name", ["issue-request", "sailing-time", "log-declined", "handbook-chargebacks"])
def test_a_client_that_says_what_for_gets_the_answer_at_once(gateway: GatewayClient, name: str) -> None:
    question = by_id(name)
    assert question.is_answered_by_shown(text_of(call(gateway, question, intent=question.intent)))


def test_a_short_answer_passes_as_it_is(gateway: GatewayClient) -> None:
    short = next(each for each in answers() if len(each.text) < 6_000 and each.kind == "gitlog")
    assert len(short.text) > REDUCE_OVER
    result = gateway.result(
        "tools/call", {"name": "call_tool", "arguments": {"name": f"shop.{short.name}", "arguments": {}}}
    )
    assert text_of(result) == short.text
