"""`toolbooth bench retrieval`: what is printed, and every mistake in one line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.bench.retrieval.small_set import QUESTIONS, corpus_document, golden_document, written
from tests.unit.web.reports import bare, retrieval

from toolbooth.bench.report import PairedVerdict
from toolbooth.cli.bench import retrieval as bench_retrieval
from toolbooth.cli.bench.report import markdown
from toolbooth.cli.bench.retrieval_table import difference, figure, p_words, signed, verdict_words
from toolbooth.errors import NothingToWeigh, UserMistake
from toolbooth.web.sections.retrieval import verdicts_table

Reported = Callable[..., str]


@pytest.fixture
def reported(capsys: pytest.CaptureFixture[str]) -> Reported:
    def run(*words: str | Path, code: int = 0) -> str:
        assert bench_retrieval.run([str(word) for word in words]) == code
        return capsys.readouterr().out

    return run


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    """The words that name the small set."""
    corpus = written(tmp_path / "corpus.json", corpus_document())
    golden = written(tmp_path / "golden.json", golden_document())
    return ["--corpus", str(corpus), "--golden", str(golden)]


def mistake(*words: str | Path) -> str:
    with pytest.raises((UserMistake, NothingToWeigh)) as caught:
        bench_retrieval.run([str(word) for word in words])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_tables_tell_measures_kinds_rejection_and_the_worst(small: list[str], reported: Reported) -> None:
    said = reported(*small, "--engine", "bm25", "--against", "words", "--worst", "1")
    lines = [line.rstrip() for line in said.splitlines()]
    assert lines[0].startswith("5 questions scored, 1 that no tool can answer · corpus small-1")
    assert any(line.startswith("  recall@1   0.") and line.count("[") == 2 for line in lines)
    assert "bm25 against words, question by question" in lines
    assert any(line.startswith("  unanswerable") and line.endswith(" 1") for line in lines)
    assert (
        "  bm25: rejected 1 of 1 question that no tool can answer: 1.000; 2 of the others got no result"
        in lines
    )
    at = lines.index("worst questions first  (--top N shows more)")
    assert lines[at + 1 : at + 5] == [
        "  “throw away that document”",
        "    no result · recall@5 0.00 · nDCG@10 0.00 · q3 · paraphrased",
        "    wanted files.delete_file",
        "    found  nothing",
    ]
    assert lines[-1] == "  gate: no baseline was named, so the gate passes"


def test_json_is_the_section(small: list[str], reported: Reported) -> None:
    section = json.loads(reported(*small, "--engine", "bm25", "--json"))
    assert list(section)[:6] == [
        "corpus_version",
        "golden_version",
        "runs_averaged",
        "query_count",
        "metrics",
        "gate",
    ]
    assert list(section["metrics"]) == ["recall_at", "mrr", "ndcg_at_10", "map"]
    assert section["gate"] == {
        "passed": True,
        "metric": "recall_at_5",
        "tolerance": 0.05,
        "value": section["metrics"]["recall_at"]["5"],
        "note": "no baseline was named, so the gate passes",
    }
    assert "baseline_delta" not in section


def test_what_a_question_says_does_not_act_on_the_terminal(tmp_path: Path, reported: Reported) -> None:
    changed: dict[str, Any] = {"q1": ("read \x1b[31mred\u202e", "k\x07ind", {"files:read_file": 2})}
    corpus = written(tmp_path / "c.json", corpus_document())
    golden = written(tmp_path / "g.json", golden_document(**changed))
    said = reported("--corpus", corpus, "--golden", golden, "--engine", "bm25", "--worst", "9")
    assert not {"\x1b", "\u202e", "\x07"} & set(said)


@pytest.mark.promise("bench:gate")
def test_a_stored_baseline_holds_the_line(small: list[str], tmp_path: Path, reported: Reported) -> None:
    kept = tmp_path / "base.json"
    reported(*small, "--engine", "toolbooth", "--write-baseline", kept)
    assert "✓ gate passed: recall@5" in reported(*small, "--baseline", kept)
    fallen = reported(*small, "--engine", "bm25", "--baseline", kept, code=1)
    assert "✗ gate failed: recall@5" in fallen
    assert "✓ gate passed" in reported(*small, "--engine", "bm25", "--baseline", kept, "--tolerance", "1")


def test_a_failed_gate_does_not_lower_the_line(
    small: list[str], tmp_path: Path, reported: Reported, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "base.json"
    reported(*small, "--write-baseline", kept)
    before = kept.read_bytes()
    words = [*small, "--engine", "bm25", "--baseline", str(kept), "--write-baseline", str(kept)]
    assert bench_retrieval.run(words) == 1
    assert "not written, because the gate failed" in capsys.readouterr().err
    assert kept.read_bytes() == before


def test_a_former_run_is_compared_with_one_of_today(
    small: list[str], tmp_path: Path, reported: Reported
) -> None:
    kept = written(tmp_path / "old.json", reported(*small, "--engine", "bm25", "--json"))
    assert f"toolbooth against bm25 ({tmp_path.name}/old.json), question by question" in reported(
        *small, "--against", kept
    )


def test_a_folder_is_one_table_a_measure_and_the_means(tmp_path: Path, reported: Reported) -> None:
    for name in ("one", "two"):
        written(tmp_path / name / "corpus.json", corpus_document(name))
        written(tmp_path / name / "golden.json", golden_document(version=name))
    lines = reported("--folder", tmp_path, "--engine", "bm25", "--against", "words").splitlines()
    assert [line.split()[0] for line in lines if line.strip()][:3] == ["nDCG@10", "one", "two"]
    assert any(line.startswith("  mean of 2 sets") for line in lines)
    found = json.loads(reported("--folder", tmp_path, "--engine", "bm25", "--against", "words", "--json"))
    assert [each["name"] for each in found["sets"]] == ["one", "two"]
    assert list(found["means"]) == ["bm25", "words"]
    assert found["means"]["bm25"]["mrr"] == found["sets"][0]["metrics"]["mrr"]
    assert found["left_out"] == []


@pytest.mark.promise("bench:folder")
def test_a_set_that_cannot_be_measured_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path / "corpus.json", corpus_document())
    written(tmp_path / "good" / "golden.json", golden_document())
    written(tmp_path / "gone" / "golden.json", golden_document(version="elsewhere"))
    written(tmp_path / "unknown" / "golden.json", golden_document(q1=("read", "", {"x:y": 1})))
    assert bench_retrieval.run(["--folder", str(tmp_path), "--engine", "bm25", "--json"]) == 3
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert [each["name"] for each in found["sets"]] == ["good"]
    assert [Path(each["file"]).parent.name for each in found["left_out"]] == ["gone", "unknown"]
    assert 'its corpus "elsewhere" is not in this folder' in said.err
    assert "1 labelled tool is not in the corpus: x:y" in said.err


def test_a_problem_with_a_corpus_names_the_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "a" / "corpus.json", twice(corpus_document(), "tools"))
    written(tmp_path / "a" / "golden.json", golden_document())
    assert mistake("--folder", tmp_path, "--engine", "bm25").endswith(
        "none of the sets in this folder can be measured"
    )
    assert f"{tmp_path}/a/corpus.json: 1 duplicate tool" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_no_problem_of_a_set(tmp_path: Path) -> None:
    written(tmp_path / "corpus.json", corpus_document())
    written(tmp_path / "golden.json", golden_document())
    taken = written(tmp_path / "taken", "a file")
    assert "taken" in mistake("--folder", tmp_path, "--engine", "bm25", "--out", taken)


def twice(document: dict[str, Any], key: str) -> dict[str, Any]:
    return document | {key: [*document[key], document[key][0]]}


BAD_SETS: dict[str, tuple[Any, Any]] = {
    "1 labelled tool is not in the corpus: x:y; use --allow-unknown to leave these labels out": (
        corpus_document(),
        golden_document(q1=("read", "", {"x:y": 1})),
    ),
    'the golden set is for corpus "small-2", but this is "small-1"; use --allow-mismatch to measure anyway': (
        corpus_document(),
        golden_document(version="small-2"),
    ),
    "corpus.json: 1 duplicate tool: files:read_file; keep one of each": (
        twice(corpus_document(), "tools"),
        golden_document(),
    ),
    'golden.json: queries: duplicate id "q1"': (
        corpus_document(),
        twice(golden_document(), "queries"),
    ),
    "corpus.json: the corpus has no tools, so there is nothing to measure": (
        {"version": "small-1", "tools": []},
        golden_document(),
    ),
    "golden.json: queries is empty; add at least one question": (
        corpus_document(),
        golden_document(*QUESTIONS),
    ),
    "no question of small-golden-1 has a relevant label, so there is nothing to score; "
    "add questions that a tool of the corpus can serve": (
        corpus_document(),
        golden_document("q1", "q2", "q3", "q4", "q5"),
    ),
}


@pytest.mark.promise("bench:retrieval-bad-input")
@pytest.mark.parametrize("said", BAD_SETS)
def test_a_set_that_would_give_wrong_figures_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus, golden = BAD_SETS[said]
    written(Path("corpus.json"), corpus)
    written(Path("golden.json"), golden)
    assert mistake("--corpus", "corpus.json", "--golden", "golden.json", "--engine", "bm25") == said


def test_what_is_allowed_is_measured_and_said(tmp_path: Path, reported: Reported) -> None:
    corpus = written(tmp_path / "c.json", corpus_document())
    golden = written(tmp_path / "g.json", golden_document(version="small-2", q1=("read", "", {"x:y": 1})))
    words = (
        "--corpus",
        corpus,
        "--golden",
        golden,
        "--engine",
        "bm25",
        "--allow-unknown",
        "--allow-mismatch",
    )
    section = json.loads(reported(*words, "--json"))
    assert section["unknown_labels"] == ["x:y"]
    assert section["query_count"] == 4
    assert len(section["notes"]) == 2


WORDS: dict[str, list[str]] = {
    'unknown engine "bm52"; did you mean bm25?': ["--engine", "bm52"],
    'unknown engine "tolbooth"; did you mean toolbooth?': ["--against", "tolbooth"],
    "absent.json: there is no such file": ["--against", "absent.json"],
    "base.json: there is no such file": ["--baseline", "base.json"],
    '"toolbooth" is compared with itself; name another engine': ["--against", "toolbooth"],
    'unknown metric "recall"; choose one of '
    "recall_at_1, recall_at_3, recall_at_5, recall_at_10, mrr, ndcg_at_10, map": ["--metric", "recall"],
    "argument --tolerance: '2' is not a number from 0 to 1; try 0.05; see `toolbooth bench retrieval --help`": [
        "--tolerance",
        "2",
    ],
    "argument --tolerance: 'nan' is not a number from 0 to 1; try 0.05; see `toolbooth bench retrieval --help`": [
        "--tolerance",
        "nan",
    ],
    "choose one: --folder measures several sets, --golden belongs to a single one": [
        "--folder",
        ".",
    ],
}


@pytest.mark.promise("bench:retrieval-bad-input")
@pytest.mark.parametrize("said", WORDS)
def test_a_wrong_word_is_one_line(
    small: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mistake(*small, *WORDS[said]) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--baseline", "b.json"], "--baseline belongs to"),
        (["--write-baseline", "b.json"], "--write-baseline belongs to"),
        (["--corpus", "c.json"], "tools belongs to"),
        (["--against", "old.json"], "an earlier report covers one set"),
    ],
)
def test_a_folder_goes_without_what_is_of_one_set(
    tmp_path: Path,
    reported: Reported,
    monkeypatch: pytest.MonkeyPatch,
    small: list[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "old.json", reported(*small, "--engine", "bm25", "--json"))
    assert said in mistake("--folder", tmp_path, *words)


def test_a_folder_in_which_nothing_can_be_measured_is_wrong(tmp_path: Path) -> None:
    written(tmp_path / "golden.json", golden_document(version="elsewhere"))
    assert mistake("--folder", tmp_path) == f"{tmp_path}: none of the sets in this folder can be measured"


def test_verdicts_are_words_of_a_person() -> None:
    def verdict(difference: float, p_value: float) -> PairedVerdict:
        return PairedVerdict("mrr", difference, difference - 0.1, difference + 0.1, p_value, 3, 2)

    assert verdict_words(verdict(0.2, 0.003), 109) == "better, p 0.003"
    assert verdict_words(verdict(-0.2, 0.0001), 109) == "worse, p < 0.001"
    assert verdict_words(verdict(0.01, 0.4), 1_090) == "no clear difference with 1,090 questions, p 0.400"
    assert verdict_words(verdict(0.01, 0.4)) == "no clear difference, p 0.400"


@pytest.mark.parametrize(
    ("low", "high", "p_value", "outcome"),
    [
        (0.1, 0.3, 0.003, "better"),
        (-0.3, -0.1, 0.003, "worse"),
        (-0.01, 0.3, 0.003, "unclear"),  # the interval speaks against it
        (0.01, 0.3, 0.06, "unclear"),  # p does
        (0.0, 0.0, 1.0, "unclear"),
    ],
)
def test_terminal_markdown_and_page_give_one_verdict(
    low: float, high: float, p_value: float, outcome: str
) -> None:
    verdict = PairedVerdict("recall_at_5", (low + high) / 2, low, high, p_value, 3, 2)
    section = msgspec.structs.replace(
        retrieval(), against=(msgspec.structs.replace(retrieval().against[0], verdicts=(verdict,)),)
    )
    words = "no clear difference" if outcome == "unclear" else outcome
    table = verdicts_table(section.against, section.engine)
    assert verdict.outcome == outcome
    assert verdict_words(verdict).startswith(words)
    assert table is not None
    assert table.rows[0][2] == words
    assert f"{words}, p " in markdown(bare(retrieval=section))


def test_figures_have_three_places_and_real_minus_signs() -> None:
    assert figure(0.94, (0.8721, 1.0)) == "0.940 [0.872, 1.000]"
    assert figure(1.0, (1.0, 1.0)) == "1.000"
    assert difference(PairedVerdict("mrr", 0.1, 0.05, 0.2, 0.01, 2, 1)) == "+0.100 [+0.050, +0.200]"
    assert difference(PairedVerdict("mrr", 0.0, 0.0, 0.0, 1.0, 0, 0)) == "+0.000"
    assert (signed(-0.01), signed(0.25), p_words(0.05)) == ("−0.010", "+0.250", "p 0.050")
