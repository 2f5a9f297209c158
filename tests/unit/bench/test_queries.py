"""Queries that are made of what tools say of themselves."""

from toolbooth.bench import queries_of
from toolbooth.catalog import Tool

TOOLS = (
    Tool("files", "read_file", "Read the whole content of one text file below the root folder."),
    Tool("files", "moveFolder"),
)


def test_the_same_seed_asks_the_same() -> None:
    assert queries_of(TOOLS, 30, seed=3) == queries_of(TOOLS, 30, seed=3)
    assert queries_of(TOOLS, 30, seed=3) != queries_of(TOOLS, 30, seed=4)


def test_a_query_is_a_run_of_words_of_a_description_or_of_a_name() -> None:
    said = TOOLS[0].description.lower().rstrip(".")
    plain = [query for at, query in enumerate(queries_of(TOOLS, 40), 1) if at % 5]
    assert all(query in said or query == "move folder" for query in plain)
    assert "move folder" in plain
    assert len(set(plain)) > 10


def test_every_fifth_query_has_a_slip_of_two_letters() -> None:
    said = {*TOOLS[0].description.lower().rstrip(".").split(), "move", "folder"}
    slips = [query for at, query in enumerate(queries_of(TOOLS, 40), 1) if at % 5 == 0]
    for query in slips:
        (wrong,) = set(query.split()) - said or {""}
        assert not wrong or sorted(wrong) in [sorted(word) for word in said]
    assert any(set(query.split()) - said for query in slips)


def test_without_tools_there_is_nothing_to_ask() -> None:
    assert queries_of((), 5) == ()
