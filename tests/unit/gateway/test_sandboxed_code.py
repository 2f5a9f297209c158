"""Runs of code take turns: nobody holds all workers, and when all are busy runs wait instead of being refused."""

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from toolbooth.errors import SandboxFault
from toolbooth.gateway.sandboxed_code import SandboxPool, SavedScripts
from toolbooth.limits import CODE_EACH, CODE_WORKERS

pytestmark = pytest.mark.anyio


class Runs:
    """Runs that last until they are told to end."""

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        self.limiter, self._tasks = SandboxPool(), tasks
        self.order: list[str] = []
        self.ends: list[anyio.Event] = []

    async def begin(self, client: str, runs: int) -> None:
        for _ in range(runs):
            self._tasks.start_soon(self._run, client)
        await self.settle()

    async def _run(self, client: str) -> None:
        async with self.limiter.turn(client, 0):
            self.order.append(client)
            self.ends.append(end := anyio.Event())
            await end.wait()

    async def end(self, at: int) -> None:
        self.ends[at].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await anyio.lowlevel.checkpoint()


@pytest.mark.promise("gateway:fair")
async def test_long_runs_of_one_client_leave_workers_for_the_others() -> None:
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", 20)
        assert runs.order == ["hog"] * CODE_EACH
        await runs.begin("other", 1)
        assert runs.order[-1] == "other"
        assert runs.limiter.runs == 21
        tasks.cancel_scope.cancel()
    assert runs.limiter.runs == 0


@pytest.mark.promise("gateway:fair")
async def test_a_run_waits_for_the_next_free_worker() -> None:
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        for hog in range(CODE_WORKERS // CODE_EACH):
            await runs.begin(f"hog {hog}", 10)
        assert len(runs.order) == CODE_WORKERS
        await runs.begin("other", 1)
        assert "other" not in runs.order
        await runs.end(0)
        assert runs.order[-1] == "other"
        tasks.cancel_scope.cancel()


async def test_a_queue_that_is_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_CODE_WAITING", 2)
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", CODE_EACH + 2)
        with pytest.raises(SandboxFault, match="2 runs of code are already waiting"):
            async with runs.limiter.turn("hog", 0):
                pass
        tasks.cancel_scope.cancel()


async def test_a_run_that_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.CODE_WAIT", 0.01)
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", CODE_EACH)
        with pytest.raises(SandboxFault, match="no worker was free"):
            async with runs.limiter.turn("hog", 0):
                pass
        tasks.cancel_scope.cancel()


HELLO = '"""Says hello."""\nasync def main(who: str): return f"hello {who}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "scripts"
    made.mkdir()
    (made / "hello.py").write_text(HELLO)
    return made


def test_scripts_are_tools_of_a_server_of_their_own(folder: Path) -> None:
    scripts = SavedScripts(folder)
    offered = scripts.offered([])
    assert offered is not None
    (tool,) = offered.tools
    assert (tool.id, tool.description) == ("scripts.hello", "Says hello.")
    script = scripts.get(tool)
    assert script is not None
    assert script.source({"who": "Ada"}).endswith("await main(**{'who': 'Ada'})\n")


def test_a_server_that_is_called_scripts_keeps_its_name(folder: Path) -> None:
    scripts = SavedScripts(folder)
    offered = scripts.offered(["scripts"])
    assert offered is not None
    assert offered.server == "saved_scripts"
    assert scripts.offered(["scripts", "saved_scripts"]) is None


def test_a_change_is_seen_once(folder: Path) -> None:
    scripts = SavedScripts(folder)
    assert not scripts.look(folder)
    (folder / "broken.py").write_text("def f(:")
    assert scripts.look(folder)
    assert not scripts.look(folder)
    assert "broken.py:1" in scripts.problems[0]
    (folder / "hello.py").unlink()
    assert scripts.look(folder)
    assert scripts.offered([]) is None


def test_a_folder_may_come_go_and_be_another(folder: Path, tmp_path: Path) -> None:
    scripts = SavedScripts(tmp_path / "later")
    assert scripts.offered([]) is None
    assert not scripts.look(tmp_path / "later")
    assert scripts.look(folder)
    assert scripts.offered([]) is not None
    assert scripts.look(None)
    assert scripts.offered([]) is None
    folder.rename(tmp_path / "later")
    assert scripts.look(tmp_path / "later")
    assert scripts.offered([]) is not None
