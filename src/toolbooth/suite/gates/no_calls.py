"""`no_calls`: the agent calls nothing at all, or never one of these tools."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import FILLED, Items, Path, Schema, dotted
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.gates.registry import gate
from toolbooth.suite.selection import is_member
from toolbooth.suite.trace import Trace
from toolbooth.suite.verdict import Check, Verdict

NAME: Final = "no_calls"


@dataclass(frozen=True)
class NoCalls:
    """`tools` that must not be called; none means any."""

    tools: tuple[str, ...] = ()

    def judge(self, evidence: Evidence) -> Verdict:
        """A run that errored proves nothing, and fails."""
        called = [call for run in evidence.runs for call in self._forbidden(run)]
        broken = sum(run.failed for run in evidence.runs)
        unexpected: dict[str, int] = {}
        for tool in called:
            unexpected[tool] = unexpected.get(tool, 0) + 1
        wanted = f"never {', '.join(self.tools)}" if self.tools else "no calls"
        why = f"{broken} of {len(evidence.runs)} runs ended in an error" if broken else ""
        check = Check(NAME, wanted, sorted(unexpected), "failed" if called or broken else "passed", why)
        return Verdict(NAME, (check,), {"no_calls.calls": len(called)}, unexpected=unexpected)

    def _forbidden(self, run: Trace) -> list[str]:
        return [
            call.id
            for call in run.calls
            if not self.tools or any(is_member(tool, call.observed) for tool in self.tools)
        ]

    def run_is_right(self, run: Trace) -> bool:
        """Nothing of it was called."""
        return not run.failed and not self._forbidden(run)

    def warnings(self) -> tuple[str, ...]:
        """None."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Each by itself: a guard against a tool that is not there guards nothing."""
        return tuple((tool,) for tool in self.tools)


class _TrueOrTools:
    """`true`, or a list of tools."""

    def check(self, document: Document, value: object, at: Path) -> None:
        if value is True:
            return
        if not isinstance(value, list) or not value:
            raise document.mistake(
                f"{dotted(at)} must be true, or a list of tools that must not be called", at
            )
        Items(FILLED).check(document, value, at)

    def schema(self) -> Schema:
        return {"anyOf": [{"const": True}, {"type": "array", "items": FILLED.schema(), "minItems": 1}]}


@gate(NAME, "true: the agent must call nothing; or a list of tools that it must not call.", _TrueOrTools())
def read(_document: Document, value: Any, _at: Path) -> NoCalls:
    """Checked already."""
    return NoCalls(() if value is True else tuple(value))
