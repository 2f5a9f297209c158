"""A network of its own for a client: only loopback is in it, so nothing that the client does can leave it.

On Linux each thread may have its own network namespace, and the processes that it starts inherit it. So the provider's
socket and the client are made in one thread, and the test stays where it was.
"""

import ctypes
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

_NEW_NETWORK: Final = 0x40000000  # CLONE_NEWNET
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
Made = TypeVar("Made")


def alone(work: Callable[[], Made]) -> Made:
    """What `work` gives, done in a thread with a network of its own where this machine allows that."""
    done: Future[Made] = Future()

    def run() -> None:
        try:
            leave_the_network()
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return done.result()


def leave_the_network() -> str:
    """Put this thread into a network of its own; why that cannot be, or "" if it is done."""
    if not sys.platform.startswith("linux"):
        return "only Linux has network namespaces"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK):
        return f"unshare: {os.strerror(ctypes.get_errno())}"
    _bring_loopback_up()
    return ""


def _bring_loopback_up() -> None:
    import fcntl

    with socket.socket() as any_socket:
        asked = struct.pack("16sH14x", b"lo", 0)
        (flags,) = struct.unpack_from("H", fcntl.ioctl(any_socket, _GET_FLAGS, asked), 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))


def isolation() -> str:
    """How clients run on this machine, in a line for the output of tests."""
    problem: list[str] = []
    thread = threading.Thread(target=lambda: problem.append(leave_the_network()))
    thread.start()
    thread.join()
    return (
        f"on loopback, but in this machine's network ({problem[0]})"
        if problem[0]
        else "in a network of its own"
    )
