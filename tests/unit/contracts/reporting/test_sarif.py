"""SARIF reports: valid, with stable fingerprints and locations."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from tests.parts import part
from tests.unit.contracts.reporting.reports import CHANGES, FINDINGS, UGLY, hostile, sample

from toolbooth.contracts import Diff
from toolbooth.contracts.diff.rules import RULES
from toolbooth.contracts.reporting import ContractReport, FileLocation, render
from toolbooth.contracts.scan import scan_rules

SCHEMA = Path("lib", "schemas", "sarif-2.1.0-rtm.5.json")


def sarif_validator() -> Draft4Validator:
    """The published schema; `make test` fetches it."""
    schema = part("sarif-schema") / "node_modules" / "@microsoft" / "jest-sarif" / SCHEMA
    return Draft4Validator(json.loads(schema.read_text()), format_checker=Draft4Validator.FORMAT_CHECKER)


def run(report: ContractReport) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(report, "sarif"))["runs"][0]
    return found


@pytest.mark.promise("contracts:sarif")
def test_every_report_validates_against_the_published_schema() -> None:
    validator = sarif_validator()
    located = ContractReport(
        "x", Diff(CHANGES), locations=lambda entries: [FileLocation("a b%.lock", 3)] * len(entries)
    )
    for report in (sample(), hostile(), located, ContractReport("toolbooth lock", verdict="it fits")):
        validator.validate(json.loads(render(report, "sarif")))
    with pytest.raises(Exception, match="is not one of"):
        validator.validate({"version": "2.0", "runs": []})


def test_levels_follow_severity() -> None:
    assert [result["level"] for result in run(ContractReport("x", Diff(CHANGES)))["results"]] == [
        *("error", "warning", "note", "warning")
    ]
    assert [result["level"] for result in run(ContractReport("x", findings=FINDINGS))["results"]] == [
        *("error", "note", "note")
    ]


def test_a_result_points_to_its_rule_and_the_rule_has_a_sentence() -> None:
    found = run(sample())
    rules = found["tool"]["driver"]["rules"]
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    sentences = {rule["id"]: rule["shortDescription"]["text"] for rule in rules}
    assert sentences["tool-removed"] == RULES["tool-removed"].sentence
    assert "{" not in "".join(sentences.values())


def test_rules_of_the_scan_are_security_with_a_score() -> None:
    from toolbooth.contracts import Finding

    findings = tuple(Finding(rule.id, rule.level, "s", "t", "", "m") for rule in scan_rules())
    for rule in run(ContractReport("x", findings=findings))["tool"]["driver"]["rules"]:
        assert rule["properties"]["tags"] == ["security"]
        assert 0 < float(rule["properties"]["security-severity"]) < 10


def test_a_location_is_a_relative_path_with_a_line() -> None:
    report = ContractReport(
        "x",
        Diff(CHANGES[:2]),
        locations=lambda _entries: [FileLocation("a b/ü.lock", 3), FileLocation("/etc/x.lock")],
    )
    first, second = (result["locations"][0] for result in run(report)["results"])
    assert first["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/%C3%BC.lock"},
        "region": {"startLine": 3},
    }
    assert first["logicalLocations"] == [
        {"name": "drop", "kind": "function", "fullyQualifiedName": "mail.drop"}
    ]
    assert second["physicalLocation"] == {"artifactLocation": {"uri": "file:///etc/x.lock"}}


def test_fingerprints_identify_the_subject_and_are_unique() -> None:
    def prints(report: ContractReport) -> list[str]:
        return [result["partialFingerprints"]["toolbooth/v1"] for result in run(report)["results"]]

    moved = ContractReport(
        "y", Diff(CHANGES), locations=lambda entries: [FileLocation("x", 9)] * len(entries)
    )
    assert prints(ContractReport("x", Diff(CHANGES))) == prints(moved)
    assert len(set(prints(ContractReport("x", Diff(CHANGES * 2))))) == 2 * len(CHANGES)


def test_a_server_that_could_not_be_asked_is_not_a_success() -> None:
    invocation = run(sample())["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 1
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error", "note"]


def test_no_text_is_a_link_or_a_placeholder() -> None:
    text = json.dumps(run(hostile()), ensure_ascii=False)
    assert "](" not in text
    assert "{0}" not in text
    assert "\x1b" not in text.encode().decode("unicode_escape", "replace")
    assert UGLY not in text


def test_results_beyond_the_limit_of_code_scanning_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_SARIF_RESULTS", 3)
    found = run(ContractReport("x", Diff(CHANGES)))
    assert len(found["results"]) == 3
    reported = found["invocations"][0]["toolExecutionNotifications"]
    assert reported == [
        {"level": "warning", "message": {"text": "1 more results are left out: --format json has all"}}
    ]
