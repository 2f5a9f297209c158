"""`toolbooth bench` as a whole: one report, shown in every way, and what is wrong said in a line."""

import json
from pathlib import Path

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth

TWO = {
    "version": "two-1",
    "tools": [
        {
            "tool_id": f"helpdesk:{name}",
            "server": "helpdesk",
            "tool": name,
            "description": said,
            "schema": {"type": "object", "properties": {"title": {"type": "string"}}},
        }
        for name, said in (("open_ticket", "Open a ticket."), ("send_mail", "Send a mail."))
    ],
}
ASKED = {
    "corpus_version": "two-1",
    "queries": [
        {
            "id": "1",
            "query": "open a ticket",
            "labels": [{"tool_id": "helpdesk:open_ticket", "relevance": 2}],
        },
        {"id": "2", "query": "send a mail", "labels": [{"tool_id": "helpdesk:send_mail", "relevance": 2}]},
    ],
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "corpus.json").write_text(json.dumps(TWO))
    (tmp_path / "golden.json").write_text(json.dumps(ASKED))
    return "--catalog", str(tmp_path / "corpus.json"), "--golden", str(tmp_path / "golden.json")


def bench(*words: str, home: Path) -> CommandResult:
    return toolbooth("bench", *words, home=home)


@pytest.mark.promise("bench:one-report")
def test_one_run_gives_one_report_and_all_else_is_made_of_it(tmp_path: Path, files: tuple[str, ...]) -> None:
    out = str(tmp_path / "out")
    result = bench(*files, "--only", "tokens,retrieval", "--out", out, home=tmp_path)
    assert result.code == 0, result
    stored = str(tmp_path / "out" / "report.json")
    assert bench("report", stored, home=tmp_path).out == result.out
    assert bench("report", stored, "--json", home=tmp_path).json == json.loads(Path(stored).read_text())
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    again = bench("report", stored, "--html", str(tmp_path / "page.html"), home=tmp_path)
    assert (again.code, again.out) == (0, "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


def test_the_whole_report_is_printed_as_json(tmp_path: Path, files: tuple[str, ...]) -> None:
    report = bench(*files, "--only", "tokens,retrieval", "--json", home=tmp_path).json
    assert report["format"] == "toolbooth-bench"
    assert report["corpus"]["version"] == "two-1"
    assert report["retrieval"]["metrics"]["recall_at"]["5"] == 1.0
    assert "latency" not in report


def test_without_questions_what_needs_none_is_measured(tmp_path: Path, files: tuple[str, ...]) -> None:
    report = bench(*files[:2], "--json", home=tmp_path).json
    assert "retrieval" not in report
    assert report["tokens"]["corpus_tools"] == 2
    assert [each["name"] for each in report["latency"]["measures"]] == ["engine"]


def test_a_baseline_that_is_not_reached_fails_the_run(tmp_path: Path, files: tuple[str, ...]) -> None:
    golden = {**ASKED, "queries": [{**each, "query": "zebra"} for each in ASKED["queries"]]}  # type: ignore[dict-item]
    kept = bench("retrieval", *files, "--write-baseline", str(tmp_path / "base.json"), home=tmp_path)
    assert kept.code == 0, kept
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    worse = bench(*files, "--only", "retrieval", "--baseline", str(tmp_path / "base.json"), home=tmp_path)
    assert worse.code == 1, worse
    reported = bench(
        *files, "--only", "retrieval", "--markdown", "--baseline", str(tmp_path / "base.json"), home=tmp_path
    )
    assert "❌ Gate: recall@5 0.000" in reported.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "speed"), "'speed' is not one of tokens, retrieval, latency, growth"),
        (("--json", "--markdown"), "choose one of --json and --markdown"),
        (("--catalog", "absent.json"), "absent.json: there is no such file"),
        (("report", "absent.json"), "absent.json: there is no such file"),
        (("retrieval", "--catalog", "corpus.json"), "--golden FILE"),
        (("tokns",), "did you mean `toolbooth bench tokens`?"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    words: tuple[str, ...], said: str, tmp_path: Path, files: tuple[str, ...]
) -> None:
    done = toolbooth("bench", *words, home=tmp_path, cwd=tmp_path)
    assert done.code == 2, done
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


def test_the_tokens_of_another_encoding_can_be_counted(tmp_path: Path, files: tuple[str, ...]) -> None:
    words = (*files, "--only", "tokens", "--json")
    report = bench(*words, "--encoding", "o200k_base", home=tmp_path).json
    assert report["tokens"]["encoding"] == "o200k_base"
    wrong = bench(*words, "--encoding", "nonsense", home=tmp_path)
    assert (wrong.code, wrong.out) == (2, "")


def test_what_ended_before_its_time_is_reported_once(tmp_path: Path, files: tuple[str, ...]) -> None:
    stored = tmp_path / "out" / "report.json"
    assert bench(*files[:2], "--only", "latency", "--out", str(stored.parent), home=tmp_path).code == 0
    report = json.loads(stored.read_text())
    report["latency"]["partial"] = "it went away"
    report["partial"] = ["latency: it went away", "tokens: never came"]
    stored.write_text(json.dumps(report))
    reported = bench("report", str(stored), home=tmp_path)
    assert reported.code == 3
    assert (reported.out.count("it went away"), reported.out.count("tokens: never came")) == (1, 1)
