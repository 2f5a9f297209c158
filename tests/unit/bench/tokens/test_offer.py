"""Menus and sessions of one catalog in every way to offer it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.catalogs import CATALOGS, RETRIEVAL
from tests.unit.bench.tokens.corpora import (
    FORECAST,
    HIDDEN,
    ISSUE,
    SAMPLE,
    corpus_of,
    question,
    tool,
)

from toolbooth.bench import GoldenQuestion, Label, load_corpus
from toolbooth.bench.report import SchemaCount
from toolbooth.bench.tokens.offer import (
    BASELINE,
    DIRECT_SLIM,
    WAYS,
    Offer,
    Way,
    blank_arguments,
    call_tokens,
    count_schemas,
    right_tools,
    savings,
    shown_line,
    tells_enough,
)
from toolbooth.catalog import decode, read_catalog
from toolbooth.gateway.offline import OfflineGateway
from toolbooth.search import members
from toolbooth.tokens import count, weigh

OFFER = Offer(SAMPLE.catalog, "cl100k_base")
SEARCHING = [way for way in WAYS if way.searches]


def tokens(value: Any) -> int:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return count(text)


@pytest.mark.parametrize("way", WAYS[1:], ids=lambda way: way.mode)
def test_a_menu_weighs_what_the_gateways_own_does(way: Way) -> None:
    gateway, menu = OfflineGateway(SAMPLE.catalog), OFFER.menu(way)
    assert menu.tokens == weigh(gateway.menu(way.surface)).total_tokens
    assert menu.instructions == count(gateway.instructions(way.surface))
    assert menu.carried == menu.tokens + menu.instructions


def test_the_baseline_has_bare_names_and_the_servers_own_instructions() -> None:
    offer = Offer(corpus_of(tool("a"), instructions="Read this first.").catalog, "cl100k_base")
    assert offer.menu(BASELINE).tokens == count("a\nDoes one thing")
    assert offer.menu(BASELINE).instructions == count("Read this first.")


def test_a_call_of_the_baseline_names_the_required_parameters() -> None:
    needs = {"type": "object", "properties": {"path": {}, "mode": {}}, "required": ["path"]}
    offer = Offer(corpus_of(tool("read", needs)).catalog, "cl100k_base")
    session = offer.session(BASELINE, question("q", "read", "alone.read"))
    assert session.steps == ((tokens({"name": "read", "arguments": {"path": ""}}), 0),)


@pytest.mark.parametrize("way", SEARCHING, ids=lambda way: way.mode)
def test_a_search_is_paid_with_its_call_and_its_very_answer(way: Way) -> None:
    session = OFFER.session(way, ISSUE)
    gateway = OfflineGateway(SAMPLE.catalog)
    assert session.search == (
        tokens(gateway.search_call(ISSUE.query)),
        tokens(gateway.search(way.surface, ISSUE.query).text),
    )
    assert session.definition is None
    assert session.call == (tokens(gateway.tool_call(way.surface, "github.create_issue", {})), 0)
    assert session.shown
    assert session.first


@pytest.mark.parametrize("way", SEARCHING, ids=lambda way: way.mode)
def test_where_the_right_tool_is_not_shown_the_session_is_paid_and_wrong(way: Way) -> None:
    session = OFFER.session(way, HIDDEN)
    assert len(session.steps) == 2
    assert not session.shown
    assert not session.first


@pytest.mark.parametrize("way", [BASELINE, DIRECT_SLIM], ids=lambda way: way.mode)
def test_with_all_tools_in_view_the_choice_is_taken_for_right(way: Way) -> None:
    session = OFFER.session(way, HIDDEN)
    assert session.shown
    assert session.first
    assert len(session.steps) == 1


def test_the_best_label_comes_first() -> None:
    labels = (Label("a:x", 1), Label("b:y", 2), Label("c:z", 0))
    assert right_tools(GoldenQuestion("q", "q", labels)) == ["b.y", "a.x"]
    assert OFFER.session(WAYS[2], FORECAST).shown


LONG = {
    "type": "object",
    "properties": {"kind": {"enum": [f"choice{number}" for number in range(9)]}},
    "required": ["kind"],
}


def test_a_required_parameter_that_is_cut_costs_its_definition_and_a_turn() -> None:
    corpus = corpus_of(tool("report", LONG, "Write a monthly report"), tool("other"))
    offer = Offer(corpus.catalog, "cl100k_base")
    session = offer.session(WAYS[2], question("q", "write the monthly report", "alone.report"))
    gateway = OfflineGateway(corpus.catalog)
    assert session.definition == (
        tokens(gateway.search_call("alone.report")),
        tokens(gateway.definition("alone.report")),
    )
    assert len(session.steps) == 3


def test_a_question_that_is_the_tools_name_has_shown_the_definition_already() -> None:
    offer = Offer(corpus_of(tool("report", LONG), tool("other")).catalog, "cl100k_base")
    assert offer.session(WAYS[2], question("q", "alone.report", "alone.report")).definition is None


def catalogs() -> list[Path]:
    return [*sorted(RETRIEVAL.glob("*/corpus*.tools.json")), *CATALOGS]


@pytest.mark.promise("bench:required")
def test_a_hits_line_names_every_required_parameter_of_real_tools() -> None:
    """So no definition is read for a name: of real tools none hides one, whatever its rank and surface."""
    from toolbooth.gateway.agent_texts import hit_text, name_in_code

    hidden, seen = [], 0
    for path in catalogs():
        for each in read_catalog(decode(path.read_bytes()), path):
            needed = [member.name for member in members(each.input_schema) if member.required]
            seen += 1
            for in_code in (False, True):
                line = shown_line(
                    hit_text(each, True, 7, in_code), name_in_code(each) if in_code else each.id
                )
                hidden += [f"{each.id} {name}" for name in needed if name not in line]
    assert seen > 500
    assert hidden == []


def test_the_fixed_points_of_the_published_corpora() -> None:
    first, second = (
        Offer(load_corpus(RETRIEVAL / "mcpproxy" / f"corpus_v{number}.tools.json").catalog, "cl100k_base")
        for number in (1, 2)
    )
    assert first.menu(BASELINE).tokens == 1730
    assert second.menu(BASELINE).tokens == 4386
    assert round(second.weights.total_tokens / len(second.weights), 1) == 97.5
    assert max(each.tokens for each in second.weights) == 805


REAL: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}}
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
STUB: dict[str, Any] = {"type": "object"}


def test_real_ones_those_without_parameters_and_missing_ones_are_told_apart() -> None:
    counted = count_schemas([REAL, EMPTY, STUB, None, {}])
    assert counted == SchemaCount(real=1, without_parameters=1, missing=3, counted=False)


def test_parameters_behind_a_reference_or_a_union_are_real() -> None:
    referred = {"$ref": "#/$defs/a", "$defs": {"a": REAL}}
    assert count_schemas([referred, {"anyOf": [REAL, EMPTY]}]).real == 2


@pytest.mark.parametrize(("missing", "counted"), [(0, True), (1, True), (2, False)])
def test_one_of_twenty_may_be_missing(missing: int, counted: bool) -> None:
    assert count_schemas([REAL] * (20 - missing) + [STUB] * missing).counted is counted


@pytest.mark.parametrize("schemas", [[], [EMPTY], [None]])
def test_a_side_without_any_parameter_is_not_counted(schemas: list[Any]) -> None:
    assert not count_schemas(schemas).counted


@pytest.mark.parametrize(
    ("real", "empty", "counted"), [(1, 99, False), (49, 51, False), (1, 1, True), (9, 1, True)]
)
def test_half_of_those_with_a_schema_have_parameters(real: int, empty: int, counted: bool) -> None:
    assert count_schemas([REAL] * real + [EMPTY] * empty).counted is counted


def test_savings_may_be_negative_and_nothing_is_saved_of_nothing() -> None:
    assert savings(25, 100) == 0.75
    assert savings(150, 100) == -0.5
    assert savings(189, 0) == 0.0


SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "depth": {"type": "integer"}},
    "required": ["path"],
}


def test_a_call_is_counted_as_compact_json_with_every_sign_as_it_is() -> None:
    call = {"name": "files.read", "arguments": {"path": "größe"}}
    written = '{"name":"files.read","arguments":{"path":"größe"}}'
    assert call_tokens(call, "cl100k_base") == count(written, "cl100k_base")


def test_only_what_is_required_is_written_and_it_is_empty() -> None:
    assert blank_arguments(SCHEMA) == {"path": ""}
    assert blank_arguments(None) == {}


@pytest.mark.parametrize(
    ("line", "enough"),
    [
        ("files.read(path*, depth:int)", True),
        ("files.read(path*)", True),
        ("files.read(depth:int)", False),
        ("", False),
    ],
)
def test_a_line_tells_enough_with_all_that_is_required(line: str, enough: bool) -> None:
    assert tells_enough(line, SCHEMA) is enough
    assert tells_enough(line, {"type": "object", "properties": {}})
