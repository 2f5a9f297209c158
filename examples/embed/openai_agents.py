"""An agent of the OpenAI Agents SDK with the tools of a gateway.

pip install toolbooth openai-agents
python examples/embed/openai_agents.py [QUESTION]
"""

import asyncio
import json
from typing import Any

from agents import Agent, FunctionTool, RunConfig, Runner
from scripted import CONFIG, MODEL, QUESTION, model_at_hand

from toolbooth import gateway


def tool_of(opened: gateway.EmbeddedGateway, tool: gateway.MenuTool) -> FunctionTool:
    """One tool of the menu, as the SDK takes it. A call that fails is said in words that a model can act on."""

    async def call(_context: Any, arguments: str) -> str:
        return (await opened.call(tool.name, json.loads(arguments or "{}"))).text

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=dict(tool.input_schema),
        on_invoke_tool=call,
        strict_json_schema=False,  # the strict mode forbids optional parameters
    )


async def answer(question: str) -> str:
    """One run of the agent; traces would be sent to OpenAI, whatever the provider."""
    async with gateway.open(CONFIG) as opened:
        tools = [tool_of(opened, each) for each in await opened.tools()]
        agent = Agent(name="clerk", instructions=opened.instructions, tools=tools, model=MODEL)
        run = await Runner.run(agent, question, run_config=RunConfig(tracing_disabled=True))
        return str(run.final_output)


if __name__ == "__main__":
    with model_at_hand():
        print(asyncio.run(answer(QUESTION)))
