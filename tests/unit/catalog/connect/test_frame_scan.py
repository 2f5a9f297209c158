"""A scan of a frame: what it finds does not depend on the pieces in which the frame arrives."""

import pytest
from hypothesis import given, strategies as st

from toolbooth import limits
from toolbooth.catalog.connect.frame_scan import FrameScan
from toolbooth.catalog.connect.messages import BrokenMessage, RawResult, Response, read_messages
from toolbooth.catalog.connect.stdio import Frame, Framer

ODD = ["\\u", "\\ud83d", "\\uDE00", "é", "漢", "😀", "{", "[", ",", "x", '"']


def in_pieces(data: bytes, size: int) -> FrameScan:
    scan = FrameScan()
    for start in range(0, len(data), size):
        scan.add(data[start : start + size])
    scan.finish()
    return scan


def found(scan: FrameScan) -> tuple[bool, bool, int]:
    return scan.utf8, scan.surrogates, scan.commas


@given(st.lists(st.sampled_from(ODD), max_size=30).map("".join), st.integers(1, 9))
def test_pieces_of_any_size_are_scanned_like_the_whole(text: str, size: int) -> None:
    data = text.encode()
    assert found(in_pieces(data, size)) == found(in_pieces(data, 1000))
    assert found(in_pieces(data, size)) == (True, "\\ud" in text.lower(), text.count(","))


@pytest.mark.parametrize("data", [b"\xff", b"a\xe9b", "é".encode()[:1], b"ok" * 9 + b"\xf0\x9f\x98"])
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_what_is_not_utf8_is_seen_even_at_the_end(data: bytes, size: int) -> None:
    assert not in_pieces(data, size).utf8


def test_brackets_in_strings_are_not_objects() -> None:
    inside = b'{"text":"' + b"{" * (limits.MAX_JSON_OBJECTS + 1) + b'"}'
    objects = b"[" + b"{}," * (limits.MAX_JSON_OBJECTS + 1) + b"0]"
    assert in_pieces(inside, 4096).excess(inside) == ""
    assert in_pieces(objects, 4096).excess(objects) == "200,000 objects"


def frames_of(data: bytes, chunk: int) -> list[Frame]:
    framer = Framer()
    events = [
        event for start in range(0, len(data), chunk) for event in framer.feed(data[start : start + chunk])
    ]
    assert all(isinstance(event, Frame) for event in events)
    return [event for event in events if isinstance(event, Frame)]


def test_a_large_frame_comes_with_its_scan_and_a_small_one_without() -> None:
    large = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"x" * limits.RAW_FRAME + b'"}}'
    small = b'{"jsonrpc":"2.0","id":2,"result":{}}'
    first, second, third = frames_of(small + b"\n" + large + b"\n" + small + b"\n", 60_000)
    assert (first.scan, third.scan) == (None, None)
    assert second.scan is not None
    [answer] = read_messages(second.data, second.scan)
    assert isinstance(answer, Response)
    assert isinstance(answer.result, RawResult)
    assert bytes(answer.result.data) == large[33:-1]


@pytest.mark.parametrize("end", [b"\xff", b"\\ud83d"])
def test_a_large_answer_that_is_no_text_is_refused_as_a_small_one_is(end: bytes) -> None:
    text = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"x" * limits.RAW_FRAME + end + b'"}}'
    [frame] = frames_of(text + b"\n", 60_000)
    [answer] = read_messages(frame.data, frame.scan)
    assert isinstance(answer, BrokenMessage)
    assert answer.request_id == 1
