"""Catalog + questions → report."""

from toolbooth.bench.bootstrap import Comparison, Interval, bootstrap_mean, compare_paired
from toolbooth.bench.golden import GoldenSet, Label, Question, catalog_id, load_golden, read_golden
from toolbooth.bench.score import KS, Metrics, Row, Scores, Search, score

__all__ = [
    "KS",
    "Comparison",
    "GoldenSet",
    "Interval",
    "Label",
    "Metrics",
    "Question",
    "Row",
    "Scores",
    "Search",
    "bootstrap_mean",
    "catalog_id",
    "compare_paired",
    "load_golden",
    "read_golden",
    "score",
]
