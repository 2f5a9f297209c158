"""Benchmarks: tokens, retrieval, latency and growth of a catalog or a running endpoint, as one report."""

from toolbooth.bench.bootstrap import Interval, bootstrap_mean, bootstrap_means, sign_flip
from toolbooth.bench.corpus import (
    Corpus,
    Pair,
    builtin_corpus,
    builtin_golden,
    load_corpus,
    pair,
    read_corpus,
)
from toolbooth.bench.golden import GoldenQuestion, GoldenSet, Label, catalog_id, load_golden, read_golden
from toolbooth.bench.queries import queries_of
from toolbooth.bench.score import (
    KS,
    MEASURES,
    Metrics,
    QuestionScore,
    Scores,
    SearchFunction,
    score,
    score_answers,
)

__all__ = [
    "KS",
    "MEASURES",
    "Corpus",
    "GoldenQuestion",
    "GoldenSet",
    "Interval",
    "Label",
    "Metrics",
    "Pair",
    "QuestionScore",
    "Scores",
    "SearchFunction",
    "bootstrap_mean",
    "bootstrap_means",
    "builtin_corpus",
    "builtin_golden",
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
