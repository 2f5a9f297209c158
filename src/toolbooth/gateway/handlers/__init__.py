"""The handlers of MCP requests, one file for each group of methods."""

from toolbooth.gateway.calls.fast_path import fast_call
from toolbooth.gateway.handlers import completion, prompts, resources, session, tools
from toolbooth.gateway.handlers.resources import watch_resource as watch
from toolbooth.gateway.handlers.session import greeting
from toolbooth.gateway.methods import answer

__all__ = [
    "answer",
    "completion",
    "fast_call",
    "greeting",
    "prompts",
    "resources",
    "session",
    "tools",
    "watch",
]
