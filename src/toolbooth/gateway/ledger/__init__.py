"""The ledger: one row for every call, with what it took and what it cost, and statistics of all rows. It never
stores what was said.
"""

from toolbooth.gateway.ledger.ledger import EndedCall, Ledger
from toolbooth.gateway.ledger.row import Row
from toolbooth.gateway.ledger.stats import Stats

__all__ = ["EndedCall", "Ledger", "Row", "Stats"]
