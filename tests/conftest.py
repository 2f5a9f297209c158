"""Shared fixtures: the async backend, and the parts that `make test` installs below .cache."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
import sniffio
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tests.stepped_clock import SteppedClock
from toolbooth.catalog.connect import Peer

CACHE = Path(__file__).parents[1] / ".cache"

# A shell that starts the tests in the background has SIGINT ignored, and every process of theirs would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests of a browser and of async fixtures leave a loop, or its name, in this thread; the next may run its own."""
    if "browser" not in item.path.parts:
        asyncio._set_running_loop(None)
        sniffio.thread_local.name = None
        sniffio.current_async_library_cvar.set(None)


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
    return _part("npm-servers") / "node_modules" / ".bin"


@pytest.fixture(scope="session")
def npm_node() -> Path:
    return _part("npm-servers") / "tool" / "bin"


@pytest.fixture(scope="session")
def pypi_bin() -> Path:
    return _part("pypi-servers") / "bin"


@pytest.fixture(scope="session")
def vocabulary() -> Path:
    return _part("vocabulary") / "litellm" / "litellm_core_utils" / "tokenizers"


def _part(name: str) -> Path:
    if not (CACHE / name / ".installed").exists():
        pytest.skip(f"{name} is not installed; run scripts/fetch_test_parts.py")
    return CACHE / name


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
