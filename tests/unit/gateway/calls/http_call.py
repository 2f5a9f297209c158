"""One call over the HTTP API, without a socket."""

import json
from typing import Any

from starlette.applications import Starlette

from toolbooth.gateway.transports.http_api import CALL


async def post(app: Starlette, body: Any) -> dict[str, Any]:
    """The answer, with its HTTP status under `status` where it is not 200."""
    received, status = bytearray(), 0

    async def receive() -> dict[str, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)
        received.extend(message.get("body", b""))

    scope = {"type": "http", "method": "POST", "path": CALL, "headers": [], "query_string": b""}
    await app(scope, receive, send)
    read: dict[str, Any] = json.loads(received)
    return read if status == 200 else {**read, "status": status}
