"""The prompt `discover`: how to work with this gateway, and which servers there are."""

from collections.abc import Mapping

from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.overview import how_text, servers_text
from toolbooth.gateway.own.prompt import OwnPrompt
from toolbooth.gateway.view import View, no_servers

_HABIT = "Before you say that something cannot be done, search for a tool."


async def _say(view: View, _session: Session, _given: Mapping[str, str]) -> str:
    if not view.gateway.backends:
        return no_servers(view.gateway)
    habit = [_HABIT] if "search_tools" in view.surface.jobs else []
    return "\n\n".join(["These tools are within reach.", servers_text(view), how_text(view), *habit])


DISCOVER = OwnPrompt(
    "discover", "Discover the tools", "Which servers are here, what each is for, how to use them.", _say
)
