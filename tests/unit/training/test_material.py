"""What is learned, what only judges, and the texts that were written for it."""

from pathlib import Path
from shutil import copy

import pytest
from tests.catalogs import PUBLIC
from training import sources
from training.generate import TEXTS
from training.material import (
    WRITTEN_KINDS,
    Material,
    gather,
    is_held_out,
    read_rows,
    tool_text,
    word_texts,
)
from training.sources import Exam, Source, made_sources
from training.split import ExamQuestions, normal, prove

from toolbooth.bench.corpus import builtin_golden
from toolbooth.catalog import Tool

SERVERS = [f"shop{at}" for at in range(60)]
EXAM = Exam("exam", (), ("Which orders are open?", "GIVE me: shop3 orders", "list orders", "find me a zebra"))
BUILT_IN = Exam("builtin", (), tuple(one.query for one in builtin_golden().questions))

SCHEMA = {"type": "object", "properties": {"customer": {"type": "string"}, "date": {"type": "string"}}}


def source(server: str) -> Source:
    said = "Lists the open orders of a customer. List orders!"
    return Source(
        f"{server}.list_orders",
        Tool(server, "list_orders", said, SCHEMA),
        f"All about {server}. It sells hats.",
    )


def requests(server: str) -> list[str]:
    return [
        f"give me {server} orders",
        f"I wonder what {server} sells",
        f"{server} order list",
        f"Open {server}, count",
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("lexicon.tsv", "openers.txt", "closers.txt", "joiners.txt", "values.toml"):
        copy(TEXTS / name, tmp_path)
    written = ["# tool\tfour requests", *("\t".join([source(each).key, *requests(each)]) for each in SERVERS)]
    (tmp_path / "written.tsv").write_text("\n".join([*written, "nobody.tool\ta\tb\tc\td"]), "utf-8")
    made = [
        "# a remark",
        "hat-shop\tsizeHat\tTells the size of a hat\tmy head is 58\tit slips\that size\tmeasure it",
    ]
    (tmp_path / "made.tsv").write_text("\n".join(made), "utf-8")
    return tmp_path


@pytest.fixture
def material(folder: Path) -> Material:
    return gather([*map(source, SERVERS), *made_sources(folder / "made.tsv")], [EXAM], 0, folder)


def test_a_server_is_held_out_or_learned_from_and_never_both(material: Material) -> None:
    learned = {material.sources[pair.tool].tool.server for pair in material.written}
    held_out = {material.sources[pair.tool].tool.server for pair in material.held_out}
    assert learned
    assert held_out
    assert not learned & held_out
    assert learned | held_out == {*SERVERS, "hat-shop"}
    assert held_out == {each.tool.server for each in material.sources if is_held_out(each)}


def test_no_written_request_of_a_server_that_is_held_out_is_learned(material: Material) -> None:
    assert not {pair.text for pair in material.held_out} & set(material.learned)


def test_whether_a_server_is_held_out_depends_on_its_name_alone() -> None:
    for server in SERVERS:
        other = Source("another.key", Tool(server, "another", "Another tool"), "")
        assert is_held_out(other) == is_held_out(source(server))
    assert 0 < sum(is_held_out(source(f"server {at}")) for at in range(1_000)) < 200


def test_every_written_request_has_its_tool_and_its_kind(material: Material) -> None:
    pairs = {(pair.text, pair.tool, pair.kind) for pair in [*material.written, *material.held_out]}
    expected = {
        (text, at, kind)
        for at, server in enumerate(SERVERS)
        for text, kind in zip(requests(server), WRITTEN_KINDS, strict=True)
        if text != "give me shop3 orders"
    }
    assert {pair for pair in pairs if pair[1] < len(SERVERS)} == expected


def test_a_made_up_tool_has_its_requests(material: Material) -> None:
    at = len(SERVERS)
    assert material.sources[at].tool.name == "sizeHat"
    found = [pair for pair in [*material.written, *material.held_out] if pair.tool == at]
    assert [pair.text for pair in found] == ["my head is 58", "it slips", "hat size", "measure it"]
    assert [pair.kind for pair in found] == list(WRITTEN_KINDS)


def test_a_row_with_a_request_too_few_is_refused(folder: Path) -> None:
    (folder / "written.tsv").write_text(f"{source('shop1').key}\tone\ttwo\tthree", "utf-8")
    with pytest.raises(ValueError, match="zip"):
        gather([source("shop1")], [], 0, folder)


def test_no_question_of_an_exam_is_learned_or_judges(material: Material) -> None:
    judged = [pair.text for pair in material.held_out]
    assert not {normal(text) for text in [*material.learned, *judged]} & {
        normal(text) for text in EXAM.queries
    }
    prove([], material.learned, [EXAM])


def test_without_the_exam_its_questions_would_be_learned(folder: Path) -> None:
    found = gather([source("shop3")], [], 0, folder)
    assert "List orders!" in found.texts
    assert "give me shop3 orders" in [pair.text for pair in [*found.written, *found.held_out]]


def test_the_same_seed_gives_the_same_material(folder: Path) -> None:
    given = [source(each) for each in SERVERS]
    assert gather(given, [EXAM], 5, folder) == gather(given, [EXAM], 5, folder)
    assert gather(given, [EXAM], 5, folder).generated != gather(given, [EXAM], 6, folder).generated


def test_texts_are_what_tools_and_servers_say_each_once(material: Material) -> None:
    said = set(material.texts)
    assert len(said) == len(material.texts)
    assert {"Lists the open orders of a customer", "list the open orders of a customer"} <= said
    assert {"customer date", "All about shop1", "It sells hats", "sizeHat", "size"} <= said
    assert tool_text(material.sources[-1].tool) in said
    assert all(len(text) > 2 for text in said)


def test_what_is_learned_is_texts_generated_and_written_requests_in_this_order(material: Material) -> None:
    pairs = [pair.text for pair in [*material.generated, *material.written]]
    assert material.learned == [*material.texts, *pairs]


def test_a_group_is_a_server_or_a_written_request(material: Material) -> None:
    groups = list(material.groups())
    assert len(groups) == len(SERVERS) + 1 + len(material.written)
    assert groups[0][:2] == ["All about shop0", "It sells hats"]
    assert "list_orders" in groups[0]
    assert groups[-1] == [material.written[-1].text]


def test_each_word_stands_in_three_settings_and_in_no_question() -> None:
    words = [f"zebra{at}" for at in range(40)]
    found = word_texts(words, [EXAM])
    assert len(found) == len(set(found)) == 3 * len(words)
    assert all(sum(word in text.split() for text in found) == 3 for word in words)
    assert found == word_texts(words, [EXAM])
    assert found != word_texts(words, [EXAM], seed=1)


def test_a_word_in_a_setting_that_an_exam_asks_is_left_out() -> None:
    asked = [text for seed in range(40) for text in word_texts(["zebra"], [EXAM], seed)]
    free = [text for seed in range(40) for text in word_texts(["zebra"], [], seed)]
    assert "find me a zebra" in free
    assert asked == [text for text in free if text != "find me a zebra"]


@pytest.mark.parametrize(("name", "columns"), [("written.tsv", 5), ("made.tsv", 7), ("lexicon.tsv", 2)])
def test_every_line_of_a_text_has_its_columns(name: str, columns: int) -> None:
    rows = read_rows(TEXTS / name)
    assert len(rows) > 1_000
    for row in rows:
        assert len(row) == columns, row
        assert all(cell.strip() for cell in row), row


@pytest.mark.parametrize(("name", "key"), [("written.tsv", 1), ("made.tsv", 2)])
def test_no_tool_has_two_lines(name: str, key: int) -> None:
    keys = [tuple(row[:key]) for row in read_rows(TEXTS / name)]
    assert len(keys) == len(set(keys))


def test_a_line_of_the_lexicon_is_a_word_and_its_alternatives() -> None:
    for word, others in read_rows(TEXTS / "lexicon.tsv"):
        assert len(word.split()) == 1, word
        assert all(other.strip() for other in others.split("|")), word


def test_openers_hold_the_request_once_and_closers_and_joiners_never() -> None:
    for name, holes in (("openers.txt", 1), ("closers.txt", 0), ("joiners.txt", 0)):
        lines = [line for line in (TEXTS / name).read_text("utf-8").splitlines() if line and line[:2] != "# "]
        assert lines
        assert {line.count("{}") for line in lines} == {holes}


def written_cells() -> list[str]:
    """Every request, and every alternative of a word; the descriptions of made-up tools have a test of their own."""
    rows = [row[1:] for row in read_rows(TEXTS / "written.tsv")] + [
        row[3:] for row in read_rows(TEXTS / "made.tsv")
    ]
    words = [others.split("|") for _, others in read_rows(TEXTS / "lexicon.tsv")]
    return [cell for row in [*rows, *words] for cell in row]


def test_no_text_is_a_question_of_the_built_in_exam() -> None:
    asked = ExamQuestions([BUILT_IN])
    assert asked.hold(BUILT_IN.queries[0].upper())
    assert [text for text in written_cells() if asked.hold(text)] == []


def test_no_made_up_tool_is_described_in_the_words_of_a_question() -> None:
    asked = ExamQuestions([BUILT_IN])
    assert [row[:3] for row in read_rows(TEXTS / "made.tsv") if asked.hold(row[2])] == []


def test_no_text_is_a_question_of_any_exam() -> None:
    exams = sources.exams(PUBLIC)
    asked = ExamQuestions(exams)
    assert len(exams) > 1
    assert all(asked.hold(exam.queries[0]) for exam in exams)
    assert [text for text in written_cells() if asked.hold(text)] == []
