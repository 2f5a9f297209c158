"""The file of usage, limits and news: what it takes over, and what it does about files that do not fit."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.limits import MAX_USAGE_ENTRIES
from toolbooth.store import STATE_FILE, open_state

OLD = {"format": "toolbooth-usage", "version": 1, "calls": {"one.echo": 3, "two.echo": 1}}


def counts(data: Path, cache: Path | None = None) -> dict[str, int]:
    with closing(open_state(data, cache)) as state:
        return state.usage.counts()


@pytest.mark.promise("cache:later")
def test_counts_of_an_earlier_version_are_taken_over_once_and_left_where_they_are(tmp_path: Path) -> None:
    old, data = tmp_path / "usage.json", tmp_path / "data"
    old.write_text(json.dumps(OLD))
    before = old.read_bytes()
    with closing(open_state(data, tmp_path)) as state:
        state.usage.add({"one.echo": 1})  # whoever comes first takes them over
        assert state.usage.counts() == {"one.echo": 4, "two.echo": 1}
    assert counts(data, tmp_path) == {"one.echo": 4, "two.echo": 1}
    assert old.read_bytes() == before


def test_reading_takes_them_over_too(tmp_path: Path) -> None:
    (tmp_path / "usage.json").write_text(json.dumps(OLD))
    assert counts(tmp_path / "data", tmp_path) == OLD["calls"]
    (tmp_path / "usage.json").unlink()
    assert counts(tmp_path / "data", tmp_path) == OLD["calls"]


@pytest.mark.promise("cache:later")
@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b'{"format":"toolbooth-usage","version":9,"calls":{"a":1}}', b'{"calls":{"a":1}}',
     b'{"format":"toolbooth-usage","version":1,"calls":{"a":-1,"b":"x","c":true,"d":1.5}}'],
)  # fmt: skip
def test_a_file_that_cannot_be_read_counts_nothing_and_stays(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "usage.json").write_bytes(data)
    assert counts(tmp_path / "data", tmp_path) == {}
    assert (tmp_path / "usage.json").read_bytes() == data


def test_the_least_used_tools_are_forgotten(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        state.usage.add({f"s.t{number}": number + 1 for number in range(MAX_USAGE_ENTRIES + 10)})
        kept = state.usage.counts()
    assert len(kept) == MAX_USAGE_ENTRIES
    assert min(kept.values()) == 11


@pytest.mark.promise("store:damaged")
def test_a_damaged_file_is_set_aside_and_begun_anew_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).write_bytes(b"no database " * 1000)
    notes: list[str] = []
    with closing(open_state(tmp_path, note=notes.append)) as state:
        state.usage.add({"a.b": 1})
        assert state.usage.counts() == {"a.b": 1}
    assert (tmp_path / "state.damaged.sqlite3").exists()
    assert notes == [
        "state.sqlite3 was damaged: it was set aside as state.damaged.sqlite3, and a new one was started"
    ]


@pytest.mark.promise("store:damaged")
def test_of_two_clients_of_a_damaged_file_one_sets_it_aside_and_both_use_the_new_one(tmp_path: Path) -> None:
    notes: list[str] = []
    with (
        closing(open_state(tmp_path, note=notes.append)) as one,
        closing(open_state(tmp_path, note=notes.append)) as other,
    ):
        for each in (one, other):
            each.usage.add({"a.b": 1})
        damage(tmp_path / STATE_FILE)
        for each in (one, other, one):
            each.usage.add({"a.b": 1})
        assert one.usage.counts() == other.usage.counts() == {"a.b": 3}
    assert counts(tmp_path) == {"a.b": 3}
    assert len(notes) == 1
    assert b"no database" in (tmp_path / "state.damaged.sqlite3").read_bytes()


def damage(path: Path) -> None:
    """Whoever has it open notices: its journal is in the file, and its cached pages are old."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE usage SET calls = 0")
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with path.open("r+b") as file:
            file.write(b"no database " * 2000)


@pytest.mark.promise("cache:later")
def test_a_file_of_a_later_toolbooth_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        state.usage.add({"a.b": 1})
    with closing(sqlite3.connect(tmp_path / STATE_FILE, isolation_level=None)) as later:
        later.execute("INSERT INTO migrations VALUES ('0002_of_later', 0, 0)")
        before = list(later.iterdump())
    with closing(open_state(tmp_path)) as state, pytest.raises(OSError, match="a later Toolbooth"):
        state.usage.add({"a.b": 1})
    with closing(sqlite3.connect(tmp_path / STATE_FILE)) as later:
        assert list(later.iterdump()) == before


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    with closing(open_state(tmp_path / "data", tmp_path)) as state:
        assert (state.usage.counts(), state.news.position(0.0), state.news.since(0, ["a"])) == (
            {},
            0,
            ([], 0),
        )
    assert not list(tmp_path.iterdir())
