"""The whole section: what it holds, what it withholds, and what it says of that."""

import msgspec
import pytest
from tests.catalogs import RETRIEVAL
from tests.unit.bench.tokens.corpora import (
    FORECAST,
    HIDDEN,
    ISSUE,
    NOBODY,
    SAMPLE,
    asked,
    corpus_of,
    tool,
)

from toolbooth.bench import Corpus, load_corpus, load_golden, pair
from toolbooth.bench.report import BenchReport, TokensSection
from toolbooth.bench.tokens import measure_tokens
from toolbooth.catalog import Catalog
from toolbooth.errors import UnknownEncoding, UserMistake

REAL = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
MODES = ("baseline", "direct", "search", "code", "full")


def savings(section: TokensSection) -> dict[str, float | None]:
    return {each.mode: each.savings_vs_baseline for each in section.modes}


def words(section: TokensSection) -> str:
    return "\n".join(section.notes)


@pytest.mark.promise("bench:modes")
def test_every_mode_is_there_with_its_menu_and_its_sessions() -> None:
    section = measure_tokens(asked(ISSUE, FORECAST))
    assert tuple(each.mode for each in section.modes) == MODES
    assert tuple(each.mode for each in section.sessions) == MODES
    assert tuple(each.mode for each in section.break_even) == MODES[1:]
    assert section.baseline_tokens == section.modes[0].tokens
    for mode, session in zip(section.modes, section.sessions, strict=True):
        assert session.menu == mode.tokens + mode.instructions_tokens
    assert [each.turns for each in section.sessions] == [2, 2, 3, 3, 3]


def test_the_section_goes_through_its_file_and_back() -> None:
    section = measure_tokens(asked(ISSUE, FORECAST))
    report = BenchReport("0", "2026-01-01", "here", tokens=section)
    assert msgspec.json.decode(msgspec.json.encode(report), type=BenchReport) == report


def test_the_same_corpus_gives_the_same_section() -> None:
    assert measure_tokens(asked(ISSUE, FORECAST)) == measure_tokens(asked(ISSUE, FORECAST))


@pytest.mark.promise("bench:savings")
def test_savings_are_of_the_menus_alone() -> None:
    section = measure_tokens(SAMPLE)
    for mode in section.modes:
        assert mode.savings_vs_baseline == pytest.approx(1 - mode.tokens / section.baseline_tokens)
    assert savings(section)["baseline"] == 0
    assert section.authoritative_headline


@pytest.mark.promise("bench:savings")
def test_what_costs_more_saves_less_than_nothing() -> None:
    section = measure_tokens(corpus_of(tool("read", REAL)))
    saved = savings(section)["search"]
    assert saved is not None
    assert saved < 0


@pytest.mark.promise("bench:savings")
def test_a_few_missing_schemas_are_reported_and_withhold_nothing() -> None:
    tools = [tool(f"read_{nth}", REAL) for nth in range(20)]
    section = measure_tokens(corpus_of(*tools, tool("bare")))
    assert section.authoritative_headline
    assert "1 of 21 tools of the baseline have no schema, so it weighs a little less" in words(section)


def test_where_most_tools_have_no_parameter_the_percentage_is_withheld() -> None:
    empty = {"type": "object", "properties": {}}
    section = measure_tokens(corpus_of(tool("read", REAL), *(tool(f"go_{nth}", empty) for nth in range(9))))
    assert not section.authoritative_headline
    assert all(mode.savings_with_instructions is None for mode in section.modes)
    assert "savings are withheld: 1 of 10 tools of the baseline have parameters" in words(section)


def test_curves_without_questions_are_estimated() -> None:
    assert {at.label for at in measure_tokens(SAMPLE).curve} == {"estimated"}
    assert {at.label for at in measure_tokens(asked(ISSUE)).curve} == {"computed"}


@pytest.mark.parametrize("schema", [None, {}, {"type": "object"}])
def test_without_schemas_the_percentage_is_withheld_and_the_totals_stay(
    schema: dict[str, str] | None,
) -> None:
    section = measure_tokens(corpus_of(tool("read", REAL), tool("bare", schema)))
    assert set(savings(section).values()) == {None}
    assert section.baseline_tokens > 0
    assert all(each.tokens > 0 for each in section.modes)
    assert not section.authoritative_headline
    assert (section.baseline_schemas.real, section.baseline_schemas.missing) == (1, 1)
    assert "savings are withheld: 1 of 2 tools of the baseline have no schema" in words(section)


def test_a_catalog_without_any_parameter_is_not_compared() -> None:
    section = measure_tokens(corpus_of(tool("now", {"type": "object", "properties": {}})))
    assert "no tool of the baseline has a parameter" in words(section)


def test_a_missed_question_is_paid_for_by_the_others() -> None:
    section = measure_tokens(asked(ISSUE, HIDDEN))
    search = section.sessions[2]
    assert (search.questions, search.correct) == (2, 1)
    assert search.paid_per_correct == pytest.approx(2 * search.paid)
    assert section.sessions[0].correct == 2
    assert "assumed to choose right every time, which favours them" in words(section)


def test_questions_that_no_tool_can_serve_are_left_out_and_counted() -> None:
    section = measure_tokens(asked(ISSUE, NOBODY))
    assert section.sessions[0].questions == 1
    assert "left out of the sessions: 1 question that no tool can serve" in words(section)


@pytest.mark.parametrize("measured", [SAMPLE, asked(NOBODY)])
def test_without_questions_there_are_no_sessions_and_break_even_is_estimated(measured: Corpus) -> None:
    section = measure_tokens(measured)
    assert section.sessions == ()
    assert {each.label for each in section.break_even} == {"estimated"}
    assert "break-even is estimated" in words(section)


def test_the_heaviest_come_first_with_parts_that_add_up() -> None:
    heaviest = measure_tokens(SAMPLE).heaviest
    assert len(heaviest) == 10
    assert [each.tokens for each in heaviest] == sorted((each.tokens for each in heaviest), reverse=True)
    assert all(each.tokens == each.name + each.description + each.schema for each in heaviest)


def test_another_encoding_is_named_and_counts_otherwise() -> None:
    section = measure_tokens(SAMPLE, "o200k_base")
    assert section.encoding == "o200k_base"
    assert section.baseline_tokens != measure_tokens(SAMPLE).baseline_tokens


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(UserMistake, match="the corpus has no tools"):
        measure_tokens(Corpus("empty", Catalog()))
    with pytest.raises(UnknownEncoding):
        measure_tokens(SAMPLE, "cl200k")


@pytest.mark.parametrize("name", ["___", "\x1b[31mred", "名前", "x" * 300])
def test_odd_names_are_no_hindrance(name: str) -> None:
    section = measure_tokens(corpus_of(tool(name, REAL), tool("plain", REAL)))
    assert section.corpus_tools == 2
    assert section.sessions == ()


def test_progress_is_reported() -> None:
    said: list[str] = []
    measure_tokens(asked(ISSUE), progress=said.append)
    assert said[:2] == ["weighing 13 tools in 5 modes", "question 1 of 1"]


@pytest.mark.promise("bench:fixed-points")
def test_the_fixed_points() -> None:
    published = RETRIEVAL / "mcpproxy"
    first = measure_tokens(load_corpus(published / "corpus_v1.tools.json"))
    assert first.baseline_tokens == 1730
    assert savings(first)["search"] is None
    corpus = load_corpus(published / "corpus_v2.tools.json")
    golden = load_golden(published / "retrieval_golden_v1.json")
    second = measure_tokens(pair(corpus, golden, allow_mismatch=True))
    assert second.baseline_tokens == 4386
    assert second.heaviest[0].tokens == 805
    assert second.corpus_tools == 45
    assert second.authoritative_headline
    assert second.notes[0].startswith("the golden set is for corpus")
    saved = savings(second)["search"]
    assert saved is not None
    assert saved > 0.9
