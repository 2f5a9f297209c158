"""Parts that `make test` installs below .cache, for the tests that need one."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

CACHE = Path(__file__).parents[1] / ".cache"


def part(name: str) -> Path:
    """The folder of an installed part."""
    if not (CACHE / name / ".installed").exists():
        missing(f"{name} is not installed; run scripts/fetch_test_parts.py")
    return CACHE / name


def missing(said: str) -> NoReturn:
    """End the test: in CI a missing part is a failure, elsewhere the test is skipped."""
    if os.environ.get("CI"):
        pytest.fail(said, pytrace=False)
    pytest.skip(said)
