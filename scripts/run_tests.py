"""Run the whole suite once, and measure branch coverage, also in the processes that the tests start.

The run fails below the floor that `pyproject.toml` sets, and below that of the path of a call. With arguments, which
go to pytest, nothing is measured.
Property tests run first and unmeasured: measuring doubles their time, and what they reach other tests reach too.
Tests of a browser run in a process of their own, because Playwright keeps an event loop running in the thread that uses
it. Many tests start a gateway with a minimal environment, so coverage cannot be asked for by a variable: a file in the
site-packages of this virtual environment starts it instead, and is gone when the tests have ended.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / ".cache" / "coverage"
HOOK = Path(sysconfig.get_path("purelib")) / "measured_tests.pth"
CORES = os.cpu_count() or 1
WAITING = 2 * CORES  # most tests wait for the processes that they start
# Every call goes through these packages, so they have a floor of their own, in percent: four fifths of a gate and their
# unit tests reached 94.2.
HOT_PATH = ",".join(f"*/toolbooth/gateway/{name}/*" for name in ("calls", "transports", "reduce"))
HOT_PATH_FLOOR = 94.0
PROPERTIES, BROWSER = "tests/property", "tests/browser"
UNMEASURED = ("-n", str(CORES), "--dist", "loadfile", PROPERTIES)
MEASURED = (
    ("-n", str(WAITING), "--dist", "loadfile", "--ignore", PROPERTIES, "--ignore", BROWSER),
    ("-n", "0", BROWSER),
)
# Servers of the demo are measured where unit tests run them in process: here they would cost the most and add nothing.
# A process that a test forbids to write a file of any size could not write what it covered either.
# Code that looks at `sys.modules` asks what is imported, and would find what coverage imports.
START = """\
import sys; exec({code!r})
"""
CODE = """\
def measured():
    words = sys.orig_argv[1:]
    if "toolbooth.demo" in words or any("sys.modules" in word for word in words):
        return False
    if not any(word == "-c" or "toolbooth" in word or "pytest" in word for word in words):
        return False
    import resource
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
if measured():
    import os
    asked = {{"COVERAGE_PROCESS_START": {config!r}, "COVERAGE_FILE": {data!r}}}
    os.environ.update(asked)
    import coverage
    coverage.process_startup()
    for name in asked:
        del os.environ[name]
"""


def main(words: list[str]) -> int:
    """1 if a run failed or too little is covered; every run is made. A negative code of a signal is no success."""
    if words:
        return int(pytest("-n", str(WAITING), "--dist", "loadfile", *words) != 0)
    codes = [pytest(*UNMEASURED)]
    with measured():
        codes += [pytest(*each) for each in MEASURED]
    combine()
    reports = (
        coverage("report"),
        coverage("report", f"--include={HOT_PATH}", f"--fail-under={HOT_PATH_FLOOR}"),
    )
    return int(any((*codes, *reports)))


def pytest(*words: str) -> int:
    return run(sys.executable, "-m", "pytest", *words)


def coverage(*words: str) -> int:
    return run(sys.executable, "-m", "coverage", *words, f"--data-file={DATA / 'measured'}")


def run(*command: str) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode


@contextmanager
def measured() -> Iterator[None]:
    """Every process of this virtual environment that runs our code writes what it covered into a file of its own."""
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    code = CODE.format(config=str(ROOT / "pyproject.toml"), data=str(DATA / "measured"))
    HOOK.write_text(START.format(code=code), encoding="utf-8")
    try:
        yield
    finally:
        HOOK.unlink(missing_ok=True)


def combine() -> None:
    """Join the files. Tests kill processes while they write; one such file would end the whole command."""
    found = sorted(DATA.glob("measured.*"))
    damaged = [path for path in found if not is_whole(path)]
    for path in damaged:
        path.unlink()
    print(
        f"coverage of {len(found) - len(damaged)} processes; {len(damaged)} were killed while they wrote theirs"
    )
    coverage("combine", "-q")


def is_whole(path: Path) -> bool:
    tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('meta', 'file', 'arc')"
    try:
        with closing(sqlite3.connect(path)) as connection:
            sound = connection.execute("PRAGMA quick_check").fetchone()
            return bool(sound == ("ok",) and connection.execute(tables).fetchone() == (3,))
    except sqlite3.Error:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
