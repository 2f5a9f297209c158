"""Prompts of the gateway and of all servers, under names that show whose they are."""

from collections.abc import Mapping
from typing import NamedTuple

from toolbooth import errors
from toolbooth.gateway.builtin_resources import PROMPTS, BuiltinPrompt, entries
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.calls.upstream_call import pass_through, passed_on
from toolbooth.gateway.handlers.merged_lists import gather, listed
from toolbooth.gateway.methods import Params, Result, answers
from toolbooth.gateway.session import INVALID_PARAMS, Caller, Refusal, refusal_of
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream

SEPARATOR = "__"


class OwnedPrompt(NamedTuple):
    """A prompt's server, and its name there."""

    upstream: Upstream
    name: str


@answers("prompts/list")
async def list_prompts(view: View, caller: Caller, params: Params) -> Result:
    """Built-in prompts, then every server's. A single server keeps its names, and hides built-ins of the same name."""
    found = await gather(view, caller, "prompts", "prompts/list", "prompts", params)
    if view.gateway.single is not None:
        taken = [each.item.get("name") for each in found]
        free = {name: prompt for name, prompt in PROMPTS.items() if name not in taken}
        return listed(caller, "prompts", [*entries(free), *(each.item for each in found)])
    named = [
        {**each.item, "name": f"{each.upstream.name}{SEPARATOR}{each.item.get('name')}"} for each in found
    ]
    return listed(caller, "prompts", [*entries(PROMPTS), *named])


@answers("prompts/get")
async def get(view: View, caller: Caller, params: Params) -> Result:
    """A built-in prompt is answered here, any other is fetched from its server."""
    ours = await builtin_prompt(view, caller, params.get("name"))
    if ours is not None:
        return await _built_in_answer(view, caller, ours, params.get("arguments"))
    owned = owner_of_prompt(view, params.get("name"))
    given = {} if params.get("arguments") is None else {"arguments": params["arguments"]}
    passed = passed_on(params, name=owned.name, **given)
    try:
        return await pass_through(view.gateway.suspended_calls, owned.upstream, caller, "prompts/get", passed)
    except errors.BackendFault as fault:
        raise refusal_of(fault) from None


async def builtin_prompt(view: View, caller: Caller, name: object) -> BuiltinPrompt | None:
    """The built-in prompt of this name, unless the only server has one of the same name."""
    prompt = PROMPTS.get(name) if isinstance(name, str) else None
    single = view.gateway.single
    if (
        prompt is None
        or single is None
        or "prompts" not in (view.gateway.capabilities.get(single.name) or {})
    ):
        return prompt
    theirs = await gather(view, caller, "prompts", "prompts/list", "prompts", {})
    return None if any(each.item.get("name") == name for each in theirs) else prompt


async def _built_in_answer(view: View, caller: Caller, prompt: BuiltinPrompt, given: object) -> Result:
    try:
        text = await prompt.say(view, caller.session, given if isinstance(given, Mapping) else {})
    except errors.WrongArguments as mistake:
        raise Refusal(INVALID_PARAMS, str(mistake)) from None
    message = {"role": "user", "content": {"type": "text", "text": text}}
    result = ToolResult({"description": prompt.description, "messages": [message]})
    return result.for_version(caller.modern)


def owner_of_prompt(view: View, name: object) -> OwnedPrompt:
    """The server that the name of a prompt refers to."""
    if isinstance(name, str):
        if view.gateway.single is not None:
            return OwnedPrompt(view.gateway.single, name)
        for server in sorted(view.gateway.upstreams, key=len, reverse=True):  # `a__b` before `a`
            if name.startswith(server + SEPARATOR):
                return OwnedPrompt(view.gateway.upstreams[server], name.removeprefix(server + SEPARATOR))
    raise Refusal(INVALID_PARAMS, f"Unknown prompt: {name}")
