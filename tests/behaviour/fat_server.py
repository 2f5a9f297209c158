"""A real MCP server on stdio whose answers are long: `python fat_server.py`."""

import json
import sys
from typing import Any

ORDERS = [
    {"id": n, "title": f"Order {n}", "state": "open" if n % 50 == 7 else "closed", "total": n * 1.5,
     "note": ("a refund was asked for after the parcel was lost" if n == 137 else "shipped as usual ") * 3}
    for n in range(250)
]  # fmt: skip
LOG = "".join(
    f"2026-11-16 03:{n // 60:02}:{n % 60:02} {'ERROR the disk is full' if n == 777 else 'INFO all is well'} {n}\n"
    for n in range(3000)
)
PICTURE = {
    "type": "image",
    "data": "iVBORw0KGgo" * 400,
    "mimeType": "image/png",
    "annotations": {"priority": 1},
}
LINK = {"type": "resource_link", "uri": "file:///orders.csv", "name": "orders"}
PAGE = {"orders": ORDERS, "next": None}


def _text(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


RESULTS: dict[str, dict[str, Any]] = {
    "orders": {"content": [_text(json.dumps(PAGE, indent=2))]},
    "log": {"content": [_text(LOG, annotations={"audience": ["assistant"]})]},
    "failed": {"content": [_text(LOG)], "isError": True, "_meta": {"example.org/trace": "t1"}},
    "mixed": {"content": [PICTURE, _text(LOG), LINK], "ownField": {"a": 1}},
    "twice": {"content": [_text(json.dumps(PAGE))], "structuredContent": PAGE},
    "small": {"content": [_text("all is well")]},
    "typed": {"content": [_text(json.dumps(PAGE))], "structuredContent": PAGE},
    "fixed": {"content": [_text(json.dumps(PAGE))], "structuredContent": PAGE},
    "wrapped": {"content": [_text(LOG)], "structuredContent": {"result": LOG}},
}
_ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        **{key: {"type": "string"} for key in ("title", "state", "note")},
        "total": {"type": "number"},
    },
    "required": ["id", "title", "state", "total", "note"],
    "additionalProperties": False,
}
_ORDERS: dict[str, Any] = {"type": "array", "items": _ORDER}
SCHEMAS: dict[str, dict[str, Any]] = {
    "typed": {
        "type": "object",
        "properties": {"orders": _ORDERS, "next": {"type": "null"}},
        "required": ["orders", "next"],
        "additionalProperties": False,
    },
    "fixed": {"type": "object", "properties": {"orders": {**_ORDERS, "minItems": len(ORDERS)}}},
    "wrapped": {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]},
}


def _result(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": "fat", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        schema = {"type": "object"}
        return {
            "tools": [
                {
                    "name": name,
                    "description": f"Gives {name}.",
                    "inputSchema": schema,
                    **({"outputSchema": SCHEMAS[name]} if name in SCHEMAS else {}),
                }
                for name in RESULTS
            ]
        }
    return RESULTS[params["name"]] if method == "tools/call" else {}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = _result(message["method"], message.get("params") or {})
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
