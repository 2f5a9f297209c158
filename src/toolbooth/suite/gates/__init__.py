"""The gates of a suite, one file each: a block of a test that judges its runs and gives a verdict."""

from toolbooth.suite.gates import (  # importing a gate registers it
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
