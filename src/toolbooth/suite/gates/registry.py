"""The registry of gates, the interface of a gate, and the evidence that a gate judges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from toolbooth import registry
from toolbooth.catalog import Catalog
from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import KeyPath, KeyRule
from toolbooth.suite import trace, verdict


@dataclass(frozen=True)
class CellEvidence:
    """The runs of a cell; `padded` are the runs on the catalog with look-alikes.

    `surface_tokens` is the size of the menu that the model saw; if it is None, `surface_why` gives the reason.
    """

    runs: tuple[trace.Trace, ...]
    padded: tuple[trace.Trace, ...] = ()
    surface_tokens: int | None = None
    surface_why: str = "the recording has no catalog beside it"
    catalog: Catalog | None = None

    @property
    def cost(self) -> float | None:
        """Dollars of the plain runs; None if all were free."""
        return trace.summed(run.cost for run in self.runs)

    @property
    def paid_tokens(self) -> int:
        """Input tokens that were really sent."""
        return sum(run.input_tokens for run in self.runs)


class Gate(Protocol):
    """One gate of one test."""

    def judge(self, evidence: CellEvidence) -> verdict.Verdict:
        """The verdict on a cell."""
        ...

    def run_is_right(self, run: trace.Trace) -> bool:
        """Whether a single run satisfies this gate completely."""
        ...

    def warnings(self) -> tuple[str, ...]:
        """Warnings about likely mistakes in the block."""
        ...

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Groups of tools that the gate names; at least one of each group should exist."""
        ...


Read = Callable[[Document, Any, KeyPath], Gate]


class GateKind(NamedTuple):
    """A key of a test: its rule for the reader and for editors, and the function that reads it."""

    name: str
    says: str
    rule: KeyRule
    read: Read


GATES: Final = registry.Registry[GateKind]("gate")


def gate(name: str, says: str, rule: KeyRule) -> Callable[[Read], Read]:
    """Register a gate under its key."""

    def register(read: Read) -> Read:
        GATES.add(name, GateKind(name, says, rule, read))
        return read

    return register


def read_gates(document: Document, entry: Mapping[str, Any], at: KeyPath) -> tuple[Gate, ...]:
    """Every gate of a test, in the order of the file. The entry has been checked."""
    return tuple(
        GATES[key].read(document, value, (*at, key))
        for key, value in entry.items()
        if key in GATES and value is not None
    )
