"""The result of a tool as its caller gets it."""

import json
from typing import Any

import pytest

from toolbooth.catalog.config import Cap, Reduction
from toolbooth.gateway.reduce import Fitted, ReduceOptions, fit, only_capped, text_of
from toolbooth.gateway.reduce.answer import metadata
from toolbooth.limits import SHOWN_ANSWER
from toolbooth.tokens import count

REF = "r" * 22
USUAL = Reduction()
PAGE = {"items": [{"id": n, "title": f"t{n}", "body": "x" * 90} for n in range(90)]}
LOG = "".join(f"line {n} of a log that is long\n" for n in range(3000))


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def fitted(result: dict[str, Any], settings: Reduction = USUAL, **options: Any) -> Fitted:
    return fit(result, ReduceOptions(settings, **options), lambda _: REF)


@pytest.mark.parametrize(
    "result",
    [{}, {"content": []}, {"content": [text("short")]}, {"content": "odd"}, {"structuredContent": {"a": 1}}],
)
def test_what_is_short_is_the_very_same(result: dict[str, Any]) -> None:
    assert fitted(result).result is result
    assert fitted(result).steps == ()


def test_a_long_text_is_cut_and_a_line_says_so() -> None:
    found = fitted({"content": [text(LOG)]})
    shown, line = (each["text"] for each in found.result["content"])
    assert len(shown) <= SHOWN_ANSWER
    assert line.startswith("[")
    assert REF in line
    assert len(fitted({"content": [text(LOG)]}, Reduction(metadata=False)).result["content"]) == 1


def test_the_texts_share_the_budget() -> None:
    found = fitted({"content": [text(LOG), text(LOG[:20_000])]})
    first, second, _ = (each["text"] for each in found.result["content"])
    assert len(first) > 3 * len(second)
    assert len(first) + len(second) <= SHOWN_ANSWER


def test_many_texts_alike_are_read_as_one() -> None:
    found = fitted({"content": [text(json.dumps(each)) for each in PAGE["items"]]})
    assert [each["id"] for each in json.loads(found.result["content"][0]["text"])[:3]] == [0, 1, 2]
    assert len(found.result["content"]) == 2


def test_texts_with_something_of_their_own_beside_them_stay_apart() -> None:
    given = [text(LOG, _meta={"page": n}) for n in range(5)]
    shown = fitted({"content": given}).result["content"]
    assert [each.get("_meta") for each in shown[:5]] == [{"page": n} for n in range(5)]
    resources = [{"type": "resource", "resource": {"uri": f"note://{n}", "text": LOG}} for n in range(5)]
    shown = fitted({"content": resources}).result["content"]
    assert [each["resource"]["uri"] for each in shown[:5]] == [f"note://{n}" for n in range(5)]


def test_a_structure_that_repeats_the_text_is_cut_in_step() -> None:
    words = json.dumps(PAGE)
    found = fitted({"content": [text(words)], "structuredContent": PAGE}).result
    assert found["structuredContent"] == json.loads(found["content"][0]["text"])
    found = fitted({"content": [text(words)], "structuredContent": {"result": PAGE}}).result
    assert found["structuredContent"] == {"result": json.loads(found["content"][0]["text"])}
    found = fitted({"content": [text(LOG)], "structuredContent": {"output": LOG}}).result
    assert found["structuredContent"] == {"output": found["content"][0]["text"]}


def test_a_structure_of_its_own_is_cut_by_itself() -> None:
    found = fitted({"content": [text("see the structure")], "structuredContent": PAGE}).result
    assert found["content"][0] == text("see the structure")
    assert found["structuredContent"]["items"][:3] == PAGE["items"][:3]
    assert len(found["structuredContent"]["items"]) == 4
    assert isinstance(
        fitted({"content": [], "structuredContent": PAGE["items"]}).result["structuredContent"], list
    )


def test_fields_of_a_structure_are_shown_instead_of_words() -> None:
    note = {"type": "resource", "resource": {"uri": "note://1", "text": "a note"}}
    given = {"content": [text("ninety items"), note], "structuredContent": PAGE}
    found = fitted(given, Reduction(collapse=False), fields=("items[].id",)).result
    assert json.loads(found["content"][0]["text"]) == {"items": [{"id": n} for n in range(90)]}
    assert found["content"][1]["resource"]["uri"] == "note://1"
    assert "the answer as text: read_result(ref='" in found["content"][-1]["text"]


def test_fields_always_say_where_the_rest_is() -> None:
    found = fitted({"content": [text(json.dumps(PAGE))]}, Reduction(metadata=False), fields=("items[].id",))
    assert REF in found.result["content"][-1]["text"]


def test_a_note_alone_changes_no_text() -> None:
    given = [text(f"text {n}") for n in range(5)]
    found = fitted({"content": given}, fields=("id",)).result["content"]
    assert found[:5] == given
    assert "`fields` is for JSON" in found[5]["text"]


# -- what the operator allows --------------------------------------------------------------------------------
def test_without_reduction_all_is_shown() -> None:
    result = {"content": [text(LOG)], "structuredContent": PAGE}
    assert fit(result, only_capped(ReduceOptions(Reduction())), lambda _: REF).result is result


@pytest.mark.parametrize(
    "asked", [{"max_bytes": 10**6}, {"truncate": False}, {"over": 10**9}, {"chunks": False}]
)
def test_no_call_gets_more_than_a_cap(asked: dict[str, Any]) -> None:
    allowed = Reduction().capped(Cap(max_bytes=2_000))
    for options in (
        ReduceOptions(allowed.changed(asked)),
        only_capped(ReduceOptions(allowed.changed(False))),
    ):
        for words in (LOG, json.dumps(PAGE)):
            shown = fit({"content": [text(words)]}, options, lambda _: REF).result["content"][0]["text"]
            assert len(shown) <= 2_000


def test_a_call_may_ask_for_less_than_the_cap() -> None:
    settings = Reduction().capped(Cap(max_bytes=2_000)).changed({"max_bytes": 900})
    shown = fit({"content": [text(LOG)]}, ReduceOptions(settings), lambda _: REF).result["content"][0]["text"]
    assert len(shown) <= 900


def test_a_limit_of_items_holds_for_small_answers_too() -> None:
    settings = Reduction().capped(Cap(limit=2))
    words = json.dumps([f"{n} {'x' * 60}" for n in range(14)])
    assert len(words) < settings.over
    found = fitted({"content": [text(words)]}, settings)
    assert json.loads(found.result["content"][0]["text"])[:2] == json.loads(words)[:2]
    assert found.steps == ("collapse",)


def test_what_a_model_reads_of_an_item() -> None:
    assert text_of(text("a")) == "a"
    assert text_of({"type": "resource", "resource": {"text": "b"}}) == "b"
    assert [text_of(each) for each in (7, {"type": "image"}, {"type": "text", "text": 7}, {"text": "c"})] == [
        None
    ] * 4


def test_it_says_sizes_tokens_the_ratio_and_the_ref() -> None:
    before, after = "word " * 5_000, "word " * 500
    line = metadata([before], [after], [REF], [])
    assert line.startswith(
        f"[2.4 KB of 24.4 KB, {count(after):,} of {count(before):,} tokens shown, 89% less"
    )
    assert f"read_result(ref='{REF}'" in line
    assert "\n" not in line


def test_notes_come_first() -> None:
    assert metadata(["a"], ["a"], [REF], ["none of these fields is there"]).startswith(
        "[none of these fields is there; 1 bytes of 1 bytes"
    )


def test_where_nothing_was_cut_only_the_notes_are_said() -> None:
    assert metadata(["a"], ["a"], [], ["none of these fields is there"]) == "[none of these fields is there]"


def test_every_ref_is_named() -> None:
    line = metadata(["a" * 99, "b" * 99], ["a", "b"], ["x" * 22, "y" * 22], [])
    assert "x" * 22 in line
    assert "y" * 22 in line


def test_an_empty_answer_is_no_fault() -> None:
    assert metadata([], [], [], [])
