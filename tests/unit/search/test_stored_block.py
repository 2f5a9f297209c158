"""What an engine made of a server's tools, as bytes and back: used as it is, or not at all."""

from collections.abc import Sequence
from importlib.resources import files

import pytest
from hypothesis import given, strategies as st
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.catalog import Tool
from toolbooth.search import SearchEngine, StaticTable, stored_block
from toolbooth.search.embedder import Vectors

FILES = tuple(each for each in TOOLS if each.server == "files")


class Counting(StaticTable):
    """Counts the tools that it embeds."""

    embedded = 0

    def embed_tools(self, tools: Sequence[Tool], about: str = "") -> Vectors:
        self.embedded += len(tools)
        return super().embed_tools(tools, about)


def stored(embedder: StaticTable | None) -> bytes:
    made = SearchEngine.of(catalog(FILES), embedder).stored("files")
    assert made is not None
    return made


WITH_VECTORS, WORDS_ALONE = stored(StaticTable()), stored(None)


def test_a_restored_index_equals_a_fresh_one_to_the_last_bit() -> None:
    fresh, again = SearchEngine.of(catalog()), SearchEngine()
    for each in catalog().servers:
        assert again.replace_server(each.server, each.tools, stored=fresh.stored(each.server))
    one, other = fresh._state().joined, again._state().joined
    assert one.terms == other.terms
    assert one.words == other.words
    for name in ("_tools", "_impacts", "_fields", "vectors"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
    assert again.stored("files") == fresh.stored("files")


def test_words_of_other_rules_are_made_anew_and_their_vectors_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_block, "rules", lambda: "other")
    table = Counting()
    engine = SearchEngine(table)
    assert not engine.replace_server("files", FILES, stored=WITH_VECTORS)
    assert table.embedded == 0
    assert engine.search("read a file").hits


def test_vectors_of_another_embedder_are_made_anew_and_the_words_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("the words are there")

    table = Counting()
    monkeypatch.setattr("toolbooth.search.engine.make_block", forbidden)
    engine = SearchEngine(table)
    assert not engine.replace_server("files", FILES, stored=WORDS_ALONE)
    assert table.embedded == len(FILES)
    assert engine.search("read a file").hits


def test_vectors_are_ignored_where_nothing_embeds() -> None:
    engine = SearchEngine(None)
    assert engine.replace_server("files", FILES, stored=WORDS_ALONE)
    engine.replace_server("files", FILES, stored=WITH_VECTORS)
    assert engine.vectors("files") is None


def test_a_server_without_tools_is_restored_too() -> None:
    engine = SearchEngine()
    engine.replace_server("silent", [])
    assert engine.replace_server("silent", [], stored=engine.stored("silent"))


def test_an_index_of_other_tools_is_not_used() -> None:
    engine = SearchEngine.of(catalog())
    assert not engine.replace_server("files", FILES[1:], stored=WITH_VECTORS)
    assert engine.search("read file").hits


def test_the_rules_change_with_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    before = stored_block.rules()
    monkeypatch.setattr("toolbooth.limits.MAX_WORD", 65)
    stored_block.rules.cache_clear()
    assert stored_block.rules() != before
    monkeypatch.undo()
    stored_block.rules.cache_clear()
    assert stored_block.rules() == before


def test_every_source_of_the_rules_is_there() -> None:
    package = files("toolbooth.search")
    assert all((package / name).is_file() for name in stored_block._SOURCES)


@given(st.data())
def test_a_search_never_fails_whatever_bytes_are_passed_back(data: st.DataObject) -> None:
    """The cache's checksum finds damage by chance; this is what somebody wrote on purpose."""
    at = data.draw(st.integers(0, len(WITH_VECTORS) - 1 if data.draw(st.booleans()) else 400))
    new = data.draw(st.binary(max_size=8))
    engine = SearchEngine(None)
    engine.replace_server("files", FILES, stored=WORDS_ALONE[:at] + new + WORDS_ALONE[at + len(new) :])
    engine.search("read a file")
    engine.search("rad a fiel")
    engine.search("zzzz")
