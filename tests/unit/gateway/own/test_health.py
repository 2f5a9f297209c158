"""How the gateway is, in the words of the health check over HTTP."""

import json

import pytest
from tests.unit.gateway.own.street import Street

pytestmark = pytest.mark.anyio


async def test_health_has_the_rows_of_the_status(street: Street) -> None:
    health = json.loads(await street.read("health"))
    assert health["status"] == "ok"
    assert health["servers"] == street.view.gateway.status()
    assert (health["sessions"], health["notes"]) == (0, [])
