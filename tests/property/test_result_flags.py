"""Whether a tool failed is read from its bytes as JSON has it, however its server prints them."""

import json

from hypothesis import given, strategies as st

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.calls.tool_result import ToolResult

BLANK = st.text(alphabet=" \t\r", max_size=3)  # a frame is one line
TEXTS = st.sampled_from(["", "x", '"isError":true', "isError : true", '\\"isError" : true'])


@given(BLANK, BLANK, BLANK, BLANK, st.sampled_from([True, False, None]), TEXTS, st.booleans())
def test_a_failed_call_is_one_whatever_blanks_its_server_prints(
    first: str, second: str, third: str, fourth: str, flag: bool | None, text: str, viewed: bool
) -> None:
    content = json.dumps([{"type": "text", "text": text, "isError": not flag}])
    said = f'{{{first}"isError"{second}:{third}{json.dumps(flag)}{fourth},"content":{content}}}'.encode()
    result = ToolResult(RawResult(memoryview(said) if viewed else said))
    assert result.is_error is (json.loads(said)["isError"] is True)
