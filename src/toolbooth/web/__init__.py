"""HTML pages of finished reports; nothing is measured here."""

from toolbooth.figures import percent
from toolbooth.web.bench_page import bench_page, measured_tools, partial_reasons

__all__ = ["bench_page", "measured_tools", "partial_reasons", "percent"]
