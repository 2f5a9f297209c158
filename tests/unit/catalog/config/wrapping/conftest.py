"""A gateway whose originals are kept below the test's own folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from toolbooth.catalog.config import Unwrapping, WrapOptions, Wrapping, unwrap, wrap

Wrap = Callable[..., Wrapping]
Unwrap = Callable[[Path], Unwrapping]


@pytest.fixture
def gateway(tmp_path: Path) -> WrapOptions:
    return WrapOptions(["/opt/bin/toolbooth"], tmp_path / "data" / "toolbooth")


@pytest.fixture
def wrapped(gateway: WrapOptions, home: Path) -> Wrap:
    """Wrap a file as the user of `home`."""

    def run(path: Path, *, dry_run: bool = False, **environ: str) -> Wrapping:
        return wrap(path, gateway, {"HOME": str(home), **environ}, dry_run=dry_run)

    return run


@pytest.fixture
def unwrapped(gateway: WrapOptions) -> Unwrap:
    return lambda path: unwrap(path, gateway.data)
