"""Shared fixtures: the async backend, a clock, and parts that `make test` installs below .cache."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tests.parts import part
from tests.stepped_clock import SteppedClock
from toolbooth.catalog.connect import Peer

# A shell that starts the tests in the background has SIGINT ignored, `nohup` has SIGHUP ignored, and every process of
# the tests would inherit that.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SteppedClock:
    """The time of every connection that the test makes in this process: it stands still until it is moved."""
    stepped = SteppedClock()
    monkeypatch.setattr(Peer, "clock", stepped)
    return stepped


@pytest.fixture(scope="session")
def npm_bin() -> Path:
    return part("npm-servers") / "node_modules" / ".bin"


@pytest.fixture(scope="session")
def npm_node() -> Path:
    return part("npm-servers") / "tool" / "bin"


@pytest.fixture(scope="session")
def pypi_bin() -> Path:
    return part("pypi-servers") / "bin"


@pytest.fixture(scope="session")
def vocabulary() -> Path:
    return part("vocabulary") / "litellm" / "litellm_core_utils" / "tokenizers"


# A busy machine is slow at making examples; that is not a fault of the tested code, and no test of ours is timed.
# The gate draws the same examples of the same code each time. `HUNT=1 make test` looks for new ones.
HUNT = "HUNT" in os.environ
settings.register_profile(
    "ours", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not HUNT
)
settings.load_profile("ours")
if not HUNT:
    # Hypothesis also draws constants out of the local modules that happen to be imported. Which ones are depends on
    # the tests that the same worker ran before, so a failure would come and go with the number of processors.
    providers._get_local_constants = Constants  # no setting turns this off
