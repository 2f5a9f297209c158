"""A pair, engines and a seed → a section in which every figure is that of its rows."""

from collections.abc import Mapping

import jsonschema_rs
import msgspec
import numpy as np
import orjson
import pytest
from tests.catalogs import RETRIEVAL
from tests.unit.bench.retrieval.small_set import small_pair

from toolbooth.bench import MEASURES, Pair, bootstrap_mean, score_answers, sign_flip
from toolbooth.bench.report import EngineScores, Rejection, RetrievalSection
from toolbooth.bench.retrieval import COMPARED, EngineRun, GateRule, measure_retrieval
from toolbooth.errors import ConfigError, UserMistake

SCHEMA = RETRIEVAL / "mcpproxy" / "score-report.schema.json"
PAIR = small_pair()
FIRST = {
    "q1": ["files.read_file"],
    "q2": ["mail.search_mail", "mail.send_mail"],
    "q3": [],
    "q4": ["mail.send_mail", "files.read_file", "calendar.create_event"],
    "q5": ["calendar.create_event", "calendar.delete_event", "calendar.list_events"],
    "u1": ["mail.send_mail"],
}
SECOND = FIRST | {"q1": ["files.write_file", "files.read_file"], "q3": ["files.delete_file"], "u1": []}


@pytest.fixture(scope="module")
def section() -> RetrievalSection:
    return measure_retrieval(PAIR, EngineRun("first", FIRST), against=[EngineRun("second", SECOND)])


def test_means_and_bounds_are_those_of_the_scores(section: RetrievalSection) -> None:
    scores = score_answers(FIRST, PAIR.golden)
    assert section.metrics.flat() == scores.means.flat()
    assert list(section.intervals) == list(MEASURES)
    for measure in MEASURES:
        assert section.intervals[measure] == pytest.approx(bootstrap_mean(scores.values(measure))[1:])


def test_the_curve_passes_through_the_recalls(section: RetrievalSection) -> None:
    curve = section.curve
    assert len(curve.mean) == len(curve.low) == len(curve.high) == 10
    assert [curve.mean[k - 1] for k in (1, 3, 5, 10)] == list(section.metrics.recall_at.values())
    assert (curve.low[4], curve.high[4]) == section.intervals["recall_at_5"]
    assert list(curve.mean) == sorted(curve.mean)


def test_counts_and_versions_are_reported(section: RetrievalSection) -> None:
    assert (section.query_count, section.not_scored, section.runs_averaged) == (5, 1, 1)
    assert (section.corpus_version, section.golden_version) == ("small-1", "small-golden-1")
    assert section.engine == "first"


def test_rows_stand_worst_first_and_say_what_came(section: RetrievalSection) -> None:
    assert [row.id for row in section.rows] == ["q3", "q5", "q2", "q4", "q1"]
    worst, fourth = section.rows[0], section.rows[3]
    assert (worst.query, worst.wanted, worst.came, worst.rank) == (
        "throw away that document",
        ("files.delete_file",),
        (),
        None,
    )
    assert fourth.wanted == ("calendar.create_event", "mail.send_mail")
    assert (fourth.rank, fourth.recall_at_5, fourth.kind) == (1, 1.0, "several")


def test_equal_rows_stand_by_their_ids() -> None:
    nothing = EngineRun("silent", {each: [] for each in FIRST})
    assert [row.id for row in measure_retrieval(PAIR, nothing).rows] == ["q1", "q2", "q3", "q4", "q5"]


def test_kinds_have_their_own_means(section: RetrievalSection) -> None:
    kinds = {each.kind: each for each in section.kinds}
    assert {kind: each.questions for kind, each in kinds.items()} == {
        "literal": 2,
        "paraphrased": 2,
        "several": 1,
        "unanswerable": 1,
    }
    literal, unanswerable = kinds["literal"], kinds["unanswerable"]
    assert literal.metrics is not None
    assert (literal.metrics.mrr, literal.rejected) == (0.75, None)
    assert (unanswerable.metrics, unanswerable.rejected) == (None, 0)


def test_a_set_without_kinds_has_none() -> None:
    plain = {name: (query, "", labels) for name, (query, _, labels) in _questions().items()}
    assert measure_retrieval(small_pair(**plain), EngineRun("first", FIRST)).kinds == ()


def _questions() -> Mapping[str, tuple[str, str, dict[str, int]]]:
    from tests.unit.bench.retrieval.small_set import QUESTIONS

    return QUESTIONS


@pytest.mark.promise("bench:rejection")
def test_an_empty_answer_is_a_rejection_right_or_wrong(section: RetrievalSection) -> None:
    found, other = section.rejection, section.against[0].rejection
    assert found is not None
    assert other is not None
    assert (found.unanswerable, found.rejected, found.rate, found.answerable_rejected) == (1, 0, 0.0, 1)
    assert [(row.id, row.came) for row in found.answered] == [("u1", ("mail.send_mail",))]
    assert (other.rejected, other.rate, other.answerable_rejected, other.answered) == (1, 1.0, 0, ())


def test_a_rate_that_is_all_or_nothing_has_no_interval(section: RetrievalSection) -> None:
    assert section.rejection is not None
    assert section.rejection.interval is None
    more: dict[str, tuple[str, str, dict[str, int]]] = {"u2": ("qqq", "", {}), "u3": ("www", "", {})}
    answers = FIRST | {"u2": [], "u3": []}
    found = measure_retrieval(small_pair(**more), EngineRun("first", answers)).rejection
    assert found is not None
    assert found.rate == pytest.approx(2 / 3)
    assert found.interval == (0.0, 1.0)


def test_where_every_question_can_be_served_there_is_no_rate() -> None:
    found = measure_retrieval(small_pair("u1"), EngineRun("first", FIRST)).rejection
    assert found == Rejection(0, 0, None, 1)


@pytest.mark.promise("bench:paired")
def test_another_engine_is_compared_question_by_question(section: RetrievalSection) -> None:
    (other,) = section.against
    ours, theirs = (score_answers(each, PAIR.golden) for each in (FIRST, SECOND))
    assert [verdict.metric for verdict in other.verdicts] == list(COMPARED)
    for verdict in other.verdicts:
        both = zip(ours.values(verdict.metric), theirs.values(verdict.metric), strict=True)
        differences = [one - other for one, other in both]
        assert (verdict.difference, verdict.low, verdict.high) == pytest.approx(bootstrap_mean(differences))
        assert verdict.p_value == sign_flip(np.array(differences))
    by_metric = {verdict.metric: (verdict.better, verdict.worse) for verdict in other.verdicts}
    assert by_metric == {
        "recall_at_5": (0, 1),
        "ndcg_at_10": (1, 1),
        "mrr": (1, 1),
        "recall_at_1": (1, 1),
    }


def test_the_other_engine_has_figures_of_its_own(section: RetrievalSection) -> None:
    alone = measure_retrieval(PAIR, EngineRun("second", SECOND))
    (other,) = section.against
    assert other == EngineScores(
        "second", alone.metrics, other.intervals, other.curve, other.verdicts, alone.rejection
    )
    assert all(other.intervals[each] == pytest.approx(alone.intervals[each]) for each in MEASURES)
    assert other.curve.low == pytest.approx(alone.curve.low)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_bounds() -> None:
    def reported(seed: int) -> bytes:
        return msgspec.json.encode(measure_retrieval(PAIR, "bm25", against=["words"], seed=seed))

    assert reported(3) == reported(3)
    assert reported(3) != reported(4)


def test_engines_are_asked_by_name_and_answers_are_cut_at_ten() -> None:
    section = measure_retrieval(PAIR, against=["bm25", "words"])
    assert [section.engine, *(each.engine for each in section.against)] == ["toolbooth", "bm25", "words"]
    long = FIRST | {"q1": [f"x.{n}" for n in range(10)] + ["files.read_file"]}
    row = next(each for each in measure_retrieval(PAIR, EngineRun("long", long)).rows if each.id == "q1")
    assert (len(row.came), row.rank) == (10, None)


@pytest.mark.parametrize(("engine", "against"), [("bm25", ["bm25"]), ("toolbooth", ["bm25", "bm25"])])
def test_nothing_is_compared_with_itself(engine: str, against: list[str]) -> None:
    with pytest.raises(UserMistake, match='"bm25" is compared with itself'):
        measure_retrieval(PAIR, engine, against=against)


def test_a_set_that_nothing_can_serve_is_refused_in_one_line() -> None:
    only = small_pair("q1", "q2", "q3", "q4", "q5")
    with pytest.raises(
        ConfigError, match="no question of small-golden-1 has a relevant label, so there is nothing to score"
    ):
        measure_retrieval(only)


def test_what_was_allowed_stands_in_the_section() -> None:
    loose = Pair(PAIR.corpus, PAIR.golden, ("x:gone",), ("1 labelled tool is gone",))
    section = measure_retrieval(loose, EngineRun("first", FIRST))
    assert (section.unknown_labels, section.notes) == (("x:gone",), ("1 labelled tool is gone",))


@pytest.mark.promise("bench:score-report")
@pytest.mark.parametrize("rule", [GateRule(), GateRule("mrr", 0.1)], ids=["plain", "another metric"])
def test_a_section_is_a_published_score_report(rule: GateRule) -> None:
    section = measure_retrieval(
        PAIR, EngineRun("first", FIRST), against=[EngineRun("second", SECOND)], rule=rule
    )
    document = orjson.loads(msgspec.json.encode({"retrieval": section}))
    jsonschema_rs.validate(orjson.loads(SCHEMA.read_bytes()), document)
    assert list(document["retrieval"])[:6] == [
        "corpus_version",
        "golden_version",
        "runs_averaged",
        "query_count",
        "metrics",
        "gate",
    ]
