"""`usage.json`: how often each tool was called → bytes, and back; a damaged file counts nothing."""

import json
from collections.abc import Mapping
from heapq import nlargest
from typing import Final

from toolbooth.catalog import NotJson, decode
from toolbooth.limits import MAX_USAGE_ENTRIES

FORMAT: Final = "toolbooth-usage"
VERSION: Final = 1


def usage_bytes(usage: Mapping[str, int]) -> bytes:
    """The most used tools, in the order of their ids."""
    kept = nlargest(MAX_USAGE_ENTRIES, usage.items(), key=lambda pair: (pair[1], pair[0]))
    document = {"format": FORMAT, "version": VERSION, "calls": dict(sorted(kept))}
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def read_usage(data: bytes | None) -> dict[str, int]:
    """Calls of each tool id; empty where the bytes are not ours."""
    try:
        document = decode(data or b"null")
    except NotJson:
        return {}
    if not isinstance(document, Mapping) or (document.get("format"), document.get("version")) != (
        FORMAT,
        VERSION,
    ):
        return {}
    calls = document.get("calls")
    pairs = calls.items() if isinstance(calls, Mapping) else ()
    return {tool: count for tool, count in pairs if type(count) is int and count > 0}
