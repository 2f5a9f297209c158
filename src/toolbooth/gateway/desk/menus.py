"""A `tools/list` → its row: what was sent, beside the menus of all servers that it stands for.

Both sides are counted or neither. A session's first list is counted; a later one is written down and in no sum,
since the model has read the menu already.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolbooth.gateway.account import Account
from toolbooth.gateway.caller import Session
from toolbooth.gateway.ledger.answered import Menu
from toolbooth.gateway.ledger.row import LIST, MENU, OWN
from toolbooth.gateway.view import View
from toolbooth.limits import MENU_WAIT


def enter_menu(view: View, session: Session, shown: Sequence[Mapping[str, Any]]) -> None:
    """Servers that are still starting are waited for in the background: a client without us would have their tools."""
    gateway = view.gateway
    account = Account(gateway.ledger, session.id, OWN, "tools/list")
    sent = view.sent(shown)
    if session.menu_counted:
        account.kind = LIST
        account.close(sent)
        return
    session.menu_counted = True
    account.kind, account.ms = MENU, 0.0
    if gateway.backends.keys() <= gateway.book.servers.keys():
        _close(view, session, account, sent)
    else:
        gateway.spawn(_close_later, view, session, account, sent)


async def _close_later(view: View, session: Session, account: Account, sent: Menu) -> None:
    try:
        await view.gateway.known(MENU_WAIT)
    finally:  # a client that leaves at once has its row, too
        _close(view, session, account, sent)


def _close(view: View, session: Session, account: Account, sent: Menu) -> None:
    account.before = view.replaced(session)
    if account.before is None:
        account.kind = LIST  # of no server anything is known: there is nothing to set it against
    account.close(sent)
