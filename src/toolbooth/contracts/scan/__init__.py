"""The scan: texts in definitions that attack models, such as hidden characters and injected instructions."""

from toolbooth.contracts.scan.lookalikes import visible, without_hidden
from toolbooth.contracts.scan.scanner import scan, scan_rules

__all__ = ["scan", "scan_rules", "visible", "without_hidden"]
