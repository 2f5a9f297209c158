"""A word of `expect` and its argument → what is asked of a value, each kind in its own file."""

from toolbooth.suite.matchers import contains, exact, operators, regex, schema  # each registers itself
from toolbooth.suite.matchers.registry import MATCHERS, BadArgument, Matcher

__all__ = ["MATCHERS", "BadArgument", "Matcher", "contains", "exact", "operators", "regex", "schema"]
