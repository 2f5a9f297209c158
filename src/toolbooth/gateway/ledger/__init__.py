"""The ledger: one row for every call, with what it took and what it cost, and statistics of all rows. It never
stores what was said. Calls are queued and measured here; rows are kept by `toolbooth.store`.
"""

from toolbooth.gateway.ledger.ledger import EndedCall, Ledger

__all__ = ["EndedCall", "Ledger"]
