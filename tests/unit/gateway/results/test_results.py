"""Results that are too long: what is shown, what is kept, for whom and for how long."""

import re
from typing import Any

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.jobs import read_result
from toolbooth.gateway.results import ResultStore, Wish, fit, read
from toolbooth.gateway.results.lines import Lines
from toolbooth.limits import MAX_ANSWER_TEXT, READ_LINES, RESULT_LINE

TEXT = "".join(f"line {number}\n" for number in range(1, 1001))


def result(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text} for text in texts], **more}


def text_of(shown: dict[str, Any]) -> str:
    return "\n".join(item["text"] for item in shown["content"] if item["type"] == "text")


def ref_in(text: str) -> str:
    found = re.search(r'read_result\(ref="([\w-]+)", start=\d+, lines=\d+\)', text)
    assert found
    return found[1]


def test_what_fits_passes_untouched() -> None:
    store = ResultStore()
    odd: tuple[dict[str, Any], ...] = (
        {"structuredContent": {}},
        {"content": "odd"},
        {"content": [7, {"text": 7}]},
    )
    for given in (result(TEXT), result(), *odd):
        assert fit(given, len(TEXT), store, "me") is given


@pytest.mark.promise("result:nothing-lost")
def test_a_long_text_is_cut_at_lines_with_the_very_call_that_reads_the_rest() -> None:
    store = ResultStore()
    given = result(TEXT)
    shown = text_of(fit(given, 1000, store, "me"))
    head, words, tail = re.split(r"(\[\d+ lines not shown: [^\n]+\])\n", shown)
    assert len(shown) <= 1000
    assert TEXT.startswith(head)
    assert TEXT.endswith(tail)
    assert 1.2 < len(head) / len(tail) < 1.8
    start, lines = map(int, re.findall(r"(?:start|lines)=(\d+)", words))
    hidden = read(store, "me", Wish(ref_in(words), start=start, lines=lines, max_bytes=10**6))
    assert head + hidden.partition("[")[0] + tail == TEXT
    assert text_of(given) == TEXT


def test_all_that_is_no_text_passes_unharmed() -> None:
    image = {"type": "image", "data": "x" * 5000, "mimeType": "image/png"}
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    text = {"type": "text", "text": TEXT, "annotations": {"priority": 1}, "_meta": {"k": 1}}
    given = {
        "content": [image, text, link],
        "structuredContent": {"rows": [1] * 5000},
        "isError": True,
        "_meta": {"a": 1},
    }
    shown = fit(given, 500, ResultStore(), "me")
    assert shown["content"][0] is image
    assert shown["content"][2] is link
    assert shown["content"][1] == {**text, "text": shown["content"][1]["text"]}
    assert {**shown, "content": given["content"]} == given


def test_of_many_texts_those_in_the_middle_make_room() -> None:
    texts = [f"item {number} " + "x" * 50 for number in range(100)]
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    given = result(*texts)
    given["content"].insert(50, image)
    shown = fit(given, 1000, ResultStore(), "me")["content"]
    assert image in shown
    assert [item["text"] for item in shown[:3]] == texts[:3]
    assert shown[-1]["text"] == texts[-1]
    assert sum("read_result(" in item.get("text", "") for item in shown) == 1
    assert len(shown) < 30


def test_one_endless_line_is_cut_inside_and_says_so() -> None:
    store = ResultStore()
    text = "x" * 10 * RESULT_LINE
    shown = text_of(fit(result(text), 3 * RESULT_LINE, store, "me"))
    assert "(cut inside a line)" in shown
    whole = store.get(ref_in(shown), "me")
    assert len(whole) == 10
    assert whole.text == text


def test_a_tiny_cap_leaves_only_the_way_to_the_rest() -> None:
    shown = text_of(fit(result("a" * 300), 10, ResultStore(), "me"))
    assert shown.startswith("[1 line not shown: read_result(")


def test_letters_of_several_bytes_count_as_such() -> None:
    assert len(text_of(fit(result("é\n" * 1000), 600, ResultStore(), "me")).encode()) <= 600


def test_reading_is_bounded_and_says_how_to_go_on() -> None:
    store = ResultStore()
    ref = store.keep(TEXT, "me")
    first = read_result.read(store, "me", {"ref": ref}, MAX_ANSWER_TEXT)
    assert first.count("\n") == READ_LINES
    assert first.endswith(f'read_result(ref="{ref}", start={READ_LINES + 1}, lines={1000 - READ_LINES})]')
    assert read_result.read(store, "me", {"ref": ref, "start": 1000}, MAX_ANSWER_TEXT) == "line 1000\n"
    small = read_result.read(store, "me", {"ref": ref, "start": 2, "lines": 500}, 110)
    assert small.startswith("line 2\nline 3\n[997 lines not shown")
    assert read_result.read(store, "me", {"ref": ref, "start": 5, "lines": 1}, 0).startswith("line 5\n")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({}, "read_result needs `ref`"),
        ({"ref": "REF", "start": "first"}, "`start` of read_result must be a whole number"),
        ({"ref": "REF", "start": 1001}, "this result has 1000 lines"),
        ({"ref": "../etc/passwd\x1b"}, 'there is no result "../etc/passwd'),
    ],
)
def test_a_wrong_reading_is_one_line(arguments: dict[str, Any], hint: str) -> None:
    store = ResultStore()
    ref = store.keep(TEXT, "me")
    given = {key: ref if value == "REF" else value for key, value in arguments.items()}
    with pytest.raises(WrongArguments) as caught:
        read_result.read(store, "me", given, MAX_ANSWER_TEXT)
    assert hint in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_lines_joined_are_the_text_again() -> None:
    text = "a\n\nb" + "c" * (RESULT_LINE * 2) + "\n" + "d" * RESULT_LINE + "\n\u2028e"
    lines = Lines(text)
    assert "".join(lines.part(number, 1) for number in range(1, len(lines) + 1)) == text
    assert lines.part(1, len(lines)) == text
    assert lines.part(len(lines) + 1, 5) == ""
    assert len(Lines("")) == 0
