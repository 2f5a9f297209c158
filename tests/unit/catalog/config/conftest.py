"""A home and a data folder of its own for every test: nothing of the real ones is read or written."""

from collections.abc import Callable
from pathlib import Path

import pytest

from toolbooth.catalog.config import (
    ConfigFile,
    Unwrapping,
    WrapOptions,
    Wrapping,
    read_config,
    unwrap,
    wrap,
)

Write = Callable[[str, str], Path]
Read = Callable[..., ConfigFile]
Wrap = Callable[..., Wrapping]
Unwrap = Callable[[Path], Unwrapping]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def write(home: Path) -> Write:
    """Write a file below the test's home and give its path."""

    def write_file(name: str, text: str) -> Path:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def read(home: Path, write: Write) -> Read:
    """Write a config and read it, with only the given environment."""

    def read_text(name: str, text: str, cwd: Path | None = None, **environ: str) -> ConfigFile:
        return read_config(write(name, text), {"HOME": str(home), **environ}, cwd)

    return read_text


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
