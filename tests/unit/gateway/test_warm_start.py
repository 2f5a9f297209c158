"""What a gateway keeps of servers, and what it knows of them at its next start."""

from pathlib import Path

from tests.unit.bench.growth.thirty_tools import CATALOG

from toolbooth.gateway.warm_start import keep_catalog, recalled_book
from toolbooth.search import SearchEngine

SERVERS = tuple(each.server for each in CATALOG.servers)


def test_a_recalled_book_finds_what_an_engine_of_the_catalog_finds(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    found = recalled_book(SERVERS, tmp_path).search("reads a thing tool 3")
    assert [hit.tool for hit in found.hits] == [
        hit.tool for hit in SearchEngine.of(CATALOG).search("reads a thing tool 3").hits
    ]
    assert found.hits


def test_the_vectors_of_the_tools_are_kept_too(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    book = recalled_book(SERVERS, tmp_path)
    book.search("")
    kept = [path for path in tmp_path.iterdir() if path.suffix == ".server"]
    assert len(kept) == len(SERVERS)
    rows = book.vectors("a")
    assert rows is not None
    assert any(path.read_bytes().endswith(rows.rows) for path in kept)


def test_a_server_that_is_not_in_the_cache_is_just_absent(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    assert len(recalled_book(("a", "never-seen"), tmp_path).catalog) == 10
