"""Installing this checkout with pip and no network: its dependencies are those that the tests run with."""

import sysconfig

from tests.parts import part


def offline_pip() -> dict[str, str]:
    """The environment for it; hatchling, which builds the wheel, comes from a part for tests."""
    (packages,) = part("pre-commit").glob("lib/python3*/site-packages")
    return {
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "false",  # pip reads this one the wrong way round
        "PYTHONPATH": f"{sysconfig.get_path('purelib')}:{packages}",
    }
