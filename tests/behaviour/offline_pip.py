"""Installing this checkout with pip and no network: its dependencies are those that the tests run with."""

import sysconfig
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / ".cache" / "pre-commit"


def offline_pip() -> dict[str, str]:
    """The environment for it; hatchling, which builds the wheel, comes from a part for tests."""
    parts = sorted(HOME.glob("lib/python3*/site-packages"))
    if not (HOME / ".installed").is_file() or not parts:
        pytest.skip("pre-commit and hatchling are not in .cache: python scripts/fetch_test_parts.py")
    return {
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "false",  # pip reads this one the wrong way round
        "PYTHONPATH": f"{sysconfig.get_path('purelib')}:{parts[0]}",
    }
