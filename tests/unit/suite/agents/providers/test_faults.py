"""How long a provider asks to wait."""

from datetime import UTC, datetime

import pytest

from toolbooth.suite.agents.providers.faults import wait_asked_for

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Thu Jan  1 12:00:30 2026"}, 30.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "later"}, None),
    ],
)
def test_the_wait_is_read_in_all_its_spellings(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_asked_for(headers, NOW) == seconds
