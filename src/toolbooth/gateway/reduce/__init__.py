"""Answers → what an agent needs of them, while nothing is lost."""

from toolbooth.gateway.reduce.pipeline import Keep, Reduced, Wish, reduced

__all__ = ["Keep", "Reduced", "Wish", "reduced"]
