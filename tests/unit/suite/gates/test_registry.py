"""Gates are a table: each block of a test has one, and is explained to editors."""

from pathlib import Path

from toolbooth.catalog.config import Document
from toolbooth.suite.gates import GATES, read_gates
from toolbooth.suite.gates.budget import BudgetGate
from toolbooth.suite.gates.no_calls import NoCalls
from toolbooth.suite.spec.keys import TEST


def test_all_gates_are_known_and_explained() -> None:
    assert GATES.keys() == {
        "equal_function_sets",
        "token_efficiency",
        "expect",
        "budget",
        "distractors",
        "no_calls",
    }
    assert all(kind.says.endswith(".") and kind.name == name for name, kind in GATES.items())
    assert GATES.keys() <= TEST.keys()


def test_gates_are_read_in_the_order_of_the_file_and_empty_ones_are_none() -> None:
    entry = {"name": "a", "no_calls": True, "expect": None, "budget": 1}
    found = read_gates(Document(Path("a.yaml"), "yaml", entry), entry, ())
    assert found == (NoCalls(), BudgetGate(1.0))
