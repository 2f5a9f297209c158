"""`usage.json`: how often each tool was called → bytes, and back; a damaged file counts nothing."""

import json
from collections.abc import Mapping
from heapq import nlargest
from typing import Any, Final

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
    document = _document(data)
    calls = document.get("calls") if document.get("version") == VERSION else None
    pairs = calls.items() if isinstance(calls, Mapping) else ()
    return {tool: count for tool, count in pairs if type(count) is int and count > 0}


def is_later(data: bytes | None) -> bool:
    """Whether a later Toolbooth wrote it: its counts must not be overwritten by ours."""
    version = _document(data).get("version")
    return type(version) is int and version > VERSION


def _document(data: bytes | None) -> Mapping[str, Any]:
    try:
        document = decode(data or b"null")
    except NotJson:
        return {}
    ours = isinstance(document, Mapping) and document.get("format") == FORMAT
    return document if ours else {}
