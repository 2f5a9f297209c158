"""Queries → hits with reasons."""

import dataclasses

import pytest
from tests.unit.search.sample_catalog import TOOLS, catalog, tool

from toolbooth.catalog import Catalog, ServerTools
from toolbooth.search import Hit, SearchEngine


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.tool.id for hit in hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("open a ticket about the login page", "github.create_issue"),
        ("show me what is inside a document on disk", "files.read_file"),
        ("will it rain in Paris tomorrow", "weather.get_forecast"),
        ("write a message to my boss", "mail.send_email"),
        ("book an appointment on friday", "calendar.create_event"),
        ("drop the feature branch", "github.delete_branch"),
    ],
)
def test_a_question_in_other_words_finds_the_tool(engine: SearchEngine, query: str, expected: str) -> None:
    assert ids(engine.search(query).hits)[0] == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("create issue", "github.create_issue"),
        ("new issues", "github.create_issue"),
        ("search files", "files.searchFiles"),
        ("storm warnings", "weather.get_alerts"),
        ("postgres rows", "postgresql.run_query"),
    ],
)
def test_words_find_tools_with_and_without_the_table(either: SearchEngine, query: str, expected: str) -> None:
    assert ids(either.search(query).hits)[0] == expected


@pytest.mark.parametrize(
    "query", ["read_file", "files.read_file", "files__read_file", "readFile", "READ FILE", " read_file "]
)
def test_a_query_that_is_a_name_puts_that_tool_first(either: SearchEngine, query: str) -> None:
    best = either.search(query).hits[0]
    assert (best.tool.id, best.score) == ("files.read_file", 1.0)
    assert "name" in best.why.tiers


def test_of_two_names_that_differ_in_case_the_one_typed_comes_first() -> None:
    engine = SearchEngine.of(catalog((tool("a", "readFile", "x"), tool("b", "read_file", "y"))))
    assert ids(engine.search("read_file").hits)[:2] == ["b.read_file", "a.readFile"]
    assert ids(engine.search("readFile").hits)[:2] == ["a.readFile", "b.read_file"]


def test_a_tool_named_with_stop_words_is_found() -> None:
    engine = SearchEngine.of(catalog((*TOOLS, tool("self", "about", ""))), None)
    assert ids(engine.search("about").hits) == ["self.about"]


def test_misspelled_words_are_repaired_one_by_one_and_said(either: SearchEngine) -> None:
    found = either.search("cerate an isue in the repository")
    assert ids(found.hits)[0] == "github.create_issue"
    assert found.corrected == {"cerate": "create", "isue": "issue"}
    assert "repaired" in found.hits[0].why.tiers


def test_a_quoted_value_is_not_repaired(either: SearchEngine) -> None:
    assert either.search("create an issue titled 'isue'").corrected == {}


def test_the_reasons_name_fields_tiers_and_scores(engine: SearchEngine) -> None:
    why = engine.search("repository owner").hits[0].why
    assert {"description", "parameters"} <= set(why.fields)
    assert {"word", "semantic"} <= set(why.tiers)
    assert why.lexical > 0
    assert 0 < why.semantic <= 1


def test_a_synonym_and_a_part_of_a_word_are_reported_as_such(words_alone: SearchEngine) -> None:
    assert words_alone.search("ticket").hits[0].why.tiers == ("synonym",)
    assert words_alone.search("postgres").hits[0].why.tiers == ("substring",)


def test_scores_fall_from_hit_to_hit_and_lie_between_nothing_and_one(either: SearchEngine) -> None:
    scores = [hit.score for hit in either.search("list the files of a repository").hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_filters_leave_only_what_they_name(either: SearchEngine) -> None:
    query = "create, delete or merge issues and files of a repository"
    assert {hit.tool.server for hit in either.search(query, server="files").hits} == {"files"}
    assert ids(either.search("create issue", server="nowhere").hits) == []
    read_only = either.search(query, 20, read_only=True).hits
    assert read_only
    assert all(hit.tool.annotations and hit.tool.annotations["readOnlyHint"] for hit in read_only)
    kept = set(ids(either.search(query, 20, not_destructive=True).hits))
    assert "github.merge_pull_request" in kept
    assert not kept & {"github.delete_branch", "github.create_issue"}


def test_a_name_that_the_filter_excludes_is_not_pinned(engine: SearchEngine) -> None:
    assert "files.read_file" not in ids(engine.search("read_file", server="github").hits)


def test_terms_to_try_are_of_the_hits_and_not_of_the_query(engine: SearchEngine) -> None:
    found = engine.search("create an issue")
    assert 0 < len(found.try_also) <= 3
    assert not {"create", "issue"} & set(found.try_also)


def test_usage_decides_between_equals_and_is_said() -> None:
    twins = (tool("a", "fetch_page", "Fetch a web page"), tool("b", "fetch_page", "Fetch a web page"))
    engine = SearchEngine.of(catalog(twins), None)
    assert ids(engine.search("get a website").hits) == ["a.fetch_page", "b.fetch_page"]
    used = engine.search("get a website", usage={"b.fetch_page": 50}).hits
    assert ids(used) == ["b.fetch_page", "a.fetch_page"]
    assert used[0].why.usage_boost > 0 == used[1].why.usage_boost


def test_usage_does_not_bury_a_better_match(either: SearchEngine) -> None:
    usage = {each.id: 10**9 for each in TOOLS if each.id != "files.read_file"}
    assert ids(either.search("read the contents of a file", usage=usage).hits)[0] == "files.read_file"


def test_a_name_counts_for_more_than_usage(either: SearchEngine) -> None:
    assert ids(either.search("read_file", usage={"files.write_file": 10**9}).hits)[0] == "files.read_file"


def test_usage_makes_nothing_relevant(engine: SearchEngine) -> None:
    assert engine.search("qzxv wkjh", usage={each.id: 10**9 for each in TOOLS}).hits == ()


def test_the_limit_is_kept(either: SearchEngine) -> None:
    assert len(either.search("file", 2).hits) == 2
    assert either.search("file", 0).hits == either.search("file", -3).hits == ()
    assert len(either.search("file", 10**6).hits) <= len(TOOLS)


def test_the_same_first_hits_whatever_the_limit(either: SearchEngine) -> None:
    all_hits = either.search("search messages and files", 20).hits
    assert either.search("search messages and files", 3).hits == all_hits[:3]


def test_a_tool_sent_twice_is_found_once() -> None:
    engine = SearchEngine(None)
    engine.replace_server("files", [TOOLS[4], TOOLS[4], TOOLS[5]])
    engine.replace_server("other", [TOOLS[4]])
    assert ids(engine.search("read file").hits).count("files.read_file") == 1


def test_what_a_server_says_of_itself_helps_to_find_its_tools() -> None:
    silent = ServerTools("acme", (tool("acme", "run", "Run it"),))
    plain = SearchEngine.of(Catalog((silent,)), None)
    said = SearchEngine.of(Catalog((dataclasses.replace(silent, instructions="Invoices and billing"),)), None)
    assert plain.search("billing").hits == ()
    assert said.search("billing").hits[0].why.fields == ("about",)


def test_results_cannot_be_changed(engine: SearchEngine) -> None:
    found = engine.search("isue")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.hits = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        found.corrected["isue"] = "tissue"  # type: ignore[index]
