"""The built-in resources and prompts: the pages below `toolbooth://`, their completion, and three prompts."""

from toolbooth.gateway.builtin_resources.definition import SCHEME, BuiltinPrompt, is_builtin
from toolbooth.gateway.builtin_resources.listing import (
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    completion,
    entries,
    find_resource,
    read_builtin,
)

__all__ = [
    "PROMPTS",
    "RESOURCES",
    "SCHEME",
    "TEMPLATES",
    "BuiltinPrompt",
    "completion",
    "entries",
    "find_resource",
    "is_builtin",
    "read_builtin",
]
