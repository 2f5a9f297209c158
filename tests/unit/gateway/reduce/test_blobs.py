"""Encoded data in an answer."""

import base64

import pytest

from toolbooth.gateway.reduce.blobs import drop_json, drop_text, may_hold_some
from toolbooth.gateway.reduce.hidden import HiddenText
from toolbooth.gateway.reduce.pieces import Piece, Pieces

BLOB = base64.b64encode(bytes((n * 7 + n // 5) % 256 for n in range(900))).decode()
REF = "r" * 22


def test_a_string_of_nothing_but_data_becomes_its_words() -> None:
    found = drop_json({"file": {"data": BLOB, "name": "a.png"}})
    assert found == {"file": {"data": HiddenText("base64, 1.2 KB,", "file.data"), "name": "a.png"}}


def test_a_kind_that_is_known_is_said() -> None:
    (found,) = drop_json([f"data:image/png;base64,{BLOB}"])
    assert "base64 of image/png" in found.words(REF)


@pytest.mark.parametrize(
    "plain", ["-" * 900, "a" * 900, "0123456789" * 90, "abcdef" * 200, "words of a text " * 90, BLOB[:500]]
)
def test_what_is_no_data_stays(plain: str) -> None:
    value = [plain]
    assert drop_json(value) is value
    pieces = Pieces.whole(plain)
    assert drop_text(pieces) is pieces


@pytest.mark.parametrize("blob", [BLOB, "\n".join(BLOB[at : at + 76] for at in range(0, 1_170, 76)) + "=="])
def test_data_inside_a_text_is_left_out(blob: str) -> None:
    text = f"before\n{blob}\nafter\n"
    assert may_hold_some(text)
    shown = drop_text(Pieces.whole(text)).words(REF)
    assert shown.startswith("before\n[base64, 1.")
    assert shown.endswith("after\n")


def test_what_is_not_shown_anyway_stays_so() -> None:
    text = f"one\ntwo\n{BLOB}\nthree\n"
    shown = drop_text(Pieces.whole(text).only([Piece(0, 4), Piece(8, len(text))])).words(REF)
    assert "two" not in shown
    assert BLOB not in shown
    assert "three" in shown


def test_what_a_page_brings_for_browsers_is_left_out() -> None:
    text = f"<p>hello</p><script>{'let a = 1;' * 90}</script><p>bye</p>"
    shown = drop_text(Pieces.whole(text)).words(REF)
    assert "let a" not in shown
    assert shown.startswith("<p>hello</p>")
    assert shown.endswith("<p>bye</p>")


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (f"<p>a</p><script>{'let a = 1;' * 90}", f"<p>a</p><script>{'let a = 1;' * 90}"),
        ("<p>a</p><script>let a</script><p>b</p>", "<p>a</p><script>let a</script><p>b</p>"),
    ],
    ids=["without an end", "short"],
)
def test_a_script_that_has_no_end_or_is_short_stays(page: str, shown: str) -> None:
    assert drop_text(Pieces.whole(page)).words(REF) == shown


def test_what_looks_like_an_element_inside_another_goes_with_it() -> None:
    inner = "let a = '<style>'; " * 60
    shown = drop_text(Pieces.whole(f"<script>{inner}</script><p>bye</p>")).words(REF)
    assert "<style>" not in shown
    assert shown.endswith("<p>bye</p>")
