"""Finished reports → pages for people; nothing is measured here."""

from toolbooth.web.bench_page import bench_page, measured_tools, partial_reasons
from toolbooth.web.digits import percent

__all__ = ["bench_page", "measured_tools", "partial_reasons", "percent"]
