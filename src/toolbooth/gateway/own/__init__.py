"""What the gateway tells of itself: `toolbooth://` resources, their templates and completion, and three prompts."""

from toolbooth.gateway.own.completing import completion
from toolbooth.gateway.own.listing import PROMPTS, RESOURCES, TEMPLATES, entries
from toolbooth.gateway.own.prompt import OwnPrompt
from toolbooth.gateway.own.reading import find, read_own
from toolbooth.gateway.own.resource import SCHEME, is_own

__all__ = [
    "PROMPTS",
    "RESOURCES",
    "SCHEME",
    "TEMPLATES",
    "OwnPrompt",
    "completion",
    "entries",
    "find",
    "is_own",
    "read_own",
]
