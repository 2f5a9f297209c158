"""One line of `expect` × what was found → a check that passed, failed, or was skipped and says why."""

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolbooth.suite.matchers import Matcher
from toolbooth.suite.matchers.registry import Fits
from toolbooth.suite.redacted import REDACTED
from toolbooth.suite.verdict import Check

_SHOWN = 200  # characters of an argument; a report is read by people


class Absent(NamedTuple):
    """There is no such figure. One that no agent could have given is skipped, all else fails."""

    why: str
    skip: bool = False


_TAKEN_OUT = "what looks like a secret was taken out of it"
FREE = Absent("the runs were free, or nobody told their cost", skip=True)
NOTHING_RIGHT = Absent("nothing was selected correctly, so there is no figure for each right choice")


@dataclass(frozen=True)
class Assertion:
    """What is wanted of one target; compiled when the suite is loaded."""

    target: str
    matcher: Matcher
    argument: Any = field(hash=False)
    fits: Fits = field(repr=False, compare=False)

    @property
    def wanted(self) -> str:
        """As a person would say it: `>= 80`."""
        text = (
            self.argument if isinstance(self.argument, str) else json.dumps(self.argument, ensure_ascii=False)
        )
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        return f"{self.matcher.name} {shown}"

    def check(self, found: Any) -> Check:
        """Judge one value, or the lack of one."""
        if isinstance(found, Absent):
            return Check(self.target, self.wanted, None, "skipped" if found.skip else "failed", found.why)
        if self.fits(found):
            return Check(self.target, self.wanted, found)
        return Check(self.target, self.wanted, found, "failed", _TAKEN_OUT if REDACTED in str(found) else "")
