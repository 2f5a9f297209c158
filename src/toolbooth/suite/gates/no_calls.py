"""The gate `no_calls`: the agent must call nothing at all, or none of the listed tools."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import FILLED, Items, KeyPath, Schema, dotted
from toolbooth.suite import metrics, trace, verdict
from toolbooth.suite.gates.registry import CellEvidence, gate

NAME: Final = "no_calls"


@dataclass(frozen=True)
class NoCalls:
    """`tools` must not be called; if empty, no tool may be called."""

    tools: tuple[str, ...] = ()

    def judge(self, evidence: CellEvidence) -> verdict.Verdict:
        """A run with an error proves nothing, so it fails."""
        called = [call for run in evidence.runs for call in self._forbidden(run)]
        broken = sum(run.failed for run in evidence.runs)
        unexpected: dict[str, int] = {}
        for tool in called:
            unexpected[tool] = unexpected.get(tool, 0) + 1
        wanted = f"never {', '.join(self.tools)}" if self.tools else "no calls"
        why = f"{broken} of {len(evidence.runs)} runs ended in an error" if broken else ""
        check = verdict.Check(
            NAME, wanted, sorted(unexpected), "failed" if called or broken else "passed", why
        )
        return verdict.Verdict(NAME, (check,), {"no_calls.calls": len(called)}, unexpected=unexpected)

    def _forbidden(self, run: trace.Trace) -> list[str]:
        return [
            call.id
            for call in run.calls
            if not self.tools or any(metrics.is_member(tool, call.observed) for tool in self.tools)
        ]

    def run_is_right(self, run: trace.Trace) -> bool:
        """Whether no forbidden tool was called."""
        return not run.failed and not self._forbidden(run)

    def warnings(self) -> tuple[str, ...]:
        """Return no warnings."""
        return ()

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Each tool is a group: a guard against a tool that does not exist guards nothing."""
        return tuple((tool,) for tool in self.tools)


class _TrueOrTools:
    """`true`, or a list of tools."""

    def check(self, document: Document, value: object, at: KeyPath) -> None:
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
def read(_document: Document, value: Any, _at: KeyPath) -> NoCalls:
    """The value has been checked."""
    return NoCalls(() if value is True else tuple(value))
