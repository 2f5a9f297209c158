"""Suites of agent tests: YAML files whose gates on tool selection, tokens and dollars pass or fail."""

from toolbooth.suite.metrics import Efficiency, Selection, score_selection, token_efficiency

__all__ = ["Efficiency", "Selection", "score_selection", "token_efficiency"]
