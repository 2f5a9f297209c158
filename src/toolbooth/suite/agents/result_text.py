"""The text of a `tools/call` result as the agent under test gets it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from toolbooth import catalog, errors

_ASKS: Final = "The tool asks the user a question, which nobody can answer here."


def result_text(result: Mapping[str, Any]) -> str:
    """Text as it is, one line for any other item, and structured data only if there is no text.

    Raises BackendProtocolError.
    """
    if result.get("resultType") == "input_required":
        return _ASKS
    content = result.get("content", [])
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise errors.BackendProtocolError("sent a result whose content is not a list of items")
    lines = [catalog.block_line(each) for each in content]
    data = result.get("structuredContent")
    if data is not None and all(catalog.block_text(each) is None for each in content):
        lines.insert(0, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return "\n".join(lines)


def is_error(result: Mapping[str, Any]) -> bool:
    """Whether the tool reports a failure, or did not finish."""
    return result.get("isError") is True or result.get("resultType") == "input_required"
