"""Catalog + questions → report."""

from toolbooth.bench.bootstrap import Interval, bootstrap_mean, bootstrap_means, sign_flip
from toolbooth.bench.corpus import Corpus, Pair, load_corpus, pair, read_corpus
from toolbooth.bench.golden import GoldenSet, Label, Question, catalog_id, load_golden, read_golden
from toolbooth.bench.queries import queries_of
from toolbooth.bench.score import KS, MEASURES, Metrics, Row, Scores, Search, score, score_answers

__all__ = [
    "KS",
    "MEASURES",
    "Corpus",
    "GoldenSet",
    "Interval",
    "Label",
    "Metrics",
    "Pair",
    "Question",
    "Row",
    "Scores",
    "Search",
    "bootstrap_mean",
    "bootstrap_means",
    "catalog_id",
    "load_corpus",
    "load_golden",
    "pair",
    "queries_of",
    "read_corpus",
    "read_golden",
    "score",
    "score_answers",
    "sign_flip",
]
