"""The view of `auto`: a surface for each client, of what exists for its principal, and the same until it leaves."""

from pathlib import Path

import pytest
from tests.unit.gateway.surfaces.test_view import gateway, offer
from tests.unit.gateway.test_scope import SOMEONE, Allows

from toolbooth.access import LOCAL_USER
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.auto_view import AutoView

pytestmark = pytest.mark.anyio
SOMEBODY = ClientIdentity({"name": "somebody", "version": "1"}, {})
MANY = [f"tool_{number}" for number in range(200)]


@pytest.mark.promise("auto:rule")
async def test_the_surface_follows_the_tools_for_those_who_come_and_for_nobody_else(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        view = AutoView(made)
        assert view.surface_for(SOMEBODY, LOCAL_USER) == "search"  # nothing is known yet
        made.registry.put(offer("a", "x"))
        assert view.surface_for(SOMEBODY, LOCAL_USER) == "direct"
        early = Session("1", "", False, SOMEBODY, surface="direct")
        made.registry.put(offer("a", *MANY))
        assert view.surface_for(SOMEBODY, LOCAL_USER) == "search"
        assert view.surface_for(SOMEBODY, LOCAL_USER, before="direct") == "direct"
        assert view.surface_for(SOMEBODY, LOCAL_USER, before="full") == "search"
        late = Session("2", "", False, SOMEBODY, surface="search")
        assert [view.shown_to(each).name for each in (early, late)] == ["direct", "search"]
        assert view.shown_to(early) is view.shown_to(early)
        assert [view.shown_to(each).changes for each in (early, late)] == [True, False]


@pytest.mark.promise("auto:rule")
async def test_what_a_principal_may_not_use_weighs_nothing_for_it(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.tool_1")
        made.registry.put(offer("a", *MANY))
        view = AutoView(made)
        assert view.surface_for(SOMEBODY, LOCAL_USER) == "search"
        assert view.surface_for(SOMEBODY, SOMEONE) == "direct"
        session = Session("1", "", False, SOMEBODY, surface="direct", principal=SOMEONE)
        assert [each["name"] for each in view.shown_to(session).tools(legacy=False)] == [
            "read_result",
            "a__tool_1",
        ]
        made.authorizer = Allows(*(f"a.{name}" for name in MANY))
        assert view.surface_for(SOMEBODY, SOMEONE) == "search"
