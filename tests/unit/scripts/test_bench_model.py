"""What `make bench-model` works out by itself: nearest tools, scores of contenders, means, tables and their place."""

from collections.abc import Sequence
from contextlib import ExitStack

import msgspec
import numpy as np
import pytest
from scripts.bench_model import contenders, packages, sets
from scripts.bench_model.asking import build
from scripts.bench_model.contenders import OURS, WORDS, Contender, Lineup
from scripts.bench_model.cosine import VectorTable, vector_table
from scripts.bench_model.layout import BEGIN, END, Table, as_markdown, as_text, has_block, replace_block
from scripts.bench_model.results import Model, Results, Scale
from scripts.bench_model.scoring import ALL, UNSEEN, Measured, means, measure_sets
from scripts.bench_model.sets import BUILT_IN, BenchSet
from scripts.bench_model.tables import document, means_table, models_table, set_table
from tests.catalogs import PUBLIC

from toolbooth.bench import Corpus, GoldenQuestion, GoldenSet, Label, Pair
from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.search import SearchEngine
from toolbooth.search.embedder import Vectors, unit

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Letters:
    """Counts the letters of a text that it knows; a made-up model whose rankings can be worked out by hand."""

    def __init__(self, known: str = LETTERS) -> None:
        self.known, self.abouts = known, list[str]()

    @property
    def name(self) -> str:
        return f"letters-{self.known}"

    @property
    def dimensions(self) -> int:
        return len(LETTERS)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = [[text.count(each) * (each in self.known) for each in LETTERS] for text in texts]
        return unit(np.array(rows, np.float32).reshape(len(texts), self.dimensions))

    def embed_tools(self, tools: Sequence[Tool], about: str = "") -> Vectors:
        self.abouts.append(about)
        return self.embed_queries([tool.name for tool in tools])


CATALOG = Catalog(
    (
        ServerTools("one", (Tool("one", "aaa"), Tool("one", "bbb")), "be brief", "First", "says this"),
        ServerTools("two", (Tool("two", "aab"),)),
    )
)


def small_pair(name: str = "small") -> Pair:
    questions = (
        GoldenQuestion("1", "aaa", (Label("one:aaa", 2),)),
        GoldenQuestion("2", "bbb", (Label("one:bbb", 2),)),
    )
    return Pair(Corpus(name, CATALOG), GoldenSet(name, questions))


def measured(*names: str, seen: frozenset[str] = frozenset()) -> list[Measured]:
    lineup = [
        Contender(OURS, Letters()),
        Contender("half blind", Letters("a"), may_have_seen=seen),
        Contender("far away", Letters(), apart=True),
        Contender(WORDS, None),
    ]
    return list(measure_sets([BenchSet(name, small_pair(name)) for name in names], lineup))


def results(*names: str, seen: frozenset[str] = frozenset()) -> Results:
    found = measured(*names, seen=seen)
    scored = tuple(one for each in found for one in each.scored)
    models = (Model(OURS, 6_000_000, 16.0, 120.0, 0.1), Model("half blind", 23_000_000, 180.0, 300.0, 2.0))
    facts = tuple(each.facts for each in found)
    return Results(
        "a machine", facts, scored, tuple(means(scored)), models, Scale(1_000, 2, 3.0), ("a note",)
    )


def test_the_nearest_come_first_and_equals_keep_their_order() -> None:
    shelf = VectorTable(["far", "near", "as near"], np.array([[0, 1], [1, 0], [1, 0]], np.float32))
    assert shelf.nearest(np.array([1, 0], np.float32)) == ["near", "as near", "far"]


def test_at_most_ten_are_nearest() -> None:
    shelf = VectorTable([str(at) for at in range(12)], np.eye(12, dtype=np.float32))
    assert len(shelf.nearest(np.ones(12, np.float32))) == 10


def test_a_query_that_says_nothing_is_near_to_nothing() -> None:
    shelf = VectorTable(["a"], np.ones((1, 2), np.float32))
    assert shelf.nearest(np.zeros(2, np.float32)) == []


def test_alone_has_the_vectors_of_the_engine_and_what_servers_say_of_themselves() -> None:
    model = Letters()
    shelf = vector_table(SearchEngine.of(CATALOG, model), CATALOG)
    assert shelf.ids == ["one.aaa", "one.bbb", "two.aab"]
    assert model.abouts == ["First says this be brief", ""]
    assert shelf.nearest(model.embed_queries(["bbb"])[0]) == ["one.bbb", "two.aab", "one.aaa"]


def test_words_have_no_vectors() -> None:
    assert build(Contender(WORDS, None), CATALOG).vectors is None


def test_every_contender_is_scored_both_ways_and_words_once() -> None:
    (found,) = measured("small")
    assert [(each.contender, each.way) for each in found.scored] == [
        (OURS, "fused"),
        ("half blind", "fused"),
        ("far away", "fused"),
        (WORDS, "fused"),
        (OURS, "alone"),
        ("half blind", "alone"),
        ("far away", "alone"),
    ]
    ours, blind = (each for each in found.scored[4:6])
    assert ours.metrics["recall_at_1"] == 1.0
    assert not ours.ours_minus_theirs
    assert blind.metrics["recall_at_5"] == 0.5  # it sees no b
    assert blind.ours_minus_theirs["recall_at_5"].difference == 0.5
    assert blind.outcomes["recall_at_5"] == blind.ours_minus_theirs["recall_at_5"].outcome


def test_no_time_is_reported_of_one_that_answers_from_elsewhere() -> None:
    (found,) = measured("small")
    assert set(found.seconds) == set(found.facts.query_ms) == {OURS, "half blind"}
    assert all(len(each) == 2 for each in found.seconds.values())


def test_sets_that_one_may_have_seen_are_marked_and_have_means_apart() -> None:
    found = [one for each in measured("new", "known", seen=frozenset({"known"})) for one in each.scored]
    assert {(each.set, each.contender) for each in found if each.may_have_seen} == {("known", "half blind")}
    over = {(each.over, each.sets) for each in means(found)}
    assert over == {(ALL, 2), (UNSEEN, 1)}


def test_means_count_each_set_the_same() -> None:
    first, second = (msgspec.structs.replace(measured("a")[0].scored[0], set=name) for name in ("a", "b"))
    second = msgspec.structs.replace(second, metrics=dict.fromkeys(second.metrics, 0.0))
    (mean,) = means([first, second])
    assert mean.metrics["recall_at_1"] == 0.5
    assert (mean.over, mean.sets) == (ALL, 2)


def test_the_table_of_a_set_says_who_may_have_seen_it() -> None:
    (found,) = measured("known", seen=frozenset({"known"}))
    shown = set_table(found.facts, found.scored)
    assert shown.title == "known: 3 tools of 2 servers, 2 questions; may have been seen by half blind"
    assert [row[0] for row in shown.rows][:2] == [OURS, "half blind (may have seen)"]
    assert [row[1] for row in shown.rows] == ["fused", "fused", "fused", "words", "alone", "alone", "alone"]
    (fresh,) = measured("known")
    assert set_table(fresh.facts, fresh.scored).title.endswith("zero-shot for all")


def test_the_table_of_means_has_columns_for_both_kinds_of_sets() -> None:
    shown = means_table(results("new", "known", seen=frozenset({"known"})).means)
    assert shown.heads[2:] == [
        f"{label}, {over}" for over in (f"{ALL} (2)", f"{UNSEEN} (1)") for label in ("nDCG@10", "R@5")
    ]
    assert all(len(row) == len(shown.heads) for row in shown.rows)


def test_the_table_of_models_has_the_ratio_and_the_limit() -> None:
    shown = models_table(results("small").models)
    assert shown.rows[1] == ["half blind", "23.0 MB", "180.0 ms", "300.0 ms", "2 ms", "20.0"]
    assert shown.below.startswith("ours is under 30 ms: 16.0 ms")
    assert "NOT under" in models_table([Model(OURS, 1, 31.0, 120.0, None)]).below


def test_the_document_holds_everything_and_json_reads_back() -> None:
    found = results("new", "known", seen=frozenset({"known"}))
    text = document(found)
    for reported in (
        "**means over the sets**",
        "**new: ",
        "**known: ",
        "1,000 tools of 2 servers in 3.0 s",
        "- a note",
    ):
        assert reported in text
    assert msgspec.json.decode(msgspec.json.encode(found), type=Results) == found


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    table = Table("title", ["a", "b"], [["long cell", "1"], ["x", "2"]], "below")
    assert as_text(table).splitlines() == [
        "title",
        "  a          b",
        "  long cell  1",
        "  x          2",
        "  below",
    ]


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert as_markdown(Table("t", ["a"], [["x|y"]])).splitlines()[-1] == r"| x\|y |"


def test_only_what_stands_between_the_lines_is_replaced() -> None:
    before = f"head\n{BEGIN}\nold\n{END}\ntail\n"
    after = replace_block(before, r"new \1")
    assert after == f"head\n{BEGIN}\nnew \\1\n{END}\ntail\n"
    assert replace_block(after, r"new \1") == after


@pytest.mark.parametrize(
    "text", ["", BEGIN, f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", f"see {BEGIN}\n{END}\n"]
)
def test_a_document_without_both_lines_once_has_no_block(text: str) -> None:
    assert not has_block(text)
    assert has_block(f"{BEGIN}\n{END}\n")


def test_without_a_data_folder_the_built_in_questions_are_asked_and_it_is_said() -> None:
    found = sets.load_sets(None, few=3, only=[BUILT_IN, "mcpzero"])
    assert [each.name for each in found.sets] == [BUILT_IN]
    assert len(found.sets[0].pair.golden.questions) == 3
    assert found.left_out[0] == "only the built-in questions are asked: --data FOLDER names others"
    assert found.left_out[1] == "mcpzero: there is no such set"


def test_the_sets_of_a_data_folder_are_asked_too() -> None:
    found = sets.load_sets(PUBLIC, few=3)
    assert {BUILT_IN, "mcpzero", "etom l1", "livemcpbench"} <= {each.name for each in found.sets}
    assert found.left_out == []


def test_whoever_is_absent_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_there(*_: object) -> None:
        raise packages.Absent(packages.HOW)

    monkeypatch.setattr(contenders, "exported", none_there)
    monkeypatch.setattr(packages.Packages, "homes", none_there)
    with ExitStack() as stack:
        found = contenders.gather(packages.OWN, stack, None)
    assert [each.name for each in found.contenders] == [OURS, WORDS]
    assert len(found.left_out) == 3
    assert all("is left out: " in line for line in found.left_out)
    assert sum(packages.HOW in line for line in found.left_out) == 2


def test_where_ours_is_the_reference_it_is_not_called_zero_shot() -> None:
    reference = Contender("reference", Letters(), may_have_seen=frozenset({"known"}))
    same = contenders._told_apart(Lineup([Contender(OURS, Letters()), reference], [], []))
    assert same.contenders[0].may_have_seen == {"known"}
    assert len(same.notes) == 1
    other = contenders._told_apart(Lineup([Contender(OURS, Letters("a")), reference], [], []))
    assert not other.contenders[0].may_have_seen
    assert not other.notes
