"""Ranked ids + relevance of ids → one number a metric, each in its own file."""

from toolbooth.bench.metrics.gains import RELEVANT, Relevance
from toolbooth.bench.metrics.map import average_precision
from toolbooth.bench.metrics.mrr import first_relevant_rank, reciprocal_rank
from toolbooth.bench.metrics.ndcg import ndcg_at_k
from toolbooth.bench.metrics.recall import recall_at_k, recall_curve

__all__ = [
    "RELEVANT",
    "Relevance",
    "average_precision",
    "first_relevant_rank",
    "ndcg_at_k",
    "recall_at_k",
    "recall_curve",
    "reciprocal_rank",
]
