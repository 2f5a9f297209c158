"""Names in the answers of searches, whatever shape they have, and the tools that are meant by them."""

from typing import Any

import pytest

from toolbooth.bench.live import find_adapter
from toolbooth.bench.live.adapter import AnswerFormat
from toolbooth.bench.live.answers import Spellings, is_unknown_tool, line_of, names_in, text_of
from toolbooth.limits import ANSWER_LINE, ANSWER_LINES

HITS = [{"name": "a_x"}, {"name": "b_y"}, {"name": "a_x"}, {"id": 1}]


def text(said: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}]}


def test_names_in_structured_content_each_once() -> None:
    assert names_in({"structuredContent": {"result": HITS}}, AnswerFormat("structured", "result[].name")) == (
        "a_x",
        "b_y",
    )


def test_names_in_json_that_is_text() -> None:
    where = AnswerFormat("json", "[].name")
    assert names_in(text('[{"name":"a_x"},{"name":"b_y"}]'), where) == ("a_x", "b_y")
    assert names_in(text("nothing fits"), where) == ()


@pytest.mark.parametrize(
    "answer",
    [{}, {"content": []}, {"content": "x"}, {"content": [1, {"type": "image"}]}, {"structuredContent": []}],
)
@pytest.mark.parametrize(
    "where",
    [
        AnswerFormat("structured", "result[].name"),
        AnswerFormat("json", "[].name"),
        AnswerFormat("lines", "(.)"),
    ],
)
def test_an_answer_of_another_shape_names_nothing(answer: dict[str, Any], where: AnswerFormat) -> None:
    assert names_in(answer, where) == ()


def test_a_path_that_does_not_take_what_came_names_nothing() -> None:
    assert names_in({"structuredContent": {"result": 1}}, AnswerFormat("structured", "keys(result)")) == ()


def test_the_lines_of_our_own_search_and_nothing_else() -> None:
    (search, _) = find_adapter("toolbooth").steps
    assert search.answered is not None
    said = (
        'searched for "issue"\n'
        "github.create_issue(owner*, repo*) — Create an issue (new)\n"
        "  body:str — the text\n"
        "Git-geropl.Do It() — does it\n"
        "returns: id(x)\n"
        "also:\n"
        "not up, so not searched: slow (starting)\n"
        "try_also: ticket"
    )
    assert names_in(text(said), search.answered) == ("github.create_issue", "Git-geropl.Do It")


def test_the_lines_of_the_code_surface() -> None:
    (search, _) = find_adapter("toolbooth-code").steps
    assert search.answered is not None
    said = 'sequential_thinking.think(thought*) → {ok} — Think\ntools["a-b.Do It"](x*) — Do'
    assert names_in(text(said), search.answered) == ("sequential_thinking.think", "a-b.Do It")


def test_a_long_answer_is_looked_through_to_a_point() -> None:
    where = AnswerFormat("lines", r"^(\w+)\(")
    assert names_in(text("x\n" * ANSWER_LINES + "late()"), where) == ()
    assert names_in(text(f"{'y' * ANSWER_LINE}()"), where) == ()


def test_spellings_are_read_backwards() -> None:
    spellings = Spellings(find_adapter("fastmcp-search"), ["git.git_add", "a-b.Do It", "a.b_c", "a_b.c"])
    assert spellings.id_of("git_git_add") == "git.git_add"
    assert spellings.id_of("a_b_Do_It") == "a-b.Do It"
    assert spellings.id_of("a-b_do it") == "a-b.Do It"


def test_what_may_mean_two_tools_means_none() -> None:
    spellings = Spellings(find_adapter("toolbooth"), ["x.a_b", "x.a-b"])
    assert spellings.id_of("x.a_b") == "x.a_b"
    assert is_unknown_tool(spellings.id_of("x.a b"))


def test_a_stranger_is_no_tool_and_no_other_stranger() -> None:
    spellings = Spellings(find_adapter("toolbooth"), ["x.a"])
    assert spellings.id_of("y.a") != spellings.id_of("y.b")


def test_text_is_joined_and_lines_are_found() -> None:
    answer = {
        "content": [{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "a.b(x*)"}]
    }
    assert text_of(answer) == "one\na.b(x*)"
    assert line_of(text_of(answer), "a.b") == "a.b(x*)"
    assert line_of("", "a.b") == ""
