"""A tool of our own menu → what it does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import anyio.to_thread

from toolbooth.catalog import Tool
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.errors import BackendFault, WrongArguments
from toolbooth.gateway.account import SOME_TOOL
from toolbooth.gateway.aside import aside, size_of
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.calls import dispatch, held_back, said
from toolbooth.gateway.desk.eras import input_required
from toolbooth.gateway.desk.registry import Params, Result
from toolbooth.gateway.desk.servers import manage, servers_not_up
from toolbooth.gateway.jobs import CALL_TOOL, Call, read_call, read_chain
from toolbooth.gateway.jobs.read_result import read_wish
from toolbooth.gateway.ledger.row import OWN
from toolbooth.gateway.names import Ambiguous, Unknown, server_in
from toolbooth.gateway.reduce import Wish, fit, only_capped
from toolbooth.gateway.results import is_quick, read
from toolbooth.gateway.texts import backend_failed, not_found
from toolbooth.gateway.view import View, no_servers
from toolbooth.limits import MAX_ANSWER_TEXT, QUICK_QUERY, REDUCE_ASIDE
from toolbooth.safetext import for_terminal

Given = Mapping[str, Any]
Work = Callable[[View, Caller, Given, Params], Awaitable[Result]]


async def do_job(view: View, caller: Caller, name: str, given: Given, params: Params) -> Result:
    """Answer in words; a call that cannot be is answered with what is wrong, for the agent to mend."""
    try:
        work = _WORK.get(name)
        if work is not None:
            result = await work(view, caller, given, params)
        else:
            result = said(await _from_the_book(view, caller, name, given), modern=caller.modern)
        job = view.surface.jobs[name]
        unknown = job.unknown(given)
        return await aside(size_of(result), noted, result, [job.ignored(unknown)]) if unknown else result
    except WrongArguments as mistake:
        caller.failed(mistake)
        return said(str(mistake), modern=caller.modern, error=True)


def noted(result: Result, notes: Sequence[str]) -> Result:
    """With these lines as a block of their own; what a tool answered stays as it is."""
    if not notes or input_required(result) is not None:
        return result
    value: dict[str, Any] = result.value if isinstance(result, RawResult) else result
    content = value.get("content")
    blocks = content if isinstance(content, list) else []
    return {**value, "content": [*blocks, {"type": "text", "text": "\n".join(notes)}]}


async def _from_the_book(view: View, caller: Caller, name: str, given: Given) -> str:
    if not view.gateway.backends:
        return no_servers(view.gateway)
    await view.gateway.ready(caller.session)
    await view.gateway.book.warm()
    answer = view.surface.jobs[name].answer
    if answer is None:
        return f"{name} is not offered"
    missing = servers_not_up(view.gateway)
    wanted = given.get("server")
    if isinstance(wanted, str) and wanted in missing:
        raise WrongArguments(f"{wanted} is configured but not up: {missing[wanted]}")
    asked = given.get("query")
    size = len(asked) if isinstance(asked, str) else 0
    found = await aside(size, answer, view.gateway.book, given, quick=QUICK_QUERY)
    return "\n".join([found, *_not_searched(missing)])


def _not_searched(missing: Mapping[str, str]) -> list[str]:
    """So that nobody takes for absent what is only down."""
    shown = "; ".join(f"{server} ({why})" for server, why in tuple(missing.items())[:_SHOWN_MISSING])
    more = len(missing) - _SHOWN_MISSING
    return [f"not up, so not searched: {shown}{f' and {more} more' if more > 0 else ''}"] if missing else []


_SHOWN_MISSING = 3


async def _call_tool(view: View, caller: Caller, given: Given, params: Params) -> Result:
    call = read_call(given)
    try:
        tool = await _find(view, caller, call.name)
        if isinstance(tool, Unknown) and tool.held is not None:
            return held_back(caller, tool.held)
        if isinstance(tool, Unknown | Ambiguous):
            _ended(caller, "unknown_tool")
            return said(not_found(tool), modern=caller.modern, error=True)
        check_misplaced(tool, given)
        result = await dispatch(view, caller, tool, call.arguments, params)
    except BackendFault as fault:
        _failed(caller, fault)
        return said(backend_failed(fault), modern=caller.modern, error=True)
    if await aside(size_of(result), input_required, result) is not None or _refused_here(caller):
        return result
    wish = wish_of(view.gateway.reduction(tool.id), call)
    size = size_of(result) if isinstance(result, RawResult) else REDUCE_ASIDE  # read already: it may be long
    return await aside(size, fitted_answer, view, caller, wish, result)


def check_misplaced(tool: Tool, given: Given) -> None:
    """An argument of the tool that stands beside `arguments` would be lost, and the call another one."""
    properties = (tool.input_schema or {}).get("properties")
    lost = [key for key in CALL_TOOL.unknown(given) if isinstance(properties, Mapping) and key in properties]
    if lost:
        raise WrongArguments(f"`{for_terminal(lost[0], 60)}` belongs inside `arguments`; nothing was called")


def _failed(caller: Caller, fault: BackendFault) -> None:
    """A server that is down is the one that failed, also where its tools are not known."""
    caller.failed(fault)
    if caller.account is not None and caller.account.server == OWN and fault.server:
        caller.account.named(fault.server, SOME_TOOL)


def _refused_here(caller: Caller) -> bool:
    return caller.account is not None and caller.account.outcome == "bad_arguments"


async def _find(view: View, caller: Caller, name: str) -> Tool | Ambiguous | Unknown:
    """The tool of this name, also of a server that is not up yet; raises the fault of one that does not come up."""
    gateway = view.gateway
    tool = gateway.book.find(name)
    if isinstance(tool, Unknown):
        server = server_in(name, gateway.backends) if tool.held is None else tool.held.tool.server
        await gateway.ready(caller.session)
        if server is not None:
            await gateway.learn(server, caller.session)
        tool = gateway.book.find(name)
    return tool


def wish_of(settings: Reduction, call: Call) -> Wish:
    """What the config says of a tool, and what its call asks for."""
    changed = settings.changed(call.reduce)
    wish = Wish(changed, call.intent, call.fields)
    return wish if changed.on else only_capped(wish)


def fitted_answer(view: View, caller: Caller, wish: Wish, result: Result) -> Result:
    """An answer that is too long is kept, and shown in part; one that is short is not even read."""
    if isinstance(result, RawResult) and len(result.data) < wish.settings.over and not wish.fields:
        return result
    read: dict[str, Any] = result.value if isinstance(result, RawResult) else result
    store, session = view.gateway.results, caller.session.id
    fitted = fit(read, wish, lambda text: store.keep(text, session))
    if not fitted.steps and fitted.result is read:
        return result
    if caller.account is not None:
        caller.account.cut(read, fitted.steps)
    return fitted.result


async def _read_result(view: View, caller: Caller, given: Given, params: Params) -> Result:  # noqa: ARG001
    store, session = view.gateway.results, caller.session.id
    wish = read_wish(given, MAX_ANSWER_TEXT)
    quick = is_quick(store, wish)
    text = read(store, session, wish) if quick else await anyio.to_thread.run_sync(read, store, session, wish)
    return said(text, modern=caller.modern)


def _ended(caller: Caller, outcome: str) -> None:
    if caller.account is not None:
        caller.account.outcome = outcome


async def _call_tool_chain(view: View, caller: Caller, given: Given, params: Params) -> Result:
    from toolbooth.gateway.desk.chains import run_chain  # brings the sandbox, which most sessions do not need

    return await run_chain(view, caller, read_chain(given), params)


async def _manage_servers(view: View, caller: Caller, given: Given, params: Params) -> Result:  # noqa: ARG001
    return said(await manage(view.gateway, caller.session, given), modern=caller.modern)


_WORK: Final[Mapping[str, Work]] = {
    "call_tool": _call_tool,
    "call_tool_chain": _call_tool_chain,
    "read_result": _read_result,
    "manage_servers": _manage_servers,
}
