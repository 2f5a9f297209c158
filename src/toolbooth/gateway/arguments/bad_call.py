"""A tool and the problems of a call → the text that an agent gets instead of an answer."""

from collections.abc import Sequence

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments.problem import Problem
from toolbooth.safetext import for_terminal

SHOWN_PROBLEMS = 6  # more would not be read before the next try


def explain_bad_call(tool: Tool, problems: Sequence[Problem], name: str = "") -> str:
    """A line a problem, then the signature that the next call can be written from, under the name that was called."""
    from toolbooth.search import signature  # brings numpy, which a daemon need not import before it answers

    lines = [f"- {problem.message}" for problem in problems[:SHOWN_PROBLEMS]]
    hidden = len(problems) - SHOWN_PROBLEMS
    if hidden > 0:
        lines.append(f"- …+{hidden}")
    called = signature(tool)
    shown = f"{for_terminal(name)}({called.partition('(')[2]}" if name else called
    return "\n".join(("Not called:", *lines, f"Call it as {shown}"))
