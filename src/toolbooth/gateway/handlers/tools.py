"""`tools/list` with its row in the ledger, and `tools/call`, which is a pipeline of its own.

The row of a list has what was sent beside the menus of all servers that it replaces: both are counted or
neither. A session's first list is counted; a later one is recorded but not summed, since the model has read
the menu already.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolbooth import limits, store
from toolbooth.gateway import methods
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.menu_call import run_call
from toolbooth.gateway.calls.record import CallRecord, new_record
from toolbooth.gateway.handlers.merged_lists import listed
from toolbooth.gateway.ledger.ledger import Menu
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.surfaces.view import View


def record_menu(view: View, caller: Caller, shown: Sequence[Mapping[str, Any]]) -> None:
    """Wait in the background for servers that are still starting: a client without us would have their tools."""
    gateway, session = view.gateway, caller.session
    record = new_record(gateway, caller, store.BUILTIN_SERVER, "tools/list")
    sent = view.sent(shown)
    if session.menu_counted:
        record.kind = store.LIST
        record.close(sent)
        return
    session.menu_counted = True
    record.kind, record.ms = store.MENU, 0.0
    if view.upstreams.keys() <= view.registry.servers.keys():
        _close(view, session, record, sent)
    else:
        gateway.spawn(_close_later, view, session, record, sent)


async def _close_later(view: View, session: Session, record: CallRecord, sent: Menu) -> None:
    try:
        await view.gateway.known(limits.MENU_WAIT)
    finally:  # a client that leaves at once has its row, too
        _close(view, session, record, sent)


def _close(view: View, session: Session, record: CallRecord, sent: Menu) -> None:
    record.before = view.replaced(session)
    if record.before is None:
        record.kind = store.LIST  # no server is known: there is nothing to compare it with
    record.close(sent)


@methods.answers("tools/list")
async def list_tools(view: View, caller: Caller, params: methods.Params) -> methods.Result:  # noqa: ARG001
    """The whole menu at once; if upstream tools are in it, new servers get a moment to list theirs."""
    if view.changes:
        await view.gateway.ready(caller.session)
        await view.prepare()
    hidden = {
        name for name, tool in view.surface.tools.items() if not view.gateway.shows(tool, caller.session)
    }
    menu = view.tools(legacy=not caller.modern)
    shown = [each for each in menu if each["name"] not in hidden] if hidden else menu
    record_menu(view, caller, shown)
    return listed(caller, "tools", shown)


@methods.answers("tools/call")
async def call_tool(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Call a tool of the menu."""
    return await run_call(CallContext.of_request(view, caller, params))
