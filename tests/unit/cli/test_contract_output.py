"""How changes and findings are printed: the worst first, foreign text cleaned, and the difference itself in view."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from toolbooth.cli.contract_output import MOST_SHOWN, add_output, check_output, deliver
from toolbooth.contracts import Change, Diff, Finding, Level, Severity
from toolbooth.contracts.reporting import ContractReport, severity_words
from toolbooth.errors import UserMistake

LONG = "Sends the mail to everybody on the list, and keeps a copy of it in the folder of sent mails"
CHANGES = (
    Change("tool-removed", Severity.BREAKING, "mail", "drop", "", "the tool is gone"),
    Change(
        "description", Severity.RISKY, "mail", "send", "/description", "it changed", LONG, f"{LONG}; EVIL"
    ),
    Change("bounds", Severity.SAFE, "mail", "send", "/inputSchema", "it widened", {"maximum": 3}, None),
    Change("total", Severity.SAFE, "", "", "", "all of it weighs 9"),
)


def options(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_output(parser)
    return parser.parse_args(words)


def reported(
    capsys: pytest.CaptureFixture[str], diff: Diff, *findings: Finding, as_json: bool = False
) -> str:
    report = ContractReport("toolbooth lock", diff, findings, more={"lock": "x.lock"})
    deliver(report, options(*(["--json"] if as_json else [])))
    return capsys.readouterr().out


def test_changes_stand_below_their_severity_and_their_tool(capsys: pytest.CaptureFixture[str]) -> None:
    lines = reported(capsys, Diff(CHANGES)).splitlines()
    assert lines[0] == "BREAKING · 1"
    assert lines[1:3] == ["  mail.drop", "    the tool is gone  tool-removed"]
    assert [line for line in lines if not line.startswith(" ") and line] == [
        "BREAKING · 1",
        "RISKY · 1",
        "SAFE · 2",
    ]
    assert '      /inputSchema: {"maximum": 3} → (nothing)' in lines
    assert "  all servers" in lines


def test_what_was_added_at_the_end_of_a_long_text_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    assert "EVIL" in reported(capsys, Diff(CHANGES))


def test_more_than_a_person_reads_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    many = Diff(CHANGES[:1] * (MOST_SHOWN + 5))
    said = reported(capsys, many)
    assert said.count("the tool is gone") == MOST_SHOWN
    assert "… and 5 more (--json has all)" in said


def test_foreign_text_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    ugly = "\x1b[2J\u202e[/red]\x07"
    change = Change("rule", Severity.RISKY, "mail", ugly, f"/{ugly}", ugly, ugly, {ugly: ugly})
    finding = Finding("rule", Level.HIGH, "mail", ugly, f"/{ugly}", ugly, ugly)
    said = reported(capsys, Diff((change,)), finding)
    assert not {"\x1b", "\u202e", "\x07"} & set(said)
    assert reported(capsys, Diff((change,)), finding, as_json=True).isascii()


def test_findings_are_reported_with_what_mending_them_saves(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding("long", Level.LOW, "mail", "send", "/description", "it is long", "Sends the …", 40)
    lines = reported(capsys, Diff(), finding).splitlines()
    assert lines[:4] == ["LOW · 1", "  mail.send", "    it is long  long", "      /description: Sends the …"]
    assert lines[4] == "      a fix saves 40 tokens"


def test_json_has_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding("long", Level.LOW, "mail", "send", "/description", "it is long", tokens=-3)
    document = json.loads(reported(capsys, Diff(CHANGES), finding, as_json=True))
    assert document["lock"] == "x.lock"
    assert document["worst"] == "breaking"
    assert document["counts"] == {"breaking": 1, "risky": 1, "safe": 2, "cosmetic": 0}
    assert document["changes"][2]["before"] == {"maximum": 3}
    assert document["findings"][0]["level"] == "low"
    assert severity_words(Diff(CHANGES)) == "1 breaking, 1 risky, 2 safe"
    assert json.loads(reported(capsys, Diff(), as_json=True))["worst"] is None


def test_files_are_written_beside_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = ContractReport("toolbooth lock", Diff(CHANGES), verdict="it does not fit", exit_code=1)
    files = {form: tmp_path / form for form in ("json", "sarif", "github", "markdown", "human")}
    words = [word for form, path in files.items() for word in ("--report", f"{form}:{path}")]
    assert deliver(report, options(*words)) == 1
    printed = capsys.readouterr().out
    assert printed == files["human"].read_text()
    assert printed.rstrip().endswith("it does not fit")
    assert json.loads(files["sarif"].read_text())["version"] == "2.1.0"
    assert json.loads(files["json"].read_text())["exit_code"] == 1
    assert files["github"].read_text().startswith("::error ")
    assert files["markdown"].read_text().startswith("### ❌ toolbooth lock: it does not fit")


def test_with_an_output_file_only_the_verdict_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = ContractReport("toolbooth lock", Diff(CHANGES), verdict="it does not fit", exit_code=1)
    deliver(report, options("--format", "sarif", "--output", str(tmp_path / "x.sarif")))
    assert capsys.readouterr().out == "it does not fit\n"
    assert len(json.loads((tmp_path / "x.sarif").read_text())["runs"][0]["results"]) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--json", "--format", "sarif"), "choose one of --json and --format sarif"),
        (("--report", "sarif"), "--report takes FORMAT:FILE with one of human, json, sarif"),
        (("--report", "html:x"), "--report takes FORMAT:FILE"),
        (("--report", "sarif:"), "--report takes FORMAT:FILE"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_before_anything_is_asked(
    words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UserMistake) as refused:
        check_output(options(*words))
    assert said in str(refused.value)


def test_every_format_of_the_package_can_be_asked_for() -> None:
    from toolbooth.cli.contract_output import FORMATS, HUMAN
    from toolbooth.contracts.reporting import FORMATS as REGISTERED

    assert set(FORMATS) == {HUMAN, *REGISTERED}
