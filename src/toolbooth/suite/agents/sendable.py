"""Arguments as a model wrote them → arguments that can be written down as JSON."""

import json
from collections.abc import Mapping
from typing import Any

from toolbooth.catalog import encode_line


def sendable(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """As they are; halves of characters, which no JSON holds, become question marks."""
    try:
        encode_line(arguments)
    except UnicodeEncodeError:
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        read: dict[str, Any] = json.loads(text.encode("utf-8", "replace"))
        return read
    return arguments
