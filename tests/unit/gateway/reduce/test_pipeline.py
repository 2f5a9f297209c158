"""The steps in their order, each with its switch and its numbers."""

import base64
import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import Reduced, ReduceOptions, reduced
from toolbooth.gateway.reduce.pipeline import JSON_STEPS, TEXT_STEPS, strip_blanks

REF = "r" * 22
USUAL = Reduction()
ITEMS = [
    {"id": n, "title": f"t{n}", "body": f"about {'refunds' if n == 31 else 'shipping'} {'x' * 60}"}
    for n in range(90)
]
TABLE = json.dumps({"items": ITEMS})
TREE = json.dumps({f"k{n}": {"text": f"{n} {'y ' * 600}"} for n in range(30)})
PRETTY = json.dumps({f"k{n}": n for n in range(300)}, indent=4)
LOG = "".join(f"line {n} of a log that is long\n" for n in range(3000))
BLOB = json.dumps(
    {"data": base64.b64encode(bytes((n * 7 + n // 5) % 256 for n in range(1500))).decode(), "a": "b"}
)
OFF = Reduction(compact=False, blobs=False, intent=False, collapse=False, chunks=False, truncate=False)


def cut(text: str, settings: Reduction = USUAL, intent: str = "", fields: tuple[str, ...] = ()) -> Reduced:
    return reduced(text, ReduceOptions(settings, intent, fields), lambda _: REF)


def test_the_order_is_the_specs() -> None:
    assert list(JSON_STEPS) == ["intent", "collapse", "blobs", "chunks"]
    assert list(TEXT_STEPS) == ["intent", "blobs", "truncate"]


@pytest.mark.parametrize(
    ("step", "text", "intent"),
    [
        ("compact", PRETTY, ""), ("blobs", BLOB, ""), ("intent", TABLE, "refunds"), ("collapse", TABLE, ""),
        ("chunks", TREE, ""), ("truncate", LOG, ""), ("intent", LOG.replace("line 1777", "the refund"), "refund"),
    ],
)  # fmt: skip
def test_each_step_works_alone_and_can_be_turned_off(step: str, text: str, intent: str) -> None:
    assert cut(text, replace(OFF, **{step: True}), intent).steps == (step,)
    assert step not in cut(text, replace(Reduction(), **{step: False}), intent).steps


@pytest.mark.parametrize("text", [PRETTY, BLOB, TABLE, TREE, LOG])
def test_with_all_steps_off_nothing_happens(text: str) -> None:
    assert cut(text, OFF, "refunds") == Reduced(text)


def test_an_intent_filters_only_above_five_kilobytes() -> None:
    settings = replace(OFF, intent=True)
    short = json.dumps({"items": ITEMS[:40]})
    assert len(short) < 5 * 1024 < len(TABLE)
    assert cut(short, settings, "refunds").steps == ()
    assert cut(TABLE, settings, "refunds").steps == ("intent",)
    assert cut(short, replace(settings, intent_over=1000), "refunds").steps == ("intent",)


def test_json_is_chunked_only_above_ten_kilobytes() -> None:
    settings = replace(OFF, chunks=True)
    short = json.dumps({f"k{n}": {"text": "y " * 600} for n in range(7)})
    assert cut(short, settings).steps == ()
    assert cut(TREE, settings).steps == ("chunks",)
    assert cut(short, replace(settings, chunk_over=5000)).steps == ("chunks",)


def test_fields_come_before_anything_else() -> None:
    found = cut(TABLE, intent="refunds", fields=("items[].id", "items[].title"))
    assert found.steps[0] == "fields"
    assert '"body"' not in found.text
    assert '"title":"t0"' in found.text


def test_fields_that_are_not_there_are_said_with_those_that_are() -> None:
    found = cut(TABLE, fields=("nowhere",))
    assert found.notes == (
        "none of these fields is in the answer; it has items[].id, items[].title, items[].body",
    )
    assert cut(TABLE, replace(OFF, truncate=True, max_bytes=900), fields=("nowhere",)).notes
    assert cut(LOG, fields=("id",)).notes == ("`fields` is for JSON, and this answer is text",)


def test_fields_that_cannot_be_read_cost_a_note_and_not_the_answer() -> None:
    found = cut(TABLE, fields=("items[0].id",))
    assert "write fields like items[].id" in found.notes[0]
    assert found.steps == ("collapse",)


def test_words_around_json_stay() -> None:
    found = cut(f"Found 90:\n```json\n{TABLE}\n```\n")
    assert found.text.startswith("Found 90:\n```json\n{")
    assert found.text.endswith("}\n```\n")
    assert found.value is None
    assert cut("total 90\nid,name\n" + "".join(f"{n},name {n}\n" for n in range(200))).text.startswith(
        "total 90\n[{"
    )


def test_what_saves_next_to_nothing_is_not_cut() -> None:
    text = "x\n" * 700
    assert cut(text, Reduction(max_bytes=1300)) == Reduced(text)


def test_what_is_capped_is_cut_however_little_that_saves() -> None:
    text = "x\n" * 700
    assert len(cut(text, Reduction(max_bytes=1300, cap=1300)).text) <= 1300


def test_json_that_is_still_too_long_is_cut_as_a_text_of_its_own() -> None:
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return f"ref-{len(kept)}"

    found = reduced(TABLE, ReduceOptions(Reduction(chunks=False, max_bytes=600)), keep)
    assert found.steps == ("collapse", "truncate")
    assert found.value is None
    assert kept[0] == TABLE
    assert "ref='ref-2'" in found.text
    assert json.loads(kept[1])["items"][:3] == ITEMS[:3]
    assert len(found.text) <= 600


def test_digits_and_repeated_keys_stay_as_they_were_written() -> None:
    text = '{ "a" : 1.10 ,\n\t"a" : 12345678901234567890123 , "b c" : " x \\" y " }'
    assert strip_blanks(text) == '{"a":1.10,"a":12345678901234567890123,"b c":" x \\" y "}'


@given(
    st.recursive(
        st.none() | st.text() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_it_says_the_same(value: object) -> None:
    assert strip_blanks(json.dumps(value, indent=3)) == json.dumps(value, separators=(",", ":"))
