"""What code gets of a tool's result."""

from typing import Any

import pytest

from toolbooth.catalog import Tool
from toolbooth.gateway.calls.code_host import as_data
from toolbooth.gateway.calls.tool_result import ToolResult

PLAIN = Tool("s", "t")
WRAPS = Tool("s", "t", output_schema={"type": "object", "x-fastmcp-wrap-result": True})


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


@pytest.mark.parametrize(
    ("said", "data"),
    [
        ('{"a": [1, 2.5, null]}', {"a": [1, 2.5, None]}),
        ("  [1]\n", [1]),
        ("42", 42),
        ("2.5", 2.5),
        ("true", True),
        ("null", None),
        ('"quoted"', "quoted"),
        ("1.10", "1.10"),
        ("007", "007"),
        ("1e3", "1e3"),
        ("12345678901234567890123", 12345678901234567890123),
        ("all is well", "all is well"),
        ("{not json", "{not json"),
        ("", ""),
    ],
)
def test_a_text_is_taken_for_json_only_where_nothing_of_it_is_lost(said: str, data: Any) -> None:
    assert as_data(PLAIN, ToolResult({"content": [text(said)]})) == data


def test_structured_content_comes_before_the_text() -> None:
    assert as_data(PLAIN, ToolResult({"content": [text("5 rows")], "structuredContent": {"rows": 5}})) == {
        "rows": 5
    }
    assert as_data(PLAIN, ToolResult({"content": [], "structuredContent": {"result": [1]}})) == {
        "result": [1]
    }


def test_what_a_server_wrapped_only_to_have_an_object_is_unwrapped() -> None:
    assert as_data(WRAPS, ToolResult({"content": [], "structuredContent": {"result": [1]}})) == [1]
    assert as_data(WRAPS, ToolResult({"content": [], "structuredContent": {"result": 1, "more": 2}})) == {
        "result": 1,
        "more": 2,
    }


def test_several_documents_are_a_list_and_several_texts_are_lines() -> None:
    assert as_data(PLAIN, ToolResult({"content": [text('{"a": 1}'), text("[2]")]})) == [{"a": 1}, [2]]
    assert as_data(PLAIN, ToolResult({"content": [text('{"a": 1}'), text("more")]})) == '{"a": 1}\nmore'
    assert as_data(PLAIN, ToolResult({"content": []})) == ""


def test_a_block_without_text_is_described() -> None:
    picture = {"type": "image", "mimeType": "image/png", "data": "AAAA" * 100}
    link = {"type": "resource_link", "uri": "file:///a.csv", "name": "a"}
    inside = {"type": "resource", "resource": {"uri": "file:///b", "text": "[1]"}}
    assert as_data(PLAIN, ToolResult({"content": [picture]})) == "[image image/png, 300 bytes]"
    assert as_data(PLAIN, ToolResult({"content": [link]})) == "[link file:///a.csv]"
    assert as_data(PLAIN, ToolResult({"content": [inside]})) == [1]
    assert (
        "\n".join(ToolResult({"content": [picture, text("x")]}).texts()) == "[image image/png, 300 bytes]\nx"
    )
