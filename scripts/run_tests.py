"""Run the whole suite once; with `--coverage`, measure branch coverage, also in the processes that the tests start.

Tests of a browser run in a process of their own, because Playwright keeps an event loop running in the thread that uses
it. Measuring takes nearly twice as long, so `make coverage` is apart from `make test`. Many tests start a gateway with
a minimal environment, so coverage cannot be asked for by a variable: a file in the site-packages of this virtual
environment starts it instead, and is gone when the tests have ended.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / ".cache" / "coverage"
HOOK = Path(sysconfig.get_path("purelib")) / "measured_tests.pth"
PARALLEL = ("-n", "auto", "--dist", "loadfile")
BROWSER = "tests/browser"
RUNS = ((*PARALLEL, "--ignore", BROWSER), ("-n", "0", BROWSER))
# Servers of the demo are measured where unit tests run them in process: here they would cost the most and add nothing.
# Code that looks at `sys.modules` asks what is imported, and would find what coverage imports.
START = """\
import sys; exec({code!r})
"""
CODE = """\
words = sys.orig_argv[1:]
ours = any(word == "-c" or "toolbooth" in word or "pytest" in word for word in words)
if ours and "toolbooth.demo" not in words and not any("sys.modules" in word for word in words):
    import os
    asked = {{"COVERAGE_PROCESS_START": {config!r}, "COVERAGE_FILE": {data!r}}}
    os.environ.update(asked)
    import coverage
    coverage.process_startup()
    for name in asked:
        del os.environ[name]
"""


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--coverage"]
    return measured(words) if "--coverage" in sys.argv else tests(words)


def tests(words: list[str]) -> int:
    """1 if a run failed; both are made. A run that a signal ended has a negative code, which is no success."""
    codes = [run(sys.executable, "-m", "pytest", *each, *words) for each in RUNS]
    return int(any(codes))


def measured(words: list[str]) -> int:
    """The same, and then the coverage; files of killed processes cannot be read and are named."""
    coverage = (sys.executable, "-m", "coverage")
    environ = {**os.environ, "COVERAGE_FILE": str(DATA / "measured")}
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    code = CODE.format(config=str(ROOT / "pyproject.toml"), data=str(DATA / "measured"))
    HOOK.write_text(START.format(code=code), encoding="utf-8")
    try:
        failed = tests(words)
    finally:
        HOOK.unlink(missing_ok=True)
    run(*coverage, "combine", "-q", environ=environ)
    return int(any((failed, run(*coverage, "report", environ=environ))))


def run(*command: str, environ: dict[str, str] | None = None) -> int:
    return subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
