"""Every call → one row of what it took and what it cost, and accounts of all rows: never of what was said."""

from toolbooth.gateway.ledger.ledger import EndedCall, Ledger
from toolbooth.gateway.ledger.row import Row
from toolbooth.gateway.ledger.stats import Stats

__all__ = ["EndedCall", "Ledger", "Row", "Stats"]
