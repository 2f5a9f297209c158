"""Prompts of all servers, under names that tell whose they are."""

from typing import NamedTuple

from toolbooth.errors import BackendFault
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.lists import gather, listed
from toolbooth.gateway.desk.questions import carry_out, passed_on
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.refusal import INVALID_PARAMS, Refusal, refusal_of
from toolbooth.gateway.view import View

SEPARATOR = "__"


class Owned(NamedTuple):
    """A prompt's server, and its name there."""

    backend: Backend
    name: str


@answers("prompts/list")
async def list_prompts(view: View, caller: Caller, params: Params) -> Result:
    """Every server's prompts; with one server alone the names stay as they are."""
    found = await gather(view, caller, "prompts", "prompts/list", "prompts", params)
    if view.gateway.single is not None:
        return listed(caller, "prompts", [each.item for each in found])
    named = [
        {**each.item, "name": f"{each.backend.name}{SEPARATOR}{each.item.get('name')}"} for each in found
    ]
    return listed(caller, "prompts", named)


@answers("prompts/get")
async def get(view: View, caller: Caller, params: Params) -> Result:
    """Fetch a prompt from its server."""
    owned = owner_of_prompt(view, params.get("name"))
    given = {} if params.get("arguments") is None else {"arguments": params["arguments"]}
    passed = passed_on(params, name=owned.name, **given)
    try:
        return await carry_out(view.gateway.parking, owned.backend, caller, "prompts/get", passed)
    except BackendFault as fault:
        raise refusal_of(fault) from None


def owner_of_prompt(view: View, name: object) -> Owned:
    """Which server a name of a prompt leads to."""
    if isinstance(name, str):
        if view.gateway.single is not None:
            return Owned(view.gateway.single, name)
        for server in sorted(view.gateway.backends, key=len, reverse=True):  # `a__b` before `a`
            if name.startswith(server + SEPARATOR):
                return Owned(view.gateway.backends[server], name.removeprefix(server + SEPARATOR))
    raise Refusal(INVALID_PARAMS, f"Unknown prompt: {name}")
