"""A journal shows the next daemon exactly what the previous one had begun, wherever that was cut off."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from toolbooth.gateway.daemon import journal as layout
from toolbooth.gateway.daemon.bridge import JOURNAL_BYTES, _noted
from toolbooth.gateway.daemon.journal import FACTS_BYTES, HEAD_BYTES, ID_BYTES, SLOTS, RequestJournal
from toolbooth.limits import MAX_OPEN_REQUESTS, MAX_REQUEST_ID, MAX_WAITING_REQUESTS

modest = settings(deadline=None, max_examples=50)
IDS = st.integers() | st.text(max_size=40)
FACTS = st.dictionaries(
    st.text(max_size=8),
    st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=20), max_size=3),
    max_size=3,
)


@contextmanager
def memory() -> Iterator[int]:
    descriptor = os.memfd_create("test") if hasattr(os, "memfd_create") else _file()
    os.ftruncate(descriptor, JOURNAL_BYTES)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _file() -> int:
    import tempfile

    descriptor, path = tempfile.mkstemp()
    os.unlink(path)  # noqa: PTH108
    return descriptor


@contextmanager
def opened(descriptor: int) -> Iterator[RequestJournal]:
    journal = RequestJournal(descriptor)
    try:
        yield journal
    finally:
        journal.close()


@modest
@given(st.lists(st.tuples(st.booleans(), IDS), max_size=60))
def test_the_next_daemon_learns_what_was_begun_and_not_ended(steps: list[tuple[bool, int | str]]) -> None:
    begun: set[int | str] = set()
    with memory() as descriptor:
        with opened(descriptor) as journal:
            for begins, request_id in steps:
                if begins:
                    fits = len(ascii_json(request_id)) <= ID_BYTES
                    assert journal.begin(request_id) == fits
                    begun |= {request_id} if fits else set()
                else:
                    journal.end(request_id)
                    begun.discard(request_id)
            assert journal.quiet == (not begun)
        with opened(descriptor) as following:
            assert set(following.interrupted()) == begun
            for request_id in following.interrupted():
                following.end(request_id)
            assert following.quiet
        with opened(descriptor) as last:
            assert last.interrupted() == []


def ascii_json(text: int | str) -> str:
    import json

    return json.dumps(text)


def test_the_number_one_and_the_text_one_are_two_requests() -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            journal.begin(1)
            journal.begin("1")
            journal.begin("1")
            journal.end(1)
        with opened(descriptor) as following:
            assert following.interrupted() == ["1"]


def test_what_finds_no_slot_is_refused_and_slots_are_used_again() -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            assert all(journal.begin(request_id) for request_id in range(SLOTS))
            assert journal.begin(5), "it is noted already"
            assert not journal.begin(SLOTS)
            for request_id in range(3):
                journal.end(request_id)
            assert not journal.begin("x" * MAX_REQUEST_ID)
            assert journal.begin("fits")
            assert journal.begin("y" * (MAX_REQUEST_ID - 2))
        with opened(descriptor) as following:
            assert set(following.interrupted()) == {*range(3, SLOTS), "fits", "y" * (MAX_REQUEST_ID - 2)}


@modest
@given(st.lists(FACTS, min_size=1, max_size=5))
def test_the_last_value_of_each_fact_is_recalled(rounds: list[dict[str, dict[str, Any]]]) -> None:
    known: dict[str, dict[str, Any]] = {}
    with memory() as descriptor:
        for facts in rounds:
            with opened(descriptor) as journal:
                for key, value in facts.items():
                    if journal.remember(key, value):
                        known[key] = value
        with opened(descriptor) as following:
            assert {key: following.recall(key) for key in known} == known
            assert following.recall("never said, and longer than eight") is None


@modest
@given(st.data())
def test_a_fact_cut_off_while_written_leaves_the_old_one(data: st.DataObject) -> None:
    """A killed process has stored a prefix of what it wanted to: any prefix."""
    old, new = {"is": "old"}, {"is": data.draw(st.text(max_size=60))}
    with memory() as descriptor:
        with opened(descriptor) as journal:
            journal.remember("fact", old)
        before = os.pread(descriptor, JOURNAL_BYTES, 0)
        with opened(descriptor) as journal:
            journal.remember("fact", new)
        after = os.pread(descriptor, JOURNAL_BYTES, 0)
        half = layout._FACTS + after[layout._HALF] * layout._FACTS_HALF
        cut = data.draw(st.integers(0, 200))
        torn = before[:half] + after[half : half + cut] + before[half + cut :]
        for flag, expected in ((before, (old,)), (after, (old, new))):
            state = torn[: layout._HALF] + flag[layout._HALF : layout._HALF + 1] + torn[layout._HALF + 1 :]
            os.pwrite(descriptor, state, 0)
            with opened(descriptor) as following:
                assert following.recall("fact") in expected


def test_a_fact_that_does_not_fit_changes_nothing() -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            assert journal.remember("client", {"name": "a"})
            assert not journal.remember("client", {"name": "a" * FACTS_BYTES})
            assert journal.recall("client") == {"name": "a"}
        with opened(descriptor) as following:
            assert following.recall("client") == {"name": "a"}


@modest
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=6))
def test_the_head_of_an_unfinished_frame_is_kept(heads: list[bytes]) -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            for head in heads:
                journal.reading_head(head)
        with opened(descriptor) as following:
            assert following.was_reading == heads[-1]
            following.reading_head(b"")
        with opened(descriptor) as last:
            assert last.was_reading == b""


def test_a_long_head_is_cut() -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            journal.remember("fact", {"is": 1})
            journal.reading_head(b"x" * 100_000)
        with opened(descriptor) as following:
            assert following.was_reading == b"x" * HEAD_BYTES
            assert following.recall("fact") == {"is": 1}


def test_half_a_written_frame_is_noted_until_it_is_ended() -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            assert not journal.was_writing
            journal.writing(True)
        for _ in range(2):  # the first one may end before it has said anything
            with opened(descriptor) as following:
                assert following.was_writing
        with opened(descriptor) as ending:
            ending.writing(False)
        with opened(descriptor) as last:
            assert not last.was_writing


@modest
@given(st.binary(min_size=1, max_size=2000), st.integers(8, JOURNAL_BYTES - 1))
def test_no_bytes_in_it_can_break_the_reader(noise: bytes, at: int) -> None:
    with memory() as descriptor:
        with opened(descriptor) as journal:
            journal.begin(7)
            journal.remember("fact", {"is": 1})
        os.pwrite(descriptor, noise[: JOURNAL_BYTES - at], at)
        with opened(descriptor) as following:
            assert all(isinstance(each, int | str) for each in following.interrupted())
            following.begin("next")
            following.recall("fact")


def test_memory_that_is_too_small_is_refused() -> None:
    with memory() as descriptor:
        os.ftruncate(descriptor, 100)
        with pytest.raises(ValueError, match="too small"):
            RequestJournal(descriptor)


def test_what_was_answered_and_what_is_open_is_counted_for_the_bridge() -> None:
    with memory() as descriptor, opened(descriptor) as journal:
        for number in range(3):
            journal.begin(number)
        journal.end(1)
        assert _noted(descriptor) == (1, 2)
        with opened(descriptor) as following:
            following.end(0)
        assert _noted(descriptor) == (2, 1)


def test_the_requests_of_a_whole_chunk_find_a_slot() -> None:
    """The smallest request has 40 bytes, and a chunk of a client's stdin 256 KiB."""
    most = MAX_OPEN_REQUESTS + MAX_WAITING_REQUESTS + (1 << 18) // 40
    with memory() as descriptor:
        with opened(descriptor) as journal:
            for number in range(most):
                assert journal.begin(number, "a tool")
        with opened(descriptor) as following:
            assert len(following.interrupted()) == most
