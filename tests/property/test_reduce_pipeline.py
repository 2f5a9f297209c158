"""Whatever a text is and however it is cut: what is shown, and what its calls bring back, are all of it."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.property.payloads import FIELDS, INTENTS, anything, json_texts, reductions, texts
from tests.property.result_reader import AnswerPart, JsonJudge, Reader, check_text, cut

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import Reduced, ReduceOptions, reduced
from toolbooth.gateway.reduce.selection import project
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.payload import payload

ALONE = ("compact", "blobs", "intent", "collapse", "chunks", "truncate", "limit")
intents = st.sampled_from(INTENTS)
page_sizes = st.none() | st.integers(0, 9_000)


def judge(reader: Reader, text: str, options: ReduceOptions) -> Reduced:
    """Reduce, and prove that nothing is lost."""
    found = reduced(text, options, reader.keep)
    if not found.steps:
        assert found.text == text
        return found
    assert reader.read({"ref": found.ref}) == text
    whole = payload(text)
    if whole.value is None or found.steps[-1:] == ("truncate",):
        check_cut_text(reader, found, text, options)
    else:
        assert found.text.startswith(whole.before)
        assert found.text.endswith(whole.after)
        shown = found.text[len(whole.before) : len(found.text) - len(whole.after)]
        check_json(reader, shown, whole.value, options, found.steps)
    return found


def check_cut_text(reader: Reader, found: Reduced, text: str, options: ReduceOptions) -> None:
    """Where JSON was cut first, the rest of what was to be shown has a ref of its own."""
    calls = cut(found.text).calls
    refs = {call["ref"] for call in calls if "path" not in call}
    if refs <= {found.ref}:
        check_text(reader, found.text, text)
        return
    (second,) = refs - {found.ref}
    shown = reader.read({"ref": second})
    whole = payload(text)
    inner = shown[len(whole.before) : len(shown) - len(whole.after)]
    check_json(reader, inner, whole.value, options, found.steps)


def check_json(
    reader: Reader, shown: str, original: Any, options: ReduceOptions, steps: tuple[str, ...]
) -> None:
    wanted = project(original, options.fields) if "fields" in steps else original
    JsonJudge(reader).check(json.loads(shown), AnswerPart(original, wanted))


def check_size(text: str, found: Reduced) -> None:
    assert size(found.text) <= size(text)


@pytest.mark.promise("reduce:nothing-lost")
@pytest.mark.parametrize("step", ALONE)
@given(data=st.data(), intent=intents, page_size=page_sizes)
def test_each_reduction_by_itself_loses_nothing(
    step: str, data: st.DataObject, intent: str, page_size: int | None
) -> None:
    text = data.draw(anything)
    settings = data.draw(reductions(step))
    found = judge(Reader(max_bytes=page_size), text, ReduceOptions(settings, intent))
    assert set(found.steps) <= {step, "collapse"} if step == "limit" else {step}
    check_size(text, found)


@pytest.mark.promise("reduce:nothing-lost")
@given(json_texts(), reductions(), intents, page_sizes)
def test_all_reductions_of_json_together_lose_nothing(
    text: str, settings: Reduction, intent: str, page_size: int | None
) -> None:
    check_size(text, judge(Reader(max_bytes=page_size), text, ReduceOptions(settings, intent)))


@pytest.mark.promise("reduce:nothing-lost")
@given(texts, reductions(), intents, page_sizes)
def test_all_reductions_of_text_together_lose_nothing(
    text: str, settings: Reduction, intent: str, page_size: int | None
) -> None:
    check_size(text, judge(Reader(max_bytes=page_size), text, ReduceOptions(settings, intent)))


@pytest.mark.promise("reduce:nothing-lost")
@given(anything, reductions(), intents, st.sampled_from(FIELDS))
def test_fields_leave_the_rest_one_call_away(
    text: str, settings: Reduction, intent: str, fields: tuple[str, ...]
) -> None:
    judge(Reader(), text, ReduceOptions(settings, intent, fields))


@pytest.mark.promise("reduce:json-stays-json")
@given(json_texts(), reductions(), intents)
def test_what_has_a_value_is_json(text: str, settings: Reduction, intent: str) -> None:
    found = reduced(text, ReduceOptions(settings, intent), Reader().keep)
    if found.value is not None:
        json.loads(found.text)
    elif found.steps and found.steps[-1] != "truncate":
        whole = payload(text)
        assert whole.before or whole.after or not whole.has_value  # a literal that is too long is text


@given(texts)
def test_numbers_of_a_table_are_as_they_were_written(text: str) -> None:
    rows = payload(text).value
    for row in rows if isinstance(rows, list) else []:
        for cell in row.values() if isinstance(row, dict) else []:
            assert cell is None or str(cell) in text


@pytest.mark.promise("reduce:never-fails")
@pytest.mark.parametrize(
    "odd", ["1e999", "'\\ud800'", "{'\\ud800': 1}", "-0.0", "1_000", "None", "b'x'", "...", "{1, 2}"]
)
def test_odd_python_literals_are_shown_as_they_are_or_as_json_can_say_them(odd: str) -> None:
    text = "[" + ", ".join(f"{{'id': {n}, 'odd': {odd}, 'body': '{'x' * 90}'}}" for n in range(40)) + "]"
    found = judge(Reader(), text, ReduceOptions(Reduction(max_bytes=3_000)))
    assert found.steps
    assert "Infinity" not in found.text
