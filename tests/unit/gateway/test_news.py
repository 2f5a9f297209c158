"""What a command tells the gateways that are running."""

from contextlib import closing
from pathlib import Path

from toolbooth.gateway.news import NewsReader, announce_sign_in, is_about
from toolbooth.store import STATE_FILE, open_state

URL = "https://mcp.example.com/mcp?key=canary"


def test_a_sign_in_is_read_once_by_every_gateway_that_was_there(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        announce_sign_in(tmp_path, "https://other.example.com/", 99.0)
        readers = [NewsReader(state, 100.0), NewsReader(state, 100.0)]
        assert readers[0].read() == []
        announce_sign_in(tmp_path, URL, 101.0)
        for reader in readers:
            (news,) = reader.read()
            assert is_about(news.payload, "HTTPS://mcp.example.com:443/mcp?key=canary")
            assert not is_about(news.payload, "https://mcp.example.com/mcp")
            assert reader.read() == []


def test_the_address_is_not_written_down(tmp_path: Path) -> None:
    announce_sign_in(tmp_path, URL, 101.0)
    assert (tmp_path / STATE_FILE).exists()
    assert not any(b"canary" in path.read_bytes() for path in tmp_path.iterdir())


def test_news_go_on_though_somebody_removed_the_file(tmp_path: Path) -> None:
    with closing(open_state(tmp_path)) as state:
        reader = NewsReader(state, 100.0)
        for at in (101.0, 102.0):
            announce_sign_in(tmp_path, URL, at)
        assert len(reader.read()) == 2
        for path in tmp_path.iterdir():
            path.unlink()
        assert reader.read() == []
        announce_sign_in(tmp_path, URL, 103.0)
        assert len(reader.read()) == 1


def test_a_folder_that_cannot_be_used_is_said_once_and_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).mkdir()
    announce_sign_in(tmp_path, URL, 101.0)
    with closing(open_state(tmp_path)) as state:
        reader = NewsReader(state, 100.0)
        assert (reader.read(), reader.read()) == ([], [])
        (note,) = reader.notes
        assert "state.sqlite3: no news are read" in note
