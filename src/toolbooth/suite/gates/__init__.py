"""A block of a test × what its runs did → a verdict; each gate in its own file."""

from toolbooth.suite.gates import (  # each registers itself
    budget,
    distractors,
    equal_function_sets,
    expect,
    no_calls,
    token_efficiency,
)
from toolbooth.suite.gates.registry import GATES, Gate, GateKind, read_gates

__all__ = [
    "GATES",
    "Gate",
    "GateKind",
    "budget",
    "distractors",
    "equal_function_sets",
    "expect",
    "no_calls",
    "read_gates",
    "token_efficiency",
]
