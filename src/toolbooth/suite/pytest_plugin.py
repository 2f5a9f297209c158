"""The pytest plugin: collects suites as tests, and offers fixtures for a gateway and an agent.

Every pytest run of the environment loads it, so it imports nothing but pytest until it is needed.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from toolbooth.suite import pytest_fixtures, trace

SUFFIX = ".toolbooth.yaml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line and of the config file."""
    group = parser.getgroup("toolbooth", "suites of agents (*.toolbooth.yaml)")
    add = group.addoption
    add("--toolbooth-live", action="store_true", help="run suites live and record nothing")
    add("--toolbooth-record", action="store_true", help="run suites live and record the runs")
    add(
        "--toolbooth-allow-drift", action="store_true", help="score recordings that no longer match the suite"
    )
    parser.addini("toolbooth_collect", f"collect *{SUFFIX} files as tests", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of our items, for `-m toolbooth` and `-m 'not toolbooth'`."""
    config.addinivalue_line("markers", f"toolbooth: a cell of a suite (*{SUFFIX})")
    if config.getoption("toolbooth_live") and config.getoption("toolbooth_record"):
        raise pytest.UsageError("choose one of --toolbooth-live and --toolbooth-record")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect every suite as a file of tests."""
    if not file_path.name.endswith(SUFFIX) or not parent.config.getini("toolbooth_collect"):
        return None
    from toolbooth.suite import pytest_items

    made: pytest.Collector = pytest_items.SuiteFile.from_parent(parent, path=file_path)
    return made


@pytest.fixture
def toolbooth_gateway() -> "Iterator[Callable[..., pytest_fixtures.BlockingGateway]]":
    """`gateway = toolbooth_gateway({"notes": {"command": "notes-server"}}, surface="search")`.

    It has `tools`, `call(name, arguments)` and `search(query)`, and stops with the test.
    """
    with ExitStack() as stack:

        def open_one(servers: Any, surface: str = "search") -> "pytest_fixtures.BlockingGateway":
            from toolbooth.suite import pytest_fixtures

            __tracebackhide__ = True
            environ, here = _environ(), Path.cwd()
            with _short():
                specs = pytest_fixtures.read_servers_argument(servers, environ, here)
                return stack.enter_context(pytest_fixtures.blocking_gateway(specs, surface, environ, here))

        yield open_one


@pytest.fixture
def toolbooth_agent() -> "Callable[..., trace.Trace]":
    """`trace = toolbooth_agent(servers, calls=["notes.create_note"], surface="direct", prompt="…")`.

    Without `calls`, the key-free model `lexical` picks tools for the prompt.
    """

    def run_one(servers: Any, calls: Any = None, surface: str = "direct", prompt: str = "") -> "trace.Trace":
        from toolbooth.suite import pytest_fixtures

        __tracebackhide__ = True
        environ, here = _environ(), Path.cwd()
        with _short():
            return pytest_fixtures.blocking_agent_run(
                pytest_fixtures.read_servers_argument(servers, environ, here),
                calls,
                surface,
                prompt,
                environ,
                here,
            )

    return run_one


class _Quiet(dict[str, str]):
    """An environment that pytest does not print, although it prints the arguments of every failed frame."""

    def __repr__(self) -> str:
        return f"<{len(self)} variables>"


def _environ() -> dict[str, str]:
    return _Quiet({**os.environ, "TOOLBOOTH_PYTHON": sys.executable})


@contextmanager
def _short() -> Iterator[None]:
    """Cuts the traceback of our own errors: one line says everything that the author of the test needs."""
    from toolbooth import errors

    __tracebackhide__ = True
    try:
        yield
    except errors.ToolboothError as error:
        raise error.with_traceback(None) from None
