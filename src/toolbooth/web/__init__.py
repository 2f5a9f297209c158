"""Finished reports → pages for people; nothing is measured here."""

from toolbooth.web.bench_page import bench_page, partial_reasons, title_of
from toolbooth.web.digits import percent

__all__ = ["bench_page", "partial_reasons", "percent", "title_of"]
