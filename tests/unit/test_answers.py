"""The recorded answers and the questions about them are what they claim to be."""

import json
import re
from collections import Counter
from typing import Any

import jmespath  # type: ignore[import-untyped]
import pytest
from tests.recorded_answers import RECORDED, AnswerQuestion, answer, answers, questions

KINDS = (
    "base64", "code", "csv", "deep", "diff", "gitlog", "graph", "html", "issues", "jsonlines", "listing", "log",
    "markdown", "minified", "page", "rows", "snapshot", "table", "traces", "tree",
)  # fmt: skip
NOT_JSON = ("rows-2", "rows-3", "table-1", "table-2", "csv-1", "csv-2", "csv-3")  # rows in another notation
by_id = pytest.mark.parametrize("question", questions(), ids=lambda each: each.id)


def test_every_kind_of_answer_is_recorded_at_least_twice() -> None:
    count = Counter(each.kind for each in answers())
    assert set(count) == set(KINDS)
    assert min(count.values()) >= 2


def test_every_kind_is_asked_about() -> None:
    assert {answer(each.answer).kind for each in questions()} == set(KINDS)
    assert len({each.id for each in questions()}) == len(questions()) >= 40


def test_nothing_of_the_machine_that_recorded_them_is_left() -> None:
    for each in answers():
        text = json.dumps(each.result)
        assert not re.search(r"/tmp/|/home/|/root/|127\.0\.0\.1|site-packages", text), each.name


def test_the_records_stay_small() -> None:
    assert sum(path.stat().st_size for path in RECORDED.iterdir()) < 2_000_000


@by_id
def test_the_words_that_answer_a_question_are_no_chance_find(question: AnswerQuestion) -> None:
    """They stand in the whole answer once or twice, or have to be worked out."""
    text = answer(question.answer).text
    if question.shown or question.every:
        return
    for word in question.expect:
        assert len(word) >= 5 or "." in word
        assert text.count(word) <= 3, f"{word} stands there {text.count(word)} times"


@by_id
def test_a_path_finds_the_answer_in_the_whole_data(question: AnswerQuestion) -> None:
    if question.read is None or "path" not in question.read or question.answer in NOT_JSON:
        return
    found = jmespath.search(question.read["path"], data(answer(question.answer).text))
    assert question.is_answered_by_read(json.dumps(found, ensure_ascii=False))


def data(text: str) -> Any:
    """The JSON of a text, also below a line or two of prose, or one on each line."""
    start = min(place for place in (text.find("{"), text.find("[")) if place >= 0)
    try:
        return json.loads(text[start:])
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line]


@by_id
def test_the_whole_answer_would_do_for_what_is_not_worked_out(question: AnswerQuestion) -> None:
    worked_out = question.shown or (question.read and "path" in question.read) or question.read is None
    assert worked_out or question.is_answered_by_shown(answer(question.answer).text)
