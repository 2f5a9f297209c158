"""A tool and the problems of a call → the text that an agent gets instead of an answer."""

from collections.abc import Sequence

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments.problem import Problem

SHOWN_PROBLEMS = 6  # more would not be read before the next try


def explain_bad_call(tool: Tool, problems: Sequence[Problem]) -> str:
    """A line a problem, then the signature that the next call can be written from."""
    from toolbooth.search import (
        signature,  # with it comes numpy, which a daemon need not import before it answers
    )

    lines = [f"- {problem.message}" for problem in problems[:SHOWN_PROBLEMS]]
    hidden = len(problems) - SHOWN_PROBLEMS
    if hidden > 0:
        lines.append(f"- …+{hidden}")
    return "\n".join(("Not called:", *lines, f"Call it as {signature(tool)}"))
