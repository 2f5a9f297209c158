"""Groups of tasks end with a group of errors; who opened a toolbox hears of the one that tells most."""

from typing import Any

import pytest

from toolbooth.errors import BackendCrashed, BackendProtocolError
from toolbooth.suite.agents.toolbox import is_error, result_text, single_error

pytestmark = pytest.mark.anyio


async def test_an_error_of_ours_comes_out_of_any_depth() -> None:
    ours = BackendCrashed("ended")
    with pytest.raises(BackendCrashed) as caught:
        async with single_error():
            raise ExceptionGroup("", [ValueError(), ExceptionGroup("", [ours])])
    assert caught.value is ours


async def test_the_only_error_comes_alone_and_several_stay_together() -> None:
    with pytest.raises(KeyError):
        async with single_error():
            raise ExceptionGroup("", [ExceptionGroup("", [KeyError()])])
    with pytest.raises(ExceptionGroup):
        async with single_error():
            raise ExceptionGroup("", [KeyError(), ValueError()])


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


@pytest.mark.parametrize(
    ("result", "read"),
    [
        ({"content": [text("a"), text("b")]}, "a\nb"),
        ({"content": [text("a")], "structuredContent": {"a": 1}}, "a"),
        ({"content": [], "structuredContent": {"ü": [1, None]}}, '{"ü":[1,null]}'),
        ({"structuredContent": []}, "[]"),
        ({}, ""),
        ({"content": [{"type": "image", "data": "x" * 16_384, "mimeType": "image/png"}]}, "[image image/png, 12 KB]"),
        ({"content": [{"type": "audio", "data": "xxxx"}]}, "[audio of an unknown kind, 3 bytes]"),
        ({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "note"}}]}, "note"),
        ({"content": [{"type": "resource", "resource": {"uri": "a:b", "blob": "xxxx"}}]}, "[resource a:b, 3 bytes]"),
        ({"content": [{"type": "resource_link", "uri": "a:\x1b[31mb"}]}, "[link a:b]"),
        ({"content": [{"type": "hologram"}, {"type": "text"}, {}]}, "[hologram]\n[text]\n[of an unknown kind]"),
    ],
)  # fmt: skip
def test_texts_are_read_as_they_are_and_all_else_as_a_line(result: dict[str, Any], read: str) -> None:
    assert result_text(result) == read


@pytest.mark.parametrize("content", ["text", [1], {"type": "text"}])
def test_what_is_no_result_is_a_fault_of_its_server(content: Any) -> None:
    with pytest.raises(BackendProtocolError, match="not a list of items"):
        result_text({"content": content})


def test_a_question_of_a_server_is_an_error_that_says_so() -> None:
    asked = {"resultType": "input_required", "inputRequests": {}}
    assert "asks the user" in result_text(asked)
    assert is_error(asked)
    assert is_error({"isError": True})
    assert not is_error({"isError": False, "resultType": "complete"})
