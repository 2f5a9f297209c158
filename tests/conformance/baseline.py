"""Verdicts and the baseline of known failures → what is newly broken, and which entry has become stale."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.conformance.suite import Verdicts

BASELINE = Path(__file__).with_name("baseline.toml")
NOT_REACHED = "the suite came to no verdict on it"

Reasons = Mapping[str, str]


class Surprise(NamedTuple):
    broken: dict[str, str]  # fails without being expected to, and why
    stale: dict[str, str]  # expected to fail but does not, and the reason that no longer holds


def expected_failures(row: str, baseline: Path = BASELINE) -> Reasons:
    entries = tomllib.loads(baseline.read_text(encoding="utf-8")).get("expected", [])
    return {entry["check"]: entry["reason"] for entry in entries if row in entry["rows"]}


def surprises(judged: Verdicts, expected: Reasons, promised: Verdicts | None = None) -> Surprise:
    """`promised` are the verdicts on the server behind: what passes there has to pass here, too."""
    failing = {check: verdict.reason for check, verdict in judged.items() if not verdict.passed}
    for check, verdict in (promised or {}).items():
        if verdict.passed and check not in judged:
            failing[check] = NOT_REACHED
    broken = {check: reason for check, reason in failing.items() if check not in expected}
    stale = {check: reason for check, reason in expected.items() if check not in failing}
    return Surprise(broken, stale)
