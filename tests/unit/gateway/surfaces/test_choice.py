"""The rule of `auto`: what a client's model would carry decides, and who the client is decides what that is."""

from collections.abc import Iterable

import pytest

from toolbooth.catalog import PROFILES, UNKNOWN_CLIENT, ClientProfile, ServerTools, Tool, profile_named
from toolbooth.gateway.surfaces import CatalogWeight, choose_surface, weigh_catalog
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import WORTH_A_GATEWAY
from toolbooth.tokens import weigh

LIGHT = CatalogWeight(tools=1_000, names=60)
HEAVY = CatalogWeight(tools=1_001, names=60)
FEW_NAMES = CatalogWeight(tools=5_000, names=310)
HUGE = CatalogWeight(tools=90_000, names=311)
CLAUDE = next(each for each in PROFILES if each.key == "claude-code")
DEFERS = ClientProfile("x", "X", searches=True)  # and no key of its config loads a server's tools


@pytest.mark.promise("auto:rule")
@pytest.mark.parametrize(
    ("profile", "version", "weight", "surface"),
    [
        (UNKNOWN_CLIENT, "1", LIGHT, "direct"),
        (UNKNOWN_CLIENT, "1", HEAVY, "search"),
        (CLAUDE, "2.1.197", LIGHT, "direct"),
        (CLAUDE, "2.1.197", HEAVY, "search"),
        (CLAUDE, "2.1.121", HEAVY, "search"),
        (CLAUDE, None, HEAVY, "search"),
        (CLAUDE, "dev", HEAVY, "search"),
        (CLAUDE, "2.1.120", HEAVY, "direct"),  # it reads no `alwaysLoad`: it defers our three tools, too
        (CLAUDE, "2.1.120", FEW_NAMES, "direct"),
        (CLAUDE, "2.1.120", HUGE, "search"),
        (DEFERS, "1", HEAVY, "direct"),
        (DEFERS, "1", HUGE, "search"),
        (UNKNOWN_CLIENT, "1", LIGHT._replace(servers=3, unknown=1), "search"),
        (CLAUDE, "2.1.120", LIGHT._replace(servers=3, unknown=1), "search"),
        (UNKNOWN_CLIENT, "1", CatalogWeight(0, 0), "direct"),
        (UNKNOWN_CLIENT, "1", CatalogWeight(0, 0, servers=0), "search"),
    ],
)
def test_what_a_model_would_carry_decides(
    profile: ClientProfile, version: str | None, weight: CatalogWeight, surface: str
) -> None:
    assert choose_surface(profile, weight, version).surface == surface


@pytest.mark.promise("auto:rule")
def test_every_client_that_wrap_can_tell_to_load_the_menu_is_chosen_for_by_its_tools() -> None:
    for each in PROFILES:
        if each.loading:
            assert choose_surface(each, HEAVY).surface == "search"
            assert choose_surface(each, LIGHT).surface == "direct"


@pytest.mark.parametrize(
    ("key", "weight", "reason"),
    [
        (
            "claude-code",
            HUGE,
            "90,000 tokens of tools, over 1,000; its own tool search is on, and `wrap` has it load what the gateway "
            "shows at once",
        ),
        ("gemini", LIGHT, "1,000 tokens of tools, at most 1,000"),
        ("gemini", HUGE, "90,000 tokens of tools, over 1,000"),
        ("codex", LIGHT._replace(unknown=1), "the tools of 1 server are not known yet"),
        ("codex", LIGHT._replace(servers=0), "there is no server yet"),
    ],
)
def test_the_reason_says_the_figure_and_its_limit(key: str, weight: CatalogWeight, reason: str) -> None:
    profile = profile_named(key)
    assert profile is not None
    assert choose_surface(profile, weight).reason == reason


def test_the_reason_of_a_client_that_defers_names_the_names() -> None:
    assert choose_surface(DEFERS, HEAVY).reason == (
        "60 tokens of tools' names, at most 310; it defers tools, ours too, and searches them itself"
    )


def registry_of(configured: Iterable[str], **servers: int) -> ToolRegistry:
    registry = ToolRegistry(configured)
    for server, count in servers.items():
        raw = ({"name": f"tool_{at}", "inputSchema": {"type": "object"}} for at in range(count))
        registry.put(ServerTools(server, tuple(Tool.from_raw(server, each) for each in raw)))
    return registry


def test_the_weight_is_what_doctor_counts() -> None:
    registry = registry_of(["a", "b"], a=3, b=200)
    found = weigh_catalog(registry)
    assert found.tools == weigh(registry.catalog).total_tokens
    assert (found.servers, found.unknown) == (2, 0)
    assert found.names > 0


def test_servers_that_have_not_listed_their_tools_are_counted() -> None:
    assert weigh_catalog(registry_of(["a", "b", "c"], a=3))[2:] == (3, 2)


def test_counting_stops_where_the_answer_is_known() -> None:
    registry = registry_of(["a"], a=3_000)
    whole, some = weigh_catalog(registry), weigh_catalog(registry, WORTH_A_GATEWAY)
    assert WORTH_A_GATEWAY < some.tools < WORTH_A_GATEWAY + 100 < whole.tools
    assert WORTH_A_GATEWAY < some.names < WORTH_A_GATEWAY + 100 < whole.names
