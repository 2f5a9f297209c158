"""Property tests draw the same examples everywhere: on any machine, in any order of the tests."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.conftest import HUNT

pytestmark = pytest.mark.skipif(HUNT, reason="a hunt draws new examples each time")
CONSTANTS = "\n".join(f"A{number} = 'constant {number}', {number * 7919}" for number in range(100))


def drawn() -> list[object]:
    found: list[object] = []

    @settings(max_examples=300)
    @given(st.text() | st.integers())
    def draw(value: object) -> None:
        found.append(value)

    draw()
    return found


def test_examples_do_not_depend_on_the_modules_that_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    file = tmp_path.parent / "gate_constants.py"  # not below a folder that is named after a test
    file.write_text(CONSTANTS, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("gate_constants", file)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "gate_constants", module)
    assert drawn() == before


def test_no_stored_example_of_an_earlier_run_is_tried() -> None:
    assert settings().database is None
    assert settings().derandomize
