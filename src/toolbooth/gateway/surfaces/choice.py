"""Which surface `auto` shows a client: `direct` while its model would carry little, and `search` beyond that.

What a model carries with every call are the definitions of all tools. Of a client that defers tools and cannot be told
otherwise it is their names alone; there, our own three tools would be deferred, too, and one more search be needed to
find them.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from toolbooth import catalog, figures, limits, tokens
from toolbooth.gateway.tool_registry import ToolRegistry

ENOUGH: Final = limits.WORTH_A_GATEWAY  # tokens beyond which neither figure needs to be exact
_LOADS: Final = "; its own tool search is on, and `wrap` has it load what the gateway shows at once"
_SHOWN: Final = "mcp__toolbooth__{}\n"  # a deferred tool, as clients list it


class CatalogWeight(NamedTuple):
    """Tokens of a catalog's tools, and of their names alone; and how many servers it has.

    While the tools of some servers are `unknown`, the figures are too low.
    """

    tools: int
    names: int
    servers: int = 1
    unknown: int = 0


class SurfaceChoice(NamedTuple):
    """A surface, and why it is the right one."""

    surface: str
    reason: str


def choose_surface(
    profile: catalog.ClientProfile, weight: CatalogWeight, version: object = None
) -> SurfaceChoice:
    """The surface for a client of this version (None: a current one), by what its model would carry."""
    if not weight.servers:
        return SurfaceChoice("search", "there is no server yet")
    if weight.unknown:
        return SurfaceChoice("search", f"the tools of {_servers(weight.unknown)} are not known yet")
    if profile.defers(version):
        why = "; it defers tools, ours too, and searches them itself"
        return _by(weight.names, limits.LIGHT_NAMES, "of tools' names", why)
    return _by(
        weight.tools,
        limits.WORTH_A_GATEWAY,
        "of tools",
        _LOADS if profile.searches and profile.loading else "",
    )


def _by(carried: int, most: int, what: str, why: str) -> SurfaceChoice:
    counted = f"{figures.counted(carried, 'token')} {what}"
    if carried <= most:
        return SurfaceChoice("direct", f"{counted}, at most {figures.number(most)}{why}")
    return SurfaceChoice("search", f"{counted}, over {figures.number(most)}{why}")


def _servers(number: int) -> str:
    return figures.counted(number, "server")


def weigh_catalog(registry: ToolRegistry, most: int | None = None) -> CatalogWeight:
    """What the tools of a registry cost, as `doctor` counts them. Beyond `most` tokens, counting stops.

    Nothing is built for it: to slim 3,000 tools and make their names unique takes a while, and a client waits.
    """
    tools = registry.catalog.tools
    names = (tokens.count(_SHOWN.format(f"{tool.server}__{tool.name}")) for tool in tools)
    whole = (tokens.weigh([tool]).total_tokens for tool in tools)
    unknown = sum(server not in registry.servers for server in registry.configured)
    return CatalogWeight(_sum(whole, most), _sum(names, most), len(registry.configured), unknown)


def _sum(parts: Iterable[int], most: int | None) -> int:
    total = 0
    for each in parts:
        total += each
        if most is not None and total > most:
            break
    return total
