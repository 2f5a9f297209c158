"""The baseline of known failures: nothing fails unseen, and no excuse outlives its reason."""

from pathlib import Path

import pytest

from tests.conformance.baseline import NOT_REACHED, expected_failures, surprises
from tests.conformance.suite import SCENARIO_FOLDER, Verdict

PASSED = Verdict(True, "")
FAILED = Verdict(False, "it is broken")


def test_a_failure_without_an_entry_is_broken() -> None:
    assert surprises({"a": FAILED, "b": PASSED}, {}).broken == {"a": "it is broken"}


def test_a_failure_with_an_entry_is_no_surprise() -> None:
    assert surprises({"a": FAILED}, {"a": "known"}) == ({}, {})


@pytest.mark.parametrize("judged", [{"a": PASSED}, {}], ids=["it passes", "there is no such check"])
def test_an_entry_that_no_longer_fails_is_stale(judged: dict[str, Verdict]) -> None:
    assert surprises(judged, {"a": "known"}).stale == {"a": "known"}


def test_a_promised_check_without_a_verdict_is_broken() -> None:
    assert surprises({}, {}, promised={"a": PASSED, "b": FAILED}).broken == {"a": NOT_REACHED}


def test_an_entry_holds_for_its_rows_only(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.toml"
    baseline.write_text('[[expected]]\nrows = ["direct 1"]\ncheck = "a"\nreason = "known"\n')
    assert expected_failures("direct 1", baseline) == {"a": "known"}
    assert expected_failures("gateway 1", baseline) == {}


def test_the_scenario_is_read_from_the_name_of_its_folder() -> None:
    folder = SCENARIO_FOLDER.fullmatch("server-server-sse-polling-2026-11-16T02-59-06-619Z")
    assert folder is not None
    assert folder["scenario"] == "server-sse-polling"
