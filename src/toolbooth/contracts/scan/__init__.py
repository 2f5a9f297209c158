"""Definitions → findings of what attacks models."""

from toolbooth.contracts.scan.lookalikes import without_hidden
from toolbooth.contracts.scan.scan import scan, scan_rules
from toolbooth.contracts.served import Source

__all__ = ["Source", "scan", "scan_rules", "without_hidden"]
