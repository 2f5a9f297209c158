"""A seed is all that a random schema depends on, so that a failure in one place is a failure in every place."""

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.unit.economics.random_schemas import SchemaMaker

ROOT = Path(__file__).parents[3]
PRINT = "from tests.unit.economics.test_random_schemas import made; print(made())"


def made() -> list[dict[str, Any]]:
    return [SchemaMaker(seed, 1 + seed % 4).make() for seed in range(200)]


def _spoil(value: Any) -> None:
    if isinstance(value, dict):
        _spoil(list(value.values()))
        value["spoilt"] = True
    elif isinstance(value, list):
        for inner in tuple(value):
            _spoil(inner)
        value.append("spoilt")


def test_a_schema_is_the_same_whatever_was_done_to_earlier_ones() -> None:
    schemas = made()
    untouched = copy.deepcopy(schemas)
    _spoil(schemas)
    assert made() == untouched


def test_a_schema_is_the_same_in_every_process() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert printed == {f"{made()}\n"}
