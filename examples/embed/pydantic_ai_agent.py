"""A pydantic-ai agent with the tools of a gateway.

pip install toolbooth 'pydantic-ai-slim[openai]'
python examples/embed/pydantic_ai_agent.py [QUESTION]
"""

import asyncio
from typing import Any

from pydantic_ai import Agent, Tool
from scripted import CONFIG, MODEL, QUESTION, model_at_hand

from toolbooth import gateway


def tool_of(opened: gateway.EmbeddedGateway, tool: gateway.MenuTool) -> Tool[None]:
    """One tool of the menu, as pydantic-ai takes it. A call that fails is said in words that a model can act on."""

    async def call(**arguments: Any) -> str:
        return (await opened.call(tool.name, arguments)).text

    return Tool.from_schema(call, tool.name, tool.description, dict(tool.input_schema))


async def answer(question: str) -> str:
    """One run of the agent."""
    async with gateway.open(CONFIG) as opened:
        tools = [tool_of(opened, each) for each in await opened.tools()]
        agent = Agent(f"openai-chat:{MODEL}", instructions=opened.instructions, tools=tools)
        return (await agent.run(question)).output


if __name__ == "__main__":
    with model_at_hand():
        print(asyncio.run(answer(QUESTION)))
