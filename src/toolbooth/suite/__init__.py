"""YAML → pass or fail: suites of agents with gates on selection, tokens and dollars."""

from toolbooth.suite.efficiency import Efficiency, token_efficiency
from toolbooth.suite.selection import Selection, score_selection

__all__ = ["Efficiency", "Selection", "score_selection", "token_efficiency"]
