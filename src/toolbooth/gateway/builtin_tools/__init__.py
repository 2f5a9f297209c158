"""The built-in tools of the menus: the definition that a model reads on every call, and the reading of a call."""

from toolbooth.gateway.builtin_tools.call_tools import (
    CALL_TOOL,
    CALL_TOOL_CHAIN,
    PLAIN_CALL,
    READ_RESULT,
    RequestedCall,
    RequestedCode,
    read_call,
    read_code,
)
from toolbooth.gateway.builtin_tools.definition import BuiltinTool
from toolbooth.gateway.builtin_tools.find_tools import LIST_TOOLS, SEARCH_TOOLS, TOOL_INFO
from toolbooth.gateway.builtin_tools.manage_servers import (
    ManageRequest,
    manage_servers_tool,
    read_manage_request,
)
from toolbooth.gateway.builtin_tools.split_calls import PLAIN_CALLS, call_name, calling

__all__ = [
    "CALL_TOOL",
    "CALL_TOOL_CHAIN",
    "LIST_TOOLS",
    "PLAIN_CALL",
    "PLAIN_CALLS",
    "READ_RESULT",
    "SEARCH_TOOLS",
    "TOOL_INFO",
    "BuiltinTool",
    "ManageRequest",
    "RequestedCall",
    "RequestedCode",
    "call_name",
    "calling",
    "manage_servers_tool",
    "read_call",
    "read_code",
    "read_manage_request",
]
