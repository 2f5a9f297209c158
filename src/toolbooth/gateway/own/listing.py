"""The gateway's own resources, templates and prompts, in the order in which every client sees them."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.gateway.own.discover import DISCOVER
from toolbooth.gateway.own.find_tool import FIND_TOOL
from toolbooth.gateway.own.health import HEALTH
from toolbooth.gateway.own.overview import OVERVIEW
from toolbooth.gateway.own.prompt import OwnPrompt
from toolbooth.gateway.own.recent import RECENT, RECENT_N
from toolbooth.gateway.own.resource import OwnResource
from toolbooth.gateway.own.server_status import SERVER_STATUS
from toolbooth.gateway.own.servers import SERVER, SERVERS
from toolbooth.gateway.own.stats import STATS
from toolbooth.gateway.own.tools import TOOL, TOOLS

RESOURCES: Final[Mapping[str, OwnResource]] = {
    each.uri: each for each in (OVERVIEW, SERVERS, TOOLS, RECENT, STATS, HEALTH)
}
TEMPLATES: Final[Mapping[str, OwnResource]] = {each.uri: each for each in (TOOL, SERVER, RECENT_N)}
PROMPTS: Final[Mapping[str, OwnPrompt]] = {each.name: each for each in (DISCOVER, FIND_TOOL, SERVER_STATUS)}


def entries(listed: Mapping[str, OwnResource] | Mapping[str, OwnPrompt]) -> list[dict[str, Any]]:
    """As the protocol lists them."""
    return [each.entry for each in listed.values()]
