"""Sample results of a tool by name, exactly as they are sent."""

from typing import Any

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
LONG = "ü1234567890abcde" * 65_536  # 1 MiB of characters, more in bytes
FOR_USER = {"audience": ["user"], "priority": 0.25, "lastModified": "2026-11-16T03:00:00Z"}


def _text(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


SAMPLES: dict[str, dict[str, Any]] = {
    "image": {"content": [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]},
    "audio": {"content": [{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}]},
    "embedded": {
        "content": [
            {"type": "resource", "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "a note"}},
            {"type": "resource", "resource": {"uri": "note://2", "mimeType": "image/png", "blob": PIXEL}},
        ]
    },
    "link": {
        "content": [
            {"type": "resource_link", "uri": "note://1", "name": "note", "title": "A note", "size": 6}
        ]
    },
    "mixed": {
        "content": [
            _text("before"),
            {"type": "image", "data": PIXEL, "mimeType": "image/png"},
            _text("after"),
        ]
    },
    "annotated": {"content": [_text("for people", annotations=FOR_USER, _meta={"example.org/page": 3})]},
    "structured": {
        "content": [_text('{"rows":[]}')],
        "structuredContent": {
            "rows": [{"id": 1, "nested": {"none": None, "list": [1, 2.5, "x"]}}],
            "": "empty key",
        },
    },
    "meta": {
        "content": [_text("with meta")],
        "_meta": {"example.org/trace": {"id": "abc"}, "plain": [1, None]},
    },
    "error": {
        "content": [_text("it went wrong")],
        "isError": True,
        "structuredContent": {"reason": "disk full"},
    },
    "empty": {"content": []},
    "unicode": {
        "content": [_text('żółć 漢字 🦜‍🏴 \u2028 \u0000 \\ " end')],
        "structuredContent": {"ключ": "値"},
    },
    "big_integer": {
        "content": [_text("numbers")],
        "structuredContent": {
            "large": 2**80 + 1,
            "negative": -(2**70),
            "small": 0.1,
            "exact": 9007199254740993,
        },
    },
    "unknown_kind": {
        "content": [{"type": "hologram", "data": {"any": 1}}, _text("and text")],
        "ownField": {"a": 1},
    },
    "speaks_of_versions": {
        "content": [_text("input_required")],
        "structuredContent": {"resultType": "input_required", "requestState": "none of ours"},
    },
    "long": {"content": [_text(LONG)]},
}
