"""The retrieval benchmark as a user runs it: built-in tools, a line that is held, a folder of sets."""

from pathlib import Path

import pytest

from tests.behaviour.command_line import at_a_terminal, toolbooth
from tests.catalogs import RETRIEVAL
from tests.unit.bench.retrieval.small_set import corpus_document, golden_document, written

MCPPROXY = RETRIEVAL / "mcpproxy"


def test_it_needs_nothing_else_and_beats_plain_bm25(tmp_path: Path) -> None:
    section = toolbooth("bench", "retrieval", "--against", "bm25", "--json", home=tmp_path).json
    assert section["query_count"] + section["not_scored"] >= 120
    assert {each["kind"] for each in section["kinds"]} == {
        "literal",
        "paraphrased",
        "several",
        "unanswerable",
    }
    verdicts = {each["metric"]: each for each in section["against"][0]["verdicts"]}
    assert verdicts["ndcg_at_10"]["low"] > 0
    assert verdicts["ndcg_at_10"]["p_value"] < 0.05
    assert section["rejection"]["unanswerable"] == section["not_scored"]


@pytest.mark.promise("bench:gate")
def test_the_gate_is_the_exit_code(tmp_path: Path) -> None:
    kept, verb = tmp_path / "base.json", ("bench", "retrieval")
    assert toolbooth(*verb, "--write-baseline", kept, home=tmp_path).code == 0
    assert toolbooth(*verb, "--baseline", kept, home=tmp_path).code == 0
    fallen = toolbooth(*verb, "--engine", "bm25", "--baseline", kept, home=tmp_path)
    assert fallen.code == 1
    assert "✗ gate failed: recall@5" in fallen.out


@pytest.mark.promise("bench:paired")
def test_a_report_of_yesterday_is_compared_with_today(tmp_path: Path) -> None:
    verb = ("bench", "retrieval")
    assert toolbooth(*verb, "--engine", "words", "--out", tmp_path / "old", home=tmp_path).code == 0
    assert (tmp_path / "old" / "report.html").exists()
    today = toolbooth(*verb, "--against", tmp_path / "old" / "report.json", "--json", home=tmp_path).json
    (old,) = today["against"]
    assert old["engine"] == "words (old/report.json)"
    asked = toolbooth(*verb, "--against", "words", "--json", home=tmp_path).json
    assert old["verdicts"] == asked["against"][0]["verdicts"]


@pytest.mark.promise("bench:retrieval-bad-input")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--engine", "bm52"), 'toolbooth: unknown engine "bm52"; did you mean bm25?'),
        (("--folder", "nowhere"), "toolbooth: nowhere: there is no such folder"),
        (("--corpus", "c.json"), "toolbooth: name the questions for these tools with --golden FILE"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(tmp_path: Path, words: tuple[str, str], said: str) -> None:
    written(tmp_path / "c.json", corpus_document())
    done = toolbooth("bench", "retrieval", *words, home=tmp_path)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith(said)


def test_a_folder_shows_its_progress_on_a_terminal_only(tmp_path: Path) -> None:
    written(tmp_path / "set" / "corpus.json", corpus_document())
    written(tmp_path / "set" / "golden.json", golden_document())
    words = ("bench", "retrieval", "--folder", "set", "--engine", "bm25")
    screen = at_a_terminal(*words, typed="", home=tmp_path, cwd=tmp_path, COLUMNS="80")
    assert "set 1 of 1" in screen
    assert "mean of 1 set" in screen
    assert toolbooth(*words, home=tmp_path).err == ""


def test_the_reports_of_a_folder_stand_side_by_side(tmp_path: Path) -> None:
    written(tmp_path / "sets" / "a" / "corpus.json", corpus_document())
    for name in ("golden.x.json", "golden.y.json"):
        written(tmp_path / "sets" / "a" / name, golden_document())
    done = toolbooth(
        "bench", "retrieval", "--folder", "sets", "--engine", "bm25", "--out", "out", home=tmp_path
    )
    assert done.code == 0
    assert sorted(each.relative_to(tmp_path).as_posix() for each in tmp_path.glob("out/**/report.json")) == [
        "out/a/x/report.json",
        "out/a/y/report.json",
    ]


def test_the_published_files_load_as_they_are(tmp_path: Path) -> None:
    section = toolbooth(
        "bench",
        "retrieval",
        *("--corpus", MCPPROXY / "corpus_v1.tools.json", "--golden", MCPPROXY / "retrieval_golden_v1.json"),
        *("--baseline", MCPPROXY / "baseline_v1.json", "--json"),
        home=tmp_path,
    ).json
    assert (section["corpus_version"], section["golden_version"]) == ("corpus_v1", "retrieval_golden_v1")
    assert section["query_count"] == 47
    assert section["gate"]["passed"] is True
    assert round(section["gate"]["floor"], 4) == 0.6309
    assert section["baseline_delta"]["recall_at_5"] > 0


def test_a_set_that_cannot_be_read_is_reported_beside_the_others_and_makes_exit_3(tmp_path: Path) -> None:
    written(tmp_path / "sets" / "corpus.json", corpus_document())
    written(tmp_path / "sets" / "golden.a.json", golden_document())
    written(tmp_path / "sets" / "golden.b.json", {**golden_document(), "queries": [3]})
    done = toolbooth("bench", "retrieval", "--folder", "sets", "--engine", "bm25", home=tmp_path)
    assert done.code == 3, done
    assert "mean of 1 set" in done.out
    assert "queries[0] must be an object" in done.err


def test_one_set_tells_what_it_does_on_a_terminal(tmp_path: Path) -> None:
    screen = at_a_terminal("bench", "retrieval", "--engine", "bm25", typed="", home=tmp_path, cwd=tmp_path)
    assert "asking" in screen
