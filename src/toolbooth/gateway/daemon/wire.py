"""Messages between a bridge and its daemon: JSON with its length before it; descriptors travel beside the first byte.

`_socket` instead of `socket`, no `array`, no `json`: they cost 8, 2 and 8 ms, half of what the whole start may take.
"""

import _socket
import sys

MAX_MESSAGE = (
    8 * 1024 * 1024
)  # an environment is at most 2 MiB on Linux; its escapes may be four times as long
LENGTH = 4
OK, END = b'{"ok": true}', b'{"end": 0}'  # as `json` writes them: what a bridge usually hears needs no parser


def framed(body: bytes) -> bytes:
    """The message with its length before it."""
    return len(body).to_bytes(LENGTH, "big") + body


def quoted(text: str) -> str:
    """One JSON string."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:  # a Python without C parts
        from json.encoder import encode_basestring_ascii
    return encode_basestring_ascii(text)


def send_with_descriptors(sock: _socket.socket, message: bytes, descriptors: list[int]) -> None:
    """All of the message; the descriptors go with its first bytes."""
    packed = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
    beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)] if descriptors else []
    sent = sock.sendmsg([message], beside)
    if sent < len(message):
        sock.sendall(message[sent:])


def receive(sock: _socket.socket) -> bytes | None:
    """The next message; None once the daemon is gone, however it went."""
    try:
        length = _exactly(sock, LENGTH)
        return None if length is None else _exactly(sock, int.from_bytes(length, "big"))
    except ConnectionError:
        return None


def _exactly(sock: _socket.socket, count: int) -> bytes | None:
    parts = b""
    while len(parts) < count:
        part = sock.recv(count - len(parts))
        if not part:
            return None
        parts += part
    return parts


def connect(path: str) -> _socket.socket:
    """A connection to a daemon of the same user; OSError where nobody listens."""
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        sock.connect(path)
    except BaseException:
        sock.close()
        raise
    return sock


def peer_uid(sock: _socket.socket) -> int:
    """Who is at the other end, as the kernel knows it."""
    if hasattr(_socket, "SO_PEERCRED"):
        return int.from_bytes(
            sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[4:8], sys.byteorder
        )
    local = (
        0,
        getattr(_socket, "LOCAL_PEERCRED", 1),
    )  # macOS and BSD: `struct xucred`, the uid after its version
    return int.from_bytes(sock.getsockopt(*local, 76)[4:8], sys.byteorder)
