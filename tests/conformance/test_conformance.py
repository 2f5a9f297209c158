"""The official MCP conformance suite: on the fixture server, and on the gateway in front of it."""

import pytest

from tests.conformance.baseline import expected_failures, surprises
from tests.conformance.conftest import Judge

CHECKS = {"2025-11-25": 84, "2026-07-28": 152}


@pytest.mark.parametrize("spec_version", CHECKS)
def test_the_fixture_server_itself_passes_every_check(judge: Judge, spec_version: str) -> None:
    verdicts = judge("direct", spec_version)
    found = surprises(verdicts, expected_failures(f"direct {spec_version}"))
    assert (found.broken, found.stale) == ({}, {})
    assert len(verdicts) == CHECKS[spec_version]


@pytest.mark.promise("gateway:conformance")
@pytest.mark.parametrize(
    ("row", "spec_version"),
    [("gateway", "2025-11-25"), ("gateway", "2026-07-28"), ("gateway-stdio", "2025-11-25")],
)
def test_what_passes_on_a_server_passes_through_the_gateway(
    judge: Judge, row: str, spec_version: str
) -> None:
    verdicts = judge(row, spec_version)
    expected = expected_failures(f"{row} {spec_version}")
    found = surprises(verdicts, expected, promised=judge("direct", spec_version))
    assert (found.broken, found.stale) == ({}, {})
