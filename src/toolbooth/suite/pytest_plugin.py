"""A pytest run → suites collected as tests, and fixtures that give a gateway or an agent in three lines.

It is loaded into every pytest run of an environment: nothing but pytest is imported before it is needed.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from toolbooth.suite.fixtures.plain_gateway import PlainGateway
    from toolbooth.suite.trace import Trace

SUFFIX = ".toolbooth.yaml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The words of a pytest command line, and of its config."""
    group = parser.getgroup("toolbooth", "suites of agents (*.toolbooth.yaml)")
    add = group.addoption
    add("--toolbooth-live", action="store_true", help="run suites for real and record nothing")
    add("--toolbooth-record", action="store_true", help="run suites for real and keep what the agents did")
    add("--toolbooth-allow-drift", action="store_true", help="score recordings that do not fit any more")
    parser.addini("toolbooth_collect", f"collect *{SUFFIX} files as tests", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of our items, so that `-m toolbooth` and `-m 'not toolbooth'` choose."""
    config.addinivalue_line("markers", f"toolbooth: a cell of a suite (*{SUFFIX})")
    if config.getoption("toolbooth_live") and config.getoption("toolbooth_record"):
        raise pytest.UsageError("choose one of --toolbooth-live and --toolbooth-record")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Every suite is a file of tests."""
    if not file_path.name.endswith(SUFFIX) or not parent.config.getini("toolbooth_collect"):
        return None
    from toolbooth.suite.pytest_items import SuiteFile

    made: pytest.Collector = SuiteFile.from_parent(parent, path=file_path)
    return made


@pytest.fixture
def toolbooth_gateway() -> "Iterator[Callable[..., PlainGateway]]":
    """`gateway = toolbooth_gateway({"notes": {"command": "notes-server"}}, surface="search")`.

    It has `tools`, `call(name, arguments)` and `search(query)`, and ends with the test.
    """
    with ExitStack() as stack:

        def open_one(servers: Any, surface: str = "search") -> "PlainGateway":
            from toolbooth.suite.fixtures.given_servers import given_servers
            from toolbooth.suite.fixtures.plain_gateway import plain_gateway

            __tracebackhide__ = True
            environ, here = _environ(), Path.cwd()
            with _short():
                specs = given_servers(servers, environ, here)
                return stack.enter_context(plain_gateway(specs, surface, environ, here))

        yield open_one


@pytest.fixture
def toolbooth_agent() -> "Callable[..., Trace]":
    """`trace = toolbooth_agent(servers, calls=["notes.create_note"], surface="direct", prompt="…")`.

    Without `calls` the key-free model `lexical` picks for the prompt.
    """

    def run_one(servers: Any, calls: Any = None, surface: str = "direct", prompt: str = "") -> "Trace":
        from toolbooth.suite.fixtures.given_servers import given_servers
        from toolbooth.suite.fixtures.plain_agent import plain_agent

        __tracebackhide__ = True
        environ, here = _environ(), Path.cwd()
        with _short():
            return plain_agent(given_servers(servers, environ, here), calls, surface, prompt, environ, here)

    return run_one


class _Quiet(dict[str, str]):
    """An environment that pytest does not print: it shows the arguments of every frame that failed."""

    def __repr__(self) -> str:
        return f"<{len(self)} variables>"


def _environ() -> dict[str, str]:
    return _Quiet({**os.environ, "TOOLBOOTH_PYTHON": sys.executable})


@contextmanager
def _short() -> Iterator[None]:
    """An error of ours says all in one line; the frames behind it are of no use to who wrote the test."""
    from toolbooth.errors import ToolboothError

    __tracebackhide__ = True
    try:
        yield
    except ToolboothError as error:
        raise error.with_traceback(None) from None
