"""A line such as `f1>=80` → an assertion on one figure of a score."""

import re
from difflib import get_close_matches
from typing import Final

from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.assertion import Assertion
from toolbooth.suite.matchers import MATCHERS

# A suite's full names are understood, too.
_LINE: Final = re.compile(
    r"\s*(?:tool_selection\.|token_efficiency\.)?(?P<target>[a-z0-9_]+)\s*(?P<sign>>=|<=|==|!=|>|<)"
    r"\s*(?P<bound>-?[0-9]{1,15}(?:\.[0-9]{1,9})?)\s*",
    re.ASCII | re.IGNORECASE,
)
FIGURES: Final = (
    "f1",
    "precision",
    "recall",
    "correct_selections",
    "tool_surface_tokens",
    "tokens_per_correct",
    "paid_tokens_per_correct",
    "cost",
    "cost_per_correct",
)


def read_expect_line(line: str) -> Assertion:
    """Raises UserMistake that says what is wrong with the line."""
    found = _LINE.fullmatch(line)
    if found is None:
        shown = for_terminal(line, 60)
        raise UserMistake(f"{shown!r} is no expectation, as in 'f1>=80' or 'tokens_per_correct<500'")
    target = found["target"].lower()
    if target not in FIGURES:
        near = get_close_matches(target, FIGURES, n=1)
        help_ = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(FIGURES)}"
        raise UserMistake(f"nothing is called {for_terminal(target, 40)!r}; {help_}")
    bound = float(found["bound"]) if "." in found["bound"] else int(found["bound"])
    matcher = MATCHERS[found["sign"]]
    return Assertion(target, matcher, bound, matcher.compile(bound))
