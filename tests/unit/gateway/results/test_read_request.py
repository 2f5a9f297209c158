"""Pages of lines, and the call that goes on."""

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.lines import Lines
from toolbooth.gateway.results.read_request import ReadRequest, more_places, page, placeholder
from toolbooth.limits import MAX_ANSWER_TEXT, RESULT_LINE

TEXT = "".join(f"line {number}\n" for number in range(1, 101))


def test_what_fits_is_all_that_is_said() -> None:
    assert page(Lines(TEXT), ReadRequest("r")) == TEXT
    assert page(Lines(TEXT), ReadRequest("r", max_bytes=len(TEXT))) == TEXT
    assert page(Lines(""), ReadRequest("r")) == ""


def test_what_follows_is_named_with_its_path_and_counts_as_well() -> None:
    shown = page(Lines(TEXT), ReadRequest("r", path="a.b", max_bytes=200))
    assert shown.endswith(
        "line 16\n[84 lines not shown: read_result(ref='r', path='a.b', start=17, lines=84)]"
    )
    assert len(shown) <= 200


def test_one_line_is_shown_whatever_its_size() -> None:
    shown = page(Lines("x" * 3 * RESULT_LINE), ReadRequest("r", start=2, max_bytes=0))
    assert shown.startswith("x" * RESULT_LINE + "\n[1 line not shown (cut inside a line): ")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (ReadRequest("r", start=101), "this result has 100 lines"),
        (ReadRequest("r", path="a", start=101), "what `path` leads to has 100 lines"),
    ],
)
def test_a_start_beyond_the_end_is_a_mistake(asked: ReadRequest, said: str) -> None:
    with pytest.raises(WrongArguments, match=said):
        page(Lines(TEXT), asked)


def test_text_in_a_call_is_quoted_so_that_it_can_be_copied() -> None:
    assert "path='\"a b\"[0]'," in placeholder("r", 1, 1, False, '"a b"[0]')
    assert "path=\"[?a=='x']\"," in placeholder("r", 1, 1, False, "[?a=='x']")
    assert r"""path="\"a\"[?b=='x']",""" in placeholder("r", 1, 1, False, "\"a\"[?b=='x']")
    assert r'query="a\nb",' in more_places("r", 2, "a\nb", "", 1, 100)
    assert (
        more_places("r", 1, "a", "", 1, MAX_ANSWER_TEXT)
        == "[1 more place matches: ask for something narrower]"
    )
