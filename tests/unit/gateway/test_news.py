"""What a command tells the gateways that are running."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.gateway.news import NewsReader, announce_sign_in
from toolbooth.store import STATE_FILE, open_state

URL = "https://mcp.example.com/mcp?key=canary"


def test_a_sign_in_is_read_once_by_every_gateway_that_was_there(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        announce_sign_in(tmp_path, "https://other.example.com/", 99.0)
        readers = [NewsReader(state, 100.0), NewsReader(state, 100.0)]
        same, other = "HTTPS://mcp.example.com:443/mcp?key=canary", "https://mcp.example.com/mcp"
        assert readers[0].signed_in_to([same, other]) == set()
        announce_sign_in(tmp_path, URL, 101.0)
        for reader in readers:
            assert reader.signed_in_to([same, other]) == {same}
            assert reader.signed_in_to([same, other]) == set()


@pytest.mark.parametrize("foreign", ["{", "[1]", 7, b"\xff", "[" * 100_000])
def test_news_that_cannot_be_read_is_skipped(tmp_path: Path, foreign: object) -> None:
    with closing(open_state(tmp_path)) as state:
        reader = NewsReader(state, 100.0)
        announce_sign_in(tmp_path, "https://other.example.com/", 101.0)
        with closing(sqlite3.connect(tmp_path / STATE_FILE)) as file, file:
            file.execute("INSERT INTO news (topic, payload, at) VALUES ('signed_in', ?, 101.5)", (foreign,))
        assert reader.signed_in_to([URL]) == set()
        assert reader._cursor == 2
        announce_sign_in(tmp_path, URL, 102.0)
        assert reader.signed_in_to([URL]) == {URL}
        assert not reader.notes


def test_the_address_is_not_written_down(tmp_path: Path) -> None:
    announce_sign_in(tmp_path, URL, 101.0)
    assert (tmp_path / STATE_FILE).exists()
    assert not any(b"canary" in path.read_bytes() for path in tmp_path.iterdir())


def test_news_goes_on_though_somebody_removed_the_file(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        reader = NewsReader(state, 100.0)
        for at in (101.0, 102.0):
            announce_sign_in(tmp_path, URL, at)
        assert reader.signed_in_to([URL]) == {URL}
        for path in tmp_path.iterdir():
            path.unlink()
        assert reader.signed_in_to([URL]) == set()
        announce_sign_in(tmp_path, URL, 103.0)
        assert reader.signed_in_to([URL]) == {URL}


def test_a_folder_that_cannot_be_used_is_said_once_and_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).mkdir()
    announce_sign_in(tmp_path, URL, 101.0)
    with closing(open_state(tmp_path)) as state:
        reader = NewsReader(state, 100.0)
        assert (reader.signed_in_to([URL]), reader.signed_in_to([URL])) == (set(), set())
        (note,) = reader.notes
        assert "state.sqlite3: no news is read" in note
