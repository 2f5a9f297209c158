"""Completion of an argument, by the server that owns the prompt or the template, or by the gateway for its own."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from toolbooth import errors, safetext
from toolbooth.gateway.builtin_resources import TEMPLATES, completion, is_builtin
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.calls.upstream_call import pass_through, passed_on
from toolbooth.gateway.handlers.prompts import builtin_prompt, owner_of_prompt
from toolbooth.gateway.handlers.resources import list_templates, owners, uri_there
from toolbooth.gateway.methods import Params, Result, answers
from toolbooth.gateway.session import INVALID_PARAMS, Caller, Refusal, refusal_of
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream

Offered = Mapping[str, Callable[[], Iterable[str]]]


@answers("completion/complete")
async def complete(view: View, caller: Caller, params: Params) -> Result:
    """Ask the owner of what is being completed."""
    ref = params.get("ref")
    if not isinstance(ref, Mapping):
        raise Refusal(INVALID_PARAMS, "ref is missing")
    offered = await _own_values(view, caller, ref)
    if offered is not None:
        return ToolResult({"completion": _completed(offered, params)}).for_version(caller.modern)
    upstream, there = await _owner(view, caller, ref)
    named = {key: params[key] for key in ("argument", "context") if key in params}
    try:
        return await pass_through(
            view.gateway.suspended_calls,
            upstream,
            caller,
            "completion/complete",
            passed_on(params, ref=there, **named),
        )
    except errors.BackendFault as fault:
        raise refusal_of(fault) from None


async def _own_values(view: View, caller: Caller, ref: Mapping[str, Any]) -> Offered | None:
    """The possible values of each variable of a built-in; None if it belongs to a server."""
    if ref.get("type") == "ref/prompt":
        prompt = await builtin_prompt(view, caller, ref.get("name"))
        arguments = prompt.arguments if prompt else None
        return None if arguments is None else {each.name: partial(each.values, view) for each in arguments}
    uri = str(ref.get("uri"))
    if not is_builtin(uri):
        return None
    template = TEMPLATES.get(uri)
    if template is None:
        raise Refusal(INVALID_PARAMS, f"nothing of {safetext.for_terminal(uri)} can be completed")
    return {template.variable: partial(template.values, view)}


def _completed(offered: Offered, params: Params) -> dict[str, Any]:
    argument = params.get("argument")
    name, typed = (
        (argument.get("name"), argument.get("value")) if isinstance(argument, Mapping) else (None, None)
    )
    values = offered.get(str(name))
    if values is None or not isinstance(typed, str):
        raise Refusal(INVALID_PARAMS, f"the argument is one of: {', '.join(offered) or 'none'}")
    return completion(values(), typed)


async def _owner(view: View, caller: Caller, ref: Mapping[str, Any]) -> tuple[Upstream, Mapping[str, Any]]:
    if ref.get("type") == "ref/prompt":
        owned = owner_of_prompt(view, ref.get("name"))
        return owned.upstream, {**ref, "name": owned.name}
    uri = str(ref.get("uri"))
    gateway = view.gateway
    if uri not in gateway.uris.templates and gateway.single is None:
        await list_templates(view, caller, {})
    name = gateway.uris.templates.get(uri)
    there = {**ref, "uri": uri_there(gateway, uri)}
    if name in gateway.upstreams:
        return gateway.upstreams[str(name)], there
    found = await owners(view, caller, uri)
    if not found:
        raise Refusal(INVALID_PARAMS, f"{uri} is not known")
    return found[0], {**ref, "uri": uri_there(gateway, uri)}
