"""The tools of our own menus: each has a definition that a model reads on every call, and what it does."""

from toolbooth.gateway.jobs import (
    call_tool,
    call_tool_chain,
    list_tools,
    manage_servers,
    read_result,
    search_tools,
    tool_info,
)
from toolbooth.gateway.jobs.call_tool import Call, read_call
from toolbooth.gateway.jobs.call_tool_chain import Chain, read_chain
from toolbooth.gateway.jobs.job import Job
from toolbooth.gateway.jobs.manage_servers import Order, read_order

CALL_TOOL = call_tool.JOB
CALL_TOOL_CHAIN = call_tool_chain.JOB
LIST_TOOLS = list_tools.JOB
READ_RESULT = read_result.JOB
SEARCH_TOOLS = search_tools.JOB
TOOL_INFO = tool_info.JOB
manage_servers_job = manage_servers.job

__all__ = [
    "CALL_TOOL",
    "CALL_TOOL_CHAIN",
    "LIST_TOOLS",
    "READ_RESULT",
    "SEARCH_TOOLS",
    "TOOL_INFO",
    "Call",
    "Chain",
    "Job",
    "Order",
    "manage_servers_job",
    "read_call",
    "read_chain",
    "read_order",
]
