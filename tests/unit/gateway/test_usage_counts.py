"""Call counts of one process beside those of others."""

from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.gateway.usage_counts import UsageCounts
from toolbooth.store import STATE_FILE, open_state

pytestmark = pytest.mark.anyio


async def test_what_was_stored_and_what_is_called_add_up(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        state.usage.add({"one.a": 3})
        counts = UsageCounts(state)
        counts.calls["one.a"] += 1  # before the stored ones are known
        await counts.load()
        counts.calls["one.b"] += 2
        assert counts.calls == {"one.a": 4, "one.b": 2}
        await counts.save()
        assert state.usage.counts() == {"one.a": 4, "one.b": 2}


async def test_what_was_stored_just_before_is_not_counted_twice(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        counts = UsageCounts(state)
        counts.calls["one.a"] += 1
        await counts.save()
        await counts.load()
        assert counts.calls == state.usage.counts() == {"one.a": 1}


async def test_two_gateways_count_together_and_nothing_twice(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        one, other = UsageCounts(state), UsageCounts(state)
        for counts in (one, other):
            await counts.load()
            counts.calls["a.b"] += 5
        for counts in (one, other, one):
            await counts.save()
        assert state.usage.counts() == {"a.b": 10}


async def test_without_a_usable_file_calls_are_counted_and_stored_later(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).mkdir()
    with closing(open_state(tmp_path)) as state:
        counts = UsageCounts(state)
        await counts.load()
        counts.calls["a.b"] += 1
        await counts.save()
        await counts.save()
        (note,) = counts.notes
        assert "state.sqlite3: call counts are not kept" in note
        (tmp_path / STATE_FILE).rmdir()
        await counts.save()
        assert state.usage.counts() == {"a.b": 1}


async def test_nothing_is_written_where_nothing_was_called(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        counts = UsageCounts(state)
        await counts.load()
        await counts.save()
    assert not (tmp_path / STATE_FILE).exists()
