"""The measured size of real answers, and the error of an estimate."""

from typing import Any

import pytest

from toolbooth.economics import (
    Thresholds,
    answer_blocks,
    measured_answers,
    measured_sizes,
    nearest_rank,
    seen_fields,
)
from toolbooth.economics.risk import Risk


def result(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text} for text in texts], **more}


def letters(text: str) -> int:
    return len(text)


def test_a_percentile_is_a_size_that_so_many_do_not_exceed() -> None:
    pairs = [(10, 1), (500, 1), (20, 18)]
    assert [nearest_rank(pairs, percent) for percent in (50, 95, 100)] == [20, 20, 500]
    assert nearest_rank([(4, 1), (2, 1)], 50) == 2
    assert nearest_rank([], 50) == 0


def test_sizes_of_a_ledger_become_a_median_a_p95_and_a_worst_with_its_risk() -> None:
    found = measured_sizes("ledger", [(9000, 1), (100, 19)], worst_after=3900, exact=False)
    assert found is not None
    assert (found.answers, found.median, found.p95, found.worst) == (20, 100, 100, 9000)
    assert (found.risk, found.worst_after, found.exact) == (Risk.CRITICAL, 3900, False)
    assert measured_sizes("ledger", []) is None


def test_answers_are_counted_by_the_text_that_a_model_reads() -> None:
    answers = [result("a" * 10), result("b" * 30, structuredContent={"repeats": "b" * 20})]
    found = measured_answers("recorded", "t", answers, tokenizer=letters)
    assert found is not None
    assert (found.answers, found.median, found.worst, found.exact) == (2, 10, 30, True)
    assert found.risk is Risk.LOW
    assert measured_answers("recorded", "t", []) is None


def test_thresholds_judge_what_was_measured_too() -> None:
    found = measured_answers("recorded", "t", [result("a" * 10)], Thresholds(1, 2, 3), letters)
    assert found is not None
    assert (found.risk, found.advisory) == (Risk.CRITICAL, "overload")


def test_blocks_that_every_answer_begins_with_are_overhead() -> None:
    answers = [result("rules" * 2, "x" * 5), result("rules" * 2, "y" * 15)]
    found = measured_answers("recorded", "t", answers, tokenizer=letters)
    assert found is not None
    assert found.overhead is not None
    assert (found.overhead.blocks, found.overhead.ratio) == (1, 1.0)
    assert found.advisory == "overhead"


@pytest.mark.parametrize("answers", [[result("once")], [result("the same", "x")] * 3])
def test_without_two_different_answers_the_overhead_is_unknown(answers: list[dict[str, Any]]) -> None:
    found = measured_answers("recorded", "t", answers)
    assert found is not None
    assert found.overhead is None


def test_answers_that_differ_from_the_first_block_on_have_no_overhead() -> None:
    found = measured_answers("recorded", "t", [result("a"), result("b")])
    assert found is not None
    assert found.overhead is not None
    assert (found.overhead.blocks, found.overhead.ratio) == (0, 0.0)


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        (
            result('{"id": 1, "user": {"name": "x"}, "rows": [{"a": 1}, {"b": 2}]}'),
            ("rows", "a", "b"),
        ),
        (result('[{"id": 1}, {"id": 2, "at": 3}]'), ("id", "at")),
        (result("no JSON at all", structuredContent={"lines": ["x"]}), None),
        (result("plain words"), None),
        (result("12"), None),
        ({}, None),
    ],
)
def test_fields_come_from_the_json_of_answers(answer: dict[str, Any], fields: tuple[str, ...] | None) -> None:
    assert seen_fields([answer]) == fields


def test_fields_of_several_answers_are_joined_and_deep_lists_end() -> None:
    deep: Any = {"end": 1}
    for _ in range(60):
        deep = [deep]
    assert seen_fields([result('[{"a": 1}]'), result('[{"b": 1}]'), {"structuredContent": deep}]) == (
        "a",
        "b",
    )


def test_only_texts_are_blocks() -> None:
    odd = {"content": [{"type": "image", "data": "eA=="}, "junk", None, {"resource": {"text": "inside"}}]}
    assert [block["text"] for block in answer_blocks(odd)] == ["inside"]
    assert answer_blocks({"content": "junk"}) == []
