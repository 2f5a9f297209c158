"""Nothing that a client or a server sends makes a search fail."""

from typing import Any

import pytest
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.catalog import Tool
from toolbooth.search import SearchEngine

CHINESE = Tool("bing", "bing_search", "使用必应搜索指定的关键词，并返回搜索结果列表")
ARABIC = Tool("taqs", "taqs", "توقعات الطقس لمدينة")


@pytest.mark.parametrize(
    "query",
    [
        "read file " * 10_000,
        "x" * 100_000,
        "'" * 5_000,
        '"' + "a" * 50_000,
        "/" * 5_000,
        "(?:a+)+$ [a-z]* \\d{3,} read file",
        "read \x00 file \ud800",
        "\u202eelif daer\u202c read file",
        "read 🙂 file 🗂️",
        "read\tfile\r\n--help; DROP TABLE tools",
    ],
    ids=range(10),
)
def test_no_query_raises_and_sensible_words_still_count(either: SearchEngine, query: str) -> None:
    found = either.search(query)
    if "file" in query and "elif" not in query:
        assert found.hits[0].tool.id == "files.read_file"


def test_chinese_and_arabic_find_what_is_written_in_them() -> None:
    for embedder in (None, SearchEngine().embedder):
        engine = SearchEngine.of(catalog((*TOOLS, CHINESE, ARABIC)), embedder)
        assert engine.search("搜索关键词").hits[0].tool is CHINESE
        assert engine.search("الطقس").hits[0].tool is ARABIC
    found = SearchEngine.of(catalog((*TOOLS, CHINESE)), None).search("天气预报").hits
    assert found[0].tool.name == "get_forecast"  # its English words stand for the Chinese ones


SCHEMAS: list[Any] = [
    {"properties": []},
    {"properties": {"a": None, "b": 3, "c": {"description": 7}, "d": True}},
    {"properties": {"a": {"properties": "x", "items": [1]}}, "items": "no"},
    {"type": 3, "properties": {"": {}}},
    {"properties": {str(i): {"description": "word " * 50} for i in range(2_000)}},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=range(len(SCHEMAS)))
def test_a_malformed_schema_does_not_hide_its_tool(schema: Any) -> None:
    engine = SearchEngine.of(
        catalog((*TOOLS, Tool("odd", "frobnicate_widget", "Frobnicate a widget", schema)))
    )
    assert engine.search("frobnicate widget").hits[0].tool.server == "odd"


def test_a_schema_that_contains_itself_ends() -> None:
    schema: dict[str, Any] = {"properties": {}}
    schema["properties"]["again"] = schema
    engine = SearchEngine.of(catalog((Tool("odd", "loop", "Loop", schema),)))
    assert engine.search("loop").hits


def test_a_tool_without_a_description_is_found_by_its_name(either: SearchEngine) -> None:
    engine = SearchEngine.of(catalog((*TOOLS, Tool("odd", "resize_image"))), either.embedder)
    assert engine.search("make the image smaller: resize").hits[0].tool.name == "resize_image"


def test_a_very_long_description_does_not_win_by_its_length(either: SearchEngine) -> None:
    long = Tool("odd", "everything", " ".join(each.description for each in TOOLS) * 30)
    engine = SearchEngine.of(catalog((*TOOLS, long)), either.embedder)
    assert engine.search("read the contents of a file").hits[0].tool.id == "files.read_file"


def test_strange_usage_counts_are_harmless(engine: SearchEngine) -> None:
    usage: Any = {"files.read_file": -5, "files.write_file": float("nan"), "nobody.nothing": 3}
    assert engine.search("read file", usage=usage).hits[0].tool.id == "files.read_file"
