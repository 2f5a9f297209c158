"""A home of its own for every test: nothing of the real one is read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from toolbooth.catalog.config import ConfigFile, read_config

Write = Callable[[str, str], Path]
Read = Callable[..., ConfigFile]


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
