"""Which surface a client on stdio gets, and when that is decided."""

from pathlib import Path

import pytest
from tests.unit.gateway.surfaces.test_view import gateway

from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, ClientIdentity
from toolbooth.gateway.surfaces.auto_view import AutoView
from toolbooth.gateway.transports.stdio import StdioTransport

pytestmark = pytest.mark.anyio


@pytest.mark.promise("auto:kept")
async def test_a_greeting_of_nobody_does_not_choose_for_the_client_that_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(tmp_path) as made:
        view = AutoView(made)
        named: list[object] = []

        def noted(identity: ClientIdentity, *_more: object) -> str:
            named.append(identity.info.get("name"))
            return "search" if identity is nobody else "direct"

        nobody, somebody = ClientIdentity(TOOLBOOTH_IDENTITY.info, {}), ClientIdentity({"name": "x"}, {})
        monkeypatch.setattr(view, "surface_for", noted)
        transport = StdioTransport(view, None)
        with transport._to_sdk, transport._for_sdk:
            pass
        assert [transport._choose(each) for each in (nobody, somebody, nobody)] == [
            "search",
            "direct",
            "direct",
        ]
        assert len(named) == 2
