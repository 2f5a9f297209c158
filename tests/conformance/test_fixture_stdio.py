"""The fixture over stdio answers in both protocol versions, and asks back in both."""

import pytest
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult, TextContent

from tests.conformance.conftest import FINDS_FIXTURE, FIXTURE

PARAMETERS = StdioServerParameters(command=FIXTURE[0], args=[*FIXTURE[1:], "--stdio"], env=FINDS_FIXTURE)


async def accept(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Alice", "username": "alice", "email": "a@b.c"})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "tool", "arguments"),
    [
        ("legacy", "test_elicitation", {"message": "Who are you?"}),
        ("2026-07-28", "test_input_required_result_elicitation", {}),
    ],
)
async def test_a_tool_asks_the_user_and_gets_the_answer(
    mode: str, tool: str, arguments: dict[str, str]
) -> None:
    async with Client(PARAMETERS, mode=mode, elicitation_callback=accept) as client:
        assert (await client.list_tools()).tools[0].name == "test_simple_text"
        result = await client.call_tool(tool, arguments)
    (said,) = result.content
    assert isinstance(said, TextContent)
    assert "alice" in said.text.lower()
