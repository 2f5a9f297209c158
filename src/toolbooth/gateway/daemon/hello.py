"""A new connection of a bridge → what it asks for, and the descriptors that came with it."""

import json
import os
import socket
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, UNIXSocketStream

from toolbooth.gateway.daemon.place import PROTOCOL
from toolbooth.gateway.daemon.wire import LENGTH, framed, peer_uid
from toolbooth.limits import MAX_HELLO

_DESCRIPTORS = 3  # stdin, stdout and the notebook; none where bytes are copied


@dataclass(frozen=True)
class Hello:
    """What a bridge, or `toolbooth daemon`, wants. `environ` is a client's own: it holds secrets."""

    do: str
    words: tuple[str, ...]
    cwd: Path
    environ: Mapping[str, str] = field(repr=False)
    resumed: bool
    descriptors: tuple[int, ...]

    def close_descriptors(self) -> None:
        """Nobody will use them."""
        close_all(self.descriptors)


async def read_hello(stream: UNIXSocketStream) -> Hello:
    """ValueError where it is none, or where it comes from another user."""
    if peer_uid(raw_socket(stream)) != os.geteuid():
        raise ValueError("a hello of another user")
    first, descriptors = await stream.receive_fds(65_536, _DESCRIPTORS)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    try:
        if descriptors:
            _check(descriptors)
        return _understood(await _rest(stream, first), tuple(descriptors))
    except BaseException:
        close_all(descriptors)
        raise


def _check(descriptors: Sequence[int]) -> None:
    """Two pipes or sockets and a notebook: libuv ends the whole process over a file that it should wait for."""
    if len(descriptors) != _DESCRIPTORS:
        raise ValueError("a hello with too few descriptors")
    for descriptor in descriptors[:2]:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode):
            raise ValueError("a hello with descriptors that cannot be waited for")


async def _rest(stream: UNIXSocketStream, received: bytes) -> dict[str, Any]:
    while len(received) < LENGTH:
        received += await stream.receive(LENGTH - len(received))
    length = int.from_bytes(received[:LENGTH], "big")
    if length > MAX_HELLO:
        raise ValueError("a hello that is too long")
    parts = [received[LENGTH:]]
    missing = length - len(parts[0])
    while missing > 0:
        parts.append(await stream.receive(min(missing, 65_536)))
        missing -= len(parts[-1])
    message = json.loads(b"".join(parts))
    if not isinstance(message, dict) or message.get("protocol") != PROTOCOL:
        raise ValueError("a hello in another protocol")
    return message


def _understood(message: Mapping[str, Any], descriptors: tuple[int, ...]) -> Hello:
    return Hello(
        do=str(message.get("do")),
        words=tuple(map(str, message.get("words", ()))),
        cwd=Path(message.get("cwd", "/")),
        environ=dict(message.get("environ", {})),
        resumed=bool(message.get("resumed", False)),
        descriptors=descriptors,
    )


async def answer(stream: UNIXSocketStream, **message: Any) -> None:
    """Tell the bridge; one that has gone needs no answer."""
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(framed(json.dumps(message).encode("ascii")))


def raw_socket(stream: UNIXSocketStream) -> socket.socket:
    """The socket below a stream."""
    return stream.extra(SocketAttribute.raw_socket)  # noqa: S610 - no database here


def close_all(descriptors: Sequence[int]) -> None:
    """Each once; one that is closed already is no matter."""
    for descriptor in descriptors:
        with suppress(OSError):
            os.close(descriptor)
