"""Finished reports → pages for people; nothing is measured here."""

from toolbooth.web.bench_page import bench_page

__all__ = ["bench_page"]
