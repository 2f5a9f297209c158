"""A LangChain agent, which is a LangGraph graph, with the tools of a gateway.

pip install toolbooth langchain langchain-openai
python examples/embed/langchain_agent.py [QUESTION]
"""

import asyncio
from typing import Any

from langchain.agents import create_agent
from langchain.tools import BaseTool
from langchain_core.tools import StructuredTool
from scripted import CONFIG, MODEL, QUESTION, model_at_hand

from toolbooth import gateway


def tool_of(opened: gateway.EmbeddedGateway, tool: gateway.MenuTool) -> BaseTool:
    """One tool of the menu, as LangChain takes it. A call that fails is said in words that a model can act on."""

    async def call(**arguments: Any) -> str:
        return (await opened.call(tool.name, arguments)).text

    schema = dict(tool.input_schema)
    return StructuredTool(name=tool.name, description=tool.description, args_schema=schema, coroutine=call)


async def answer(question: str) -> str:
    """One run of the agent."""
    async with gateway.open(CONFIG) as opened:
        tools = [tool_of(opened, each) for each in await opened.tools()]
        agent = create_agent(f"openai:{MODEL}", tools, system_prompt=opened.instructions)
        state = await agent.ainvoke({"messages": [{"role": "user", "content": question}]})
        return str(state["messages"][-1].text)


if __name__ == "__main__":
    with model_at_hand():
        print(asyncio.run(answer(QUESTION)))
