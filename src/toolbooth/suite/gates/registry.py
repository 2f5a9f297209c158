"""The register of gates: a block of a suite → what judges a cell."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import Path, Rule
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.trace import Trace
from toolbooth.suite.verdict import Verdict


class Gate(Protocol):
    """One block of one test, read and ready."""

    def judge(self, evidence: Evidence) -> Verdict:
        """Say of a cell whether it holds."""
        ...

    def run_is_right(self, run: Trace) -> bool:
        """Whether a single run, by itself, is all that this gate could wish for."""
        ...

    def warnings(self) -> tuple[str, ...]:
        """What its writer may not have meant."""
        ...

    def names(self) -> tuple[tuple[str, ...], ...]:
        """Groups of tools that it names; of each group one at least should be there."""
        ...


Read = Callable[[Document, Any, Path], Gate]


class GateKind(NamedTuple):
    """A word that may stand in a test: its rule for the reader and for editors, and how it is read."""

    name: str
    says: str
    rule: Rule
    read: Read


GATES: dict[str, GateKind] = {}


def gate(name: str, says: str, rule: Rule) -> Callable[[Read], Read]:
    """Register a gate under its word."""

    def register(read: Read) -> Read:
        GATES[name] = GateKind(name, says, rule, read)
        return read

    return register


def read_gates(document: Document, entry: Mapping[str, Any], at: Path) -> tuple[Gate, ...]:
    """Every gate of a test, in the order of the file; the entry has been checked already."""
    return tuple(
        GATES[key].read(document, value, (*at, key))
        for key, value in entry.items()
        if key in GATES and value is not None
    )
