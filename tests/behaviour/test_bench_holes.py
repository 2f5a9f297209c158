"""A benchmark that could not be done whole says what is missing, keeps the rest and exits with 3."""

import json
import sys
from pathlib import Path

from tests.behaviour.command_line import toolbooth

DEMO = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
STARTS_ONCE = """
import os, sys
from pathlib import Path
flag = Path(sys.argv[1])
if flag.exists():
    sys.exit("once is enough")
flag.touch()
os.execv(sys.executable, [sys.executable, "-m", "toolbooth.demo", "weather"])
"""


def config(folder: Path, **servers: object) -> str:
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return str(path)


def test_a_section_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(STARTS_ONCE)
    once = {"command": sys.executable, "args": [str(tmp_path / "once.py"), str(tmp_path / "flag")]}
    done = toolbooth("bench", config(tmp_path, once=once), "--out", tmp_path / "out", home=tmp_path)
    assert done.code == 3, done
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["tokens"]["corpus_tools"] > 0
    assert [each.partition(":")[0] for each in report["partial"]] == ["latency"]
    assert "partial: latency: " in done.out
    assert report["command"] == f"toolbooth bench {tmp_path}/mcp.json --out {tmp_path}/out"


def test_where_no_section_comes_of_it_the_first_fault_is_the_answer(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(STARTS_ONCE)
    once = {"command": sys.executable, "args": [str(tmp_path / "once.py"), str(tmp_path / "flag")]}
    done = toolbooth("bench", config(tmp_path, once=once), "--only", "latency", home=tmp_path)
    assert (done.code, done.out) == (3, "")


def test_a_server_that_does_not_start_stands_in_the_report(tmp_path: Path) -> None:
    servers = config(
        tmp_path, weather=DEMO, dead={"command": sys.executable, "args": ["-c", "raise SystemExit(4)"]}
    )
    done = toolbooth("bench", "tokens", servers, "--json", "--out", tmp_path / "out", home=tmp_path)
    assert done.code == 3, done
    assert any(note.startswith("not measured: dead: ") for note in done.json["notes"])
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [each.partition(":")[0] for each in report["partial"]] == ["dead"]


CORPUS = {
    "version": "frozen-1",
    "generated_from": {"servers": [], "missing": ["mail"]},
    "tools": [
        {
            "tool_id": "helpdesk:open",
            "server": "helpdesk",
            "tool": "open",
            "description": "Open.",
            "schema": {"type": "object"},
        }
    ],
}
ASKED = {
    "corpus_version": "frozen-1",
    "queries": [{"id": "1", "query": "open", "labels": [{"tool_id": "helpdesk:open", "relevance": 2}]}],
}


def test_a_corpus_that_lacks_a_server_says_so_and_keeps_its_version_however_it_is_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "corpus.json").write_text(json.dumps(CORPUS))
    (tmp_path / "golden.json").write_text(json.dumps(ASKED))
    for named in (["corpus.json"], ["--corpus", "corpus.json"]):
        done = toolbooth("bench", "retrieval", *named, "--golden", "golden.json", "--json", home=tmp_path)
        assert done.code == 0, done
        assert done.json["corpus_version"] == "frozen-1"
        assert any("the corpus lacks mail" in note for note in done.json["notes"])


def test_questions_for_a_frozen_corpus_can_be_asked_of_live_servers(tmp_path: Path) -> None:
    labels = [{"tool_id": "weather:get_current_weather", "relevance": 2}]
    asked = {"corpus_version": "any-1", "queries": [{"id": "1", "query": "weather now", "labels": labels}]}
    (tmp_path / "golden.json").write_text(json.dumps(asked))
    done = toolbooth(
        "bench",
        "retrieval",
        config(tmp_path, weather=DEMO),
        "--golden",
        "golden.json",
        "--json",
        home=tmp_path,
    )
    assert done.code == 0, done
    assert any('for corpus "any-1", but this is "live-' in note for note in done.json["notes"])


def test_a_file_that_is_not_there_is_a_wrong_call_however_it_is_named(tmp_path: Path) -> None:
    for named in (["absent.json"], ["--catalog", "absent.json"]):
        done = toolbooth("bench", "tokens", *named, home=tmp_path)
        assert (done.code, done.out) == (2, ""), done
        assert "absent.json: " in done.err
        assert "no such file" in done.err.lower()


def test_a_folder_that_cannot_be_made_is_reported_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = toolbooth("bench", "tokens", "--out", "file/report", home=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "'file/report' cannot be written" in done.err


def test_figures_are_shown_even_where_their_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "out" / "report.json").mkdir(parents=True)
    done = toolbooth("bench", "tokens", "--out", "out", "--json", home=tmp_path)
    assert done.code == 2
    assert done.json["corpus_tools"] == 69
    assert "report.json: cannot be written" in done.err
