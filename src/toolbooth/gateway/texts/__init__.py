"""Tools and failures → the words that an agent reads of them."""

from toolbooth.gateway.texts.faults import ambiguous_tool, backend_failed, not_found, unknown_tool
from toolbooth.gateway.texts.tool_text import definition_text, hit_text, name_in_code, wire_text

__all__ = [
    "ambiguous_tool",
    "backend_failed",
    "definition_text",
    "hit_text",
    "name_in_code",
    "not_found",
    "unknown_tool",
    "wire_text",
]
