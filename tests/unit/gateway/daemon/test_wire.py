"""Messages and descriptors between a bridge and its daemon."""

import json
import os
import socket
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolbooth.gateway.daemon.wire import (
    END,
    OK,
    connect,
    framed,
    peer_uid,
    quoted,
    receive,
    send_with_descriptors,
)


@settings(deadline=None)
@given(st.text() | st.text(st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)))
def test_any_text_of_an_environment_survives(text: str) -> None:
    """Lone surrogates stand for bytes that are no UTF-8."""
    assert json.loads(quoted(text)) == text


def test_the_usual_answers_are_what_json_writes() -> None:
    assert json.dumps({"ok": True}).encode() == OK
    assert json.dumps({"end": 0}).encode() == END


def test_a_large_message_arrives_with_its_descriptors() -> None:
    message = framed(b"x" * 3_000_000)
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    reader, writer = os.pipe()
    with ours, theirs:
        sending = Thread(target=send_with_descriptors, args=(ours, message, [writer]))
        sending.start()
        first, descriptors, _, _ = socket.recv_fds(theirs, 65_536, 3)
        rest = b""
        while len(first) + len(rest) < len(message):
            rest += theirs.recv(1_000_000)
        assert first + rest == message
        sending.join()
    os.write(descriptors[0], b"through")
    assert os.read(reader, 100) == b"through"
    for descriptor in (reader, writer, *descriptors):
        os.close(descriptor)


@pytest.mark.parametrize("cut", [0, 2, 4, 9])
def test_a_message_that_is_cut_off_is_none(cut: int) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        ours.sendall(framed(b"0123456789")[:cut])
        ours.shutdown(socket.SHUT_WR)
        assert receive(theirs) is None


def test_messages_come_one_by_one() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        ours.sendall(framed(b"one") + framed(b"") + framed(b"two"))
        assert [receive(theirs) for _ in range(3)] == [b"one", b"", b"two"]


def test_the_kernel_tells_who_is_at_the_other_end() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_uid(ours) == os.geteuid()


def test_nobody_listening_is_an_error_and_leaves_nothing_open() -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    with pytest.raises(FileNotFoundError):
        connect("/nowhere/at/all")
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208
