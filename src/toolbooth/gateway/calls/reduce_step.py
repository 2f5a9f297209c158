"""The step of a call that shows a part of its result, for the model that reads it; the whole is kept.

What `call_tool` answers is cut as the config and the call say, and to what a client that was measured shows. The
answer of a tool that is in the menu itself is cut by the config alone, and to less than its client would turn into a
file; that of a task of a client is not cut: the rest would be kept for a session, and a task outlives it.
"""

from dataclasses import replace

from toolbooth import catalog, limits
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway import agent_texts, session
from toolbooth.gateway.builtin_tools import RequestedCall
from toolbooth.gateway.calls.client_tasks import is_task
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.offload import in_worker
from toolbooth.gateway.reduce import ReduceOptions, fit, only_capped
from toolbooth.gateway.reduce.answer import fit_apart
from toolbooth.gateway.reduce.output_shape import shape_of
from toolbooth.gateway.worker_process import WorkerLate


def as_asked(call: CallContext, asked: RequestedCall, result: ToolResult) -> ToolResult:
    """What is shown of a result."""
    settings = call.view.gateway.reduction(call.tool.id)
    if not call.menu_name:
        return reduced(call, reduce_options(call, settings, asked), result)
    if _is_short(result, settings) or not settings.cuts or is_task(call.caller.channel):
        return result
    return reduced(call, _menu_options(call, settings), result)


def reduce_options(call: CallContext, settings: Reduction, asked: RequestedCall) -> ReduceOptions:
    """The options from the config of a tool, with those of the call."""
    changed = _for_known_client(call, settings).changed(asked.reduce)
    options = ReduceOptions(changed, asked.intent, asked.fields)
    return options if changed.on else only_capped(options)


def _for_known_client(call: CallContext, settings: Reduction) -> Reduction:
    """Bounded by what a measured client shows whole, unless the tool's config says how much; so may the call."""
    name = _client_name(call)
    if settings.cap is not None or catalog.profile_of_identity(name).result_chars is None:
        return settings
    return replace(settings, max_bytes=min(settings.max_bytes, catalog.result_bytes(name)))


def _client_name(call: CallContext) -> object:
    return call.caller.client_identity.info.get("name")


def _menu_options(call: CallContext, settings: Reduction) -> ReduceOptions:
    """The options for a tool of the menu: what its client shows whole bounds them, and it may check the structure."""
    shape = shape_of(call.tool)
    if not settings.on:
        return only_capped(ReduceOptions(settings, shape=shape))
    most = catalog.result_bytes(_client_name(call))
    return ReduceOptions(replace(settings, max_bytes=min(settings.max_bytes, most)), shape=shape)


def _is_short(result: ToolResult, settings: Reduction) -> bool:
    return isinstance(result.given, RawResult) and len(result.given.data) < settings.over


def reduced(call: CallContext, options: ReduceOptions, result: ToolResult) -> ToolResult:
    """A result that is too long is kept and shown in part; a short one is not even parsed."""
    given = result.given
    if _is_short(result, options.settings) and not options.fields:
        return result
    if isinstance(given, RawResult) and len(given.data) >= limits.PROCESS_ASIDE:
        return _reduced_in_worker(call, options, result, given)
    store, owner = call.gateway.results, call.caller.session.owner
    value = result.value
    fitted = fit(value, options, lambda text: store.keep(text, owner))
    if not fitted.steps and fitted.result is value:
        return result
    call.record.cut(value, fitted.steps)
    return ToolResult(fitted.result)


def _reduced_in_worker(
    call: CallContext, options: ReduceOptions, result: ToolResult, given: RawResult
) -> ToolResult:
    """Reduce in a process without a store, and return what is to be kept."""
    try:
        fitted, kept = in_worker(fit_apart, given, options)
    except WorkerLate:
        raise session.Refusal(session.INTERNAL_ERROR, agent_texts.not_cut(call.tool.id)) from None
    for ref, text in kept.items():
        call.gateway.results.keep(text, call.caller.session.owner, ref)
    if not fitted.steps and not fitted.result:
        return result
    call.record.cut(given, fitted.steps)
    return ToolResult(fitted.result)
