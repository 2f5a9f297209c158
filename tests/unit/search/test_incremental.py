"""Servers come, change and go; the engine is as if it had been made anew."""

from tests.unit.search.sample_catalog import TOOLS, catalog, tool

from toolbooth.search import SearchEngine, StaticTable

QUERIES = ("create issue", "weather in a city", "send mail", "read file", "isue", "rows of a table", "zzzz")
NEW = (
    tool("files", "copy_file", "Copy a file", "source"),
    tool("files", "unzip", "Unpack an archive", "path"),
)


def test_a_replaced_server_equals_a_rebuilt_engine() -> None:
    engine = SearchEngine.of(catalog())
    engine.search("warm")
    engine.replace_server("files", NEW)
    rebuilt = SearchEngine.of(catalog((*NEW, *(each for each in TOOLS if each.server != "files"))))
    assert [engine.search(query) for query in QUERIES] == [rebuilt.search(query) for query in QUERIES]


def test_a_removed_server_is_gone_and_an_unknown_one_is_no_mistake() -> None:
    engine = SearchEngine.of(catalog())
    engine.remove_server("files")
    engine.remove_server("files")
    assert all(hit.tool.server != "files" for hit in engine.search("read file", 20).hits)


def test_what_was_stored_is_used_again_and_not_made_anew() -> None:
    class Counting(StaticTable):
        embedded = 0

        def embed_tools(self, tools, about=""):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            self.embedded += len(tools)
            return super().embed_tools(tools, about)

    first = SearchEngine.of(catalog())
    table = Counting()
    second = SearchEngine(table)
    for server in catalog().servers:
        assert second.replace_server(server.server, server.tools, stored=first.stored(server.server))
    assert table.embedded == 0
    assert second.search("will it rain") == first.search("will it rain")


def test_an_engine_without_an_embedder_keeps_no_vectors() -> None:
    engine = SearchEngine.of(catalog(), None)
    assert engine.vectors("files") is None
    assert engine.vectors("nowhere") is None


def test_a_server_without_tools_is_no_problem() -> None:
    engine = SearchEngine.of(catalog())
    engine.replace_server("silent", [])
    assert engine.search("read file").hits[0].tool.id == "files.read_file"
