"""A command with a slash is a path from the server's working folder; only a bare name is looked up on PATH."""

import os
from pathlib import Path

import anyio
import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect.process import start_process, stop_process
from toolbooth.errors import BackendNotFound


def script(path: Path, said: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {said} >&2\n")
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script(tmp_path / "here" / "server", "here")
    script(tmp_path / "here" / "sub" / "server", "below")
    script(tmp_path / "path" / "server", "on PATH")
    script(tmp_path / "path" / "other", "on PATH")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "path"), os.environ["PATH"])))
    return tmp_path


def started(command: str, cwd: Path | None = None) -> str:
    async def run() -> str:
        process = await start_process(ServerSpec("s", "stdio", command, cwd=cwd))
        await process.exited.wait()
        await stop_process(process)
        return str(process.words)

    return anyio.run(run)


@pytest.mark.parametrize(
    ("command", "said"),
    [("./server", "here"), ("sub/server", "below"), ("sub/../server", "here"), ("server", "on PATH")],
)
def test_what_runs_is_what_was_typed(folder: Path, command: str, said: str) -> None:
    assert started(command) == said
    assert started(command, folder / "here") == said


def test_a_path_starts_at_the_working_folder_of_the_server(folder: Path) -> None:
    assert started("./server", folder / "here" / "sub") == "below"
    assert started("../server", Path("sub")) == "here"


@pytest.mark.parametrize("cwd", [True, False])
def test_a_path_that_is_not_there_is_not_looked_up_on_the_search_path(folder: Path, cwd: bool) -> None:
    here = folder / "here"
    with pytest.raises(
        BackendNotFound, match=r"command \./other was not found; its full path is .*here/other"
    ):
        started("./other", here if cwd else None)


def test_a_file_that_may_not_be_run_is_not_called_missing(folder: Path) -> None:
    (folder / "here" / "server").chmod(0o644)
    with pytest.raises(BackendNotFound, match=r"command \./server is not an executable file"):
        started("./server")
