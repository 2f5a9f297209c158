"""Completion of an argument: by the server that owns the prompt or the template."""

from collections.abc import Mapping
from typing import Any

from toolbooth.errors import BackendFault
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.prompts import owner_of_prompt
from toolbooth.gateway.desk.questions import carry_out, passed_on
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.desk.resources import list_templates, owners
from toolbooth.gateway.refusal import INVALID_PARAMS, Refusal, refusal_of
from toolbooth.gateway.view import View


@answers("completion/complete")
async def complete(view: View, caller: Caller, params: Params) -> Result:
    """Ask the owner of what is being completed."""
    ref = params.get("ref")
    if not isinstance(ref, Mapping):
        raise Refusal(INVALID_PARAMS, "ref is missing")
    backend, there = await _owner(view, caller, ref)
    named = {key: params[key] for key in ("argument", "context") if key in params}
    try:
        return await carry_out(
            view.gateway.parking,
            backend,
            caller,
            "completion/complete",
            passed_on(params, ref=there, **named),
        )
    except BackendFault as fault:
        raise refusal_of(fault) from None


async def _owner(view: View, caller: Caller, ref: Mapping[str, Any]) -> tuple[Backend, Mapping[str, Any]]:
    if ref.get("type") == "ref/prompt":
        owned = owner_of_prompt(view, ref.get("name"))
        return owned.backend, {**ref, "name": owned.name}
    uri = str(ref.get("uri"))
    gateway = view.gateway
    if uri not in gateway.templates and gateway.single is None:
        await list_templates(view, caller, {})
    name = gateway.templates.get(uri)
    if name in gateway.backends:
        return gateway.backends[str(name)], ref
    found = await owners(view, caller, uri)
    if not found:
        raise Refusal(INVALID_PARAMS, f"nothing is known of {uri}")
    return found[0], ref
