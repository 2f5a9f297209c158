"""The handlers of MCP requests, one file for each group of methods."""

from toolbooth.gateway.calls.menu_call import run_call
from toolbooth.gateway.calls.pipeline import start_call
from toolbooth.gateway.handlers import completion, prompts, resources, session, tasks, tools
from toolbooth.gateway.handlers.resources import watch_resource as watch
from toolbooth.gateway.handlers.session import greeting
from toolbooth.gateway.methods import answer

__all__ = [
    "answer",
    "completion",
    "greeting",
    "prompts",
    "resources",
    "run_call",
    "session",
    "start_call",
    "tasks",
    "tools",
    "watch",
]
