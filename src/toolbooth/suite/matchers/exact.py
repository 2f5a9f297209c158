"""`exact`: the very same value."""

from typing import Any

from toolbooth.suite.matchers.registry import Fits, matcher
from toolbooth.suite.matchers.same import same


@matcher("exact", "The very same value.", {})
def compile_exact(argument: Any) -> Fits:
    """At every depth."""
    return lambda found: same(found, argument)
