"""Reduction: a result is cut to what an agent needs of it, and the rest stays readable."""

from toolbooth.gateway.reduce.answer import Fitted, fit, only_capped, text_of
from toolbooth.gateway.reduce.pipeline import Keep, Reduced, ReduceOptions, reduced

__all__ = ["Fitted", "Keep", "ReduceOptions", "Reduced", "fit", "only_capped", "reduced", "text_of"]
