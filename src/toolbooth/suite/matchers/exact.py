"""`exact`: the very same value."""

from typing import Any

from toolbooth.suite.matchers.registry import Fits, matcher


@matcher("exact", "The very same value.", {})
def compile_exact(argument: Any) -> Fits:
    """True and 1 are not the same here, unlike in Python."""
    return lambda found: found == argument and isinstance(found, bool) == isinstance(argument, bool)
