"""The growth benchmark: tokens, time and memory as a catalog grows from a few tools to 100,000."""

from toolbooth.bench.growth.measure import FIGURES, QUICK_SIZES, SEARCHES, SIZES, GrowthPlan, measure_growth

__all__ = ["FIGURES", "QUICK_SIZES", "SEARCHES", "SIZES", "GrowthPlan", "measure_growth"]
