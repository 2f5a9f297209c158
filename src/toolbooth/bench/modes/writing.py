"""What a model writes and what it has been told, by one rule for our own surfaces and for any endpoint."""

import json
from collections.abc import Mapping
from typing import Any

from toolbooth.search import members, parameters
from toolbooth.tokens import count


def call_tokens(call: Mapping[str, Any], encoding: str) -> int:
    """Of a call `{"name": …, "arguments": {…}}`, as a model writes it."""
    return count(json.dumps(call, separators=(",", ":"), ensure_ascii=False), encoding)


def blank_arguments(schema: object) -> dict[str, str]:
    """Every required parameter, empty."""
    return {each.name: "" for each in members(schema) if each.required}


def tells_enough(line: str, schema: object) -> bool:
    """Whether what is shown of a tool has every required parameter in it, with nothing of its type cut."""
    needed = [each for each in parameters(schema) if each.required]
    return all(str(each) in line and "…" not in each.type for each in needed)
