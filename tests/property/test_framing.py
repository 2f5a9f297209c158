"""However a byte stream is cut into chunks, the same frames come out."""

from itertools import pairwise

from hypothesis import given, strategies as st

from toolbooth.catalog.connect.stdio import HEAD, Frame, Framer, Oversized

LINES = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"").rstrip(b"\r")), max_size=12)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(marks)]


@given(LINES, st.lists(st.integers(min_value=0), max_size=20), st.sampled_from([b"\n", b"\r\n"]))
def test_frames_do_not_depend_on_how_the_stream_is_cut(
    lines: list[bytes], places: list[int], end: bytes
) -> None:
    framer = Framer()
    stream = b"".join(line + end for line in lines)
    events = [event for chunk in cut(stream, places) for event in framer.feed(chunk)]
    assert events == [Frame(line) for line in lines]
    assert not framer.mid_frame


@given(LINES, st.lists(st.integers(min_value=0), max_size=20), st.integers(min_value=1, max_value=30))
def test_each_line_over_the_cap_is_reported_once_and_the_others_arrive(
    lines: list[bytes], places: list[int], cap: int
) -> None:
    framer = Framer(cap)
    stream = b"".join(line + b"\n" for line in lines)
    events = [event for chunk in cut(stream, places) for event in framer.feed(chunk)]
    assert [type(event) for event in events] == [Oversized if len(line) > cap else Frame for line in lines]
    assert [event.data for event in events if isinstance(event, Frame)] == [
        li for li in lines if len(li) <= cap
    ]


@given(st.binary(min_size=1, max_size=100).filter(lambda data: b"\n" not in data))
def test_an_unfinished_line_is_remembered(data: bytes) -> None:
    framer = Framer()
    assert list(framer.feed(data)) == []
    assert framer.mid_frame
    assert framer.remainder == data


def test_an_oversized_line_keeps_only_its_head() -> None:
    framer = Framer(cap=10_000)
    (event,) = [event for _ in range(100) for event in framer.feed(b"x" * 1000)]
    assert event == Oversized(b"x" * HEAD)
    assert framer.remainder == b""
    assert framer.discarded == 100_000
