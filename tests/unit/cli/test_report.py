"""`toolbooth report`: files in, words out, the exit code of the run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.suite.reports import all_passed, compared, sample

from toolbooth.cli.report import run
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render
from toolbooth.suite.run_json import run_bytes


def stored(path: Path, report: SuiteReport) -> str:
    path.write_bytes(run_bytes(report))
    return str(path)


@pytest.fixture
def good(tmp_path: Path) -> str:
    return stored(tmp_path / "good.json", all_passed())


@pytest.fixture
def bad(tmp_path: Path) -> str:
    return stored(tmp_path / "bad.json", sample())


def test_the_exit_code_is_that_of_the_run(good: str, bad: str, tmp_path: Path) -> None:
    failed = tuple(cell for cell in sample().cells if cell.status in ("passed", "failed"))
    assert run([good]) == 0
    assert run([bad]) == 5
    assert run([stored(tmp_path / "failed.json", replace(sample(), cells=failed))]) == 1


def test_the_terminal_is_the_default(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([bad])
    said = capsys.readouterr().out
    assert "what went wrong" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("form", ["json", "junit", "markdown", "github", "tap", "html", "agent"])
def test_every_format_goes_to_stdout_or_to_a_file(
    form: str, bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([bad, "--format", form])
    assert capsys.readouterr().out == render(sample(), form)
    run([bad, "--format", form, "--output", str(tmp_path / "out")])
    assert (tmp_path / "out").read_text(encoding="utf-8") == render(sample(), form)
    assert capsys.readouterr().out == ""


def test_json_is_the_run_again(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([bad, "--json"])
    assert capsys.readouterr().out == Path(bad).read_text()


def test_a_baseline_gates_and_bounds_relax_it(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slightly = replace(
        all_passed(), cells=(sample().cells[7], *all_passed().cells[:7], *all_passed().cells[8:])
    )
    now = stored(tmp_path / "now.json", slightly)
    assert run([now, "--baseline", good, "--format", "agent"]) == 1
    assert "WORSE open a ticket" in capsys.readouterr().out
    loose = ["--max-f1-drop", "20", "--max-tokens-rise", "60%"]
    assert run([now, "--baseline", good, *loose]) == 0


def test_the_comparison_is_kept_in_the_file(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([bad, "--baseline", good, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["comparison"]["baseline"] == "good.json"
    assert len(document["comparison"]["moved"]) == len(compared().comparison.moved)  # type: ignore[union-attr]


def test_shards_are_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = all_passed()
    parts = [
        stored(
            tmp_path / f"{index}.json", replace(whole, cells=whole.cells[index::3], shard=f"{index + 1}/3")
        )
        for index in range(3)
    ]
    assert run([*parts, "--format", "agent"]) == 0
    assert capsys.readouterr().out == "24 passed, $4.76\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "required"),
        (["--format", "xml"], "xml"),
        (["--max-f1-drop", "3"], "--max-f1-drop needs a baseline"),
        (["--max-tokens-rise", "-1", "--baseline", "x"], "not a number"),
        (["--json", "--format", "tap"], "choose one of"),
    ],
)
def test_wrong_calls_are_one_line(words: list[str], says: str, good: str) -> None:
    with pytest.raises(UserMistake, match=says):
        run([good, *words] if words else [])


def test_the_same_file_twice_is_refused(good: str) -> None:
    with pytest.raises(UserMistake, match="is in two of these runs"):
        run([good, good])


def test_a_file_that_is_no_run_and_one_that_cannot_be_written_are_mistakes(good: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"is not a run\.json"):
        run([str(tmp_path / "other.json")])
    with pytest.raises(ConfigError, match="cannot be written"):
        run([good, "--output", str(tmp_path / "no" / "such" / "folder")])


def test_the_help_lists_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["--help"])
    said = capsys.readouterr().out
    assert all(name in said for name in ("junit", "markdown", "as few tokens as possible"))
