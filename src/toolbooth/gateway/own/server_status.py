"""The prompt `server_status`: how the servers are, and what to tell the user of it."""

from collections.abc import Mapping

from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.prompt import OwnPrompt
from toolbooth.gateway.own.servers import states
from toolbooth.gateway.view import View

_TASK = "Tell me in a few words which of these servers are well, which are not, and what I can do about it."


async def _say(view: View, _session: Session, _given: Mapping[str, str]) -> str:
    return f"{_TASK}\n\n{await states(view)}"


SERVER_STATUS = OwnPrompt("server_status", "Status of the servers", "How each server is, and why.", _say)
