"""A request of a caller → its answer."""

from toolbooth.gateway.desk import (  # each registers what it answers
    completion,
    logging,
    prompts,
    resources,
    tools,
)
from toolbooth.gateway.desk.answering import answer
from toolbooth.gateway.desk.hello import greeting
from toolbooth.gateway.desk.resources import watch_resource as watch
from toolbooth.gateway.desk.swift import swift_call

__all__ = [
    "answer",
    "completion",
    "greeting",
    "logging",
    "prompts",
    "resources",
    "swift_call",
    "tools",
    "watch",
]
