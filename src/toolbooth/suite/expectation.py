"""A line such as `f1>=80` → an assertion on the figures of a score."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.matchers import MATCHERS
from toolbooth.suite.verdict import Check

_LINE: Final = re.compile(
    r"\s*(?:tool_selection\.|token_efficiency\.)?(?P<target>[a-z0-9_]+)\s*(?P<sign>>=|<=|==|!=|>|<)"
    r"\s*(?P<bound>-?[0-9]{1,15}(?:\.[0-9]{1,9})?)\s*",
    re.ASCII,
)
TARGETS: Final = (
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
_FREE: Final = frozenset({"cost", "cost_per_correct"})


class Expectation(NamedTuple):
    """`target` is the last word of what a suite calls it."""

    target: str
    sign: str
    bound: float

    def check(self, figures: Mapping[str, float]) -> Check:
        """Absent since nothing was right: it fails. Absent since nothing was paid: it is skipped."""
        wanted, found = f"{self.sign} {self.bound:g}", figures.get(self.target)
        if found is not None:
            held = MATCHERS[self.sign].compile(self.bound)(found)
            return Check(self.target, wanted, found, "passed" if held else "failed")
        if self.target in _FREE and "cost" not in figures:
            return Check(self.target, wanted, None, "skipped", "no cost is told: the runs were free")
        if figures.get("correct_selections"):
            return Check(self.target, wanted, None, "skipped", "the trace does not tell it")
        return Check(self.target, wanted, None, "failed", "undefined: nothing was selected correctly")


def read_expectation(line: str) -> Expectation:
    """Raises UserMistake that says what is wrong with the line."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise UserMistake(
            f"{for_terminal(line, 60)!r} is no expectation, as in 'f1>=80' or 'tokens_per_correct<500'"
        )
    target = found["target"]
    if target not in TARGETS:
        near = get_close_matches(target, TARGETS, n=1)
        help_ = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(TARGETS)}"
        raise UserMistake(f"nothing is called {for_terminal(target, 40)!r}; {help_}")
    return Expectation(target, found["sign"], float(found["bound"]))
