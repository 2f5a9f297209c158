"""How long pytest takes to replay the cells of a suite, beside `toolbooth test` on the same recordings.

Both start the same four servers once to see drift; pytest adds its own start and one report for each cell.
`--cells N` asks for other than 16; `--rounds N` for other than 5.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import entry_points
from pathlib import Path

SERVERS = ("tickets", "mail", "notes", "calendar")
# An installation that is older than the plugin does not name it yet.
PLUGIN = (
    () if "toolbooth" in entry_points(group="pytest11").names else ("-p", "toolbooth.suite.pytest_plugin")
)
PYTEST = [sys.executable, "-m", "pytest", *PLUGIN, "-q", "-p", "no:cacheprovider"]
OURS = [sys.executable, "-m", "toolbooth", "test"]


def suite_of(cells: int) -> str:
    """Scripted tests on two surfaces each; they need no key."""
    servers = "\n".join(
        f'  {name}: {{command: "${{TOOLBOOTH_PYTHON}}", args: [-m, toolbooth.demo, {name}]}}'
        for name in SERVERS
    )
    tests = "\n".join(
        f"""\
  - name: test {number}
    prompt: Which tickets are open? This is question {number}.
    model: scripted
    surface: [direct, search]
    script: [tickets.list_tickets]
    equal_function_sets: {{classes: [{{name: look, members: [tickets.list_tickets]}}]}}"""
        for number in range(cells // 2)
    )
    return f"servers:\n{servers}\ntests:\n{tests}\n"


def seconds(words: list[str], folder: Path) -> float:
    """Seconds of one whole process; raises if it fails."""
    environ = {**os.environ, "HOME": str(folder)}
    began = time.perf_counter()
    subprocess.run(words, cwd=folder, env=environ, check=True, capture_output=True, timeout=600)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toolbooth-bench-") as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "many.toolbooth.yaml").write_text(suite_of(options.cells))
        seconds([*OURS, "--record"], folder)
        both = [(seconds(OURS, folder), seconds(PYTEST, folder)) for _ in range(options.rounds)]
    ours, theirs = (statistics.median(each) for each in zip(*both, strict=True))
    ratio = statistics.median(two / one for one, two in both)
    print(f"replay of {options.cells} cells, median of {options.rounds} rounds in turn")
    print(
        f"  toolbooth test  {ours:6.2f} s\n  pytest          {theirs:6.2f} s\n  ratio           {ratio:6.2f}"
    )


if __name__ == "__main__":
    main()
