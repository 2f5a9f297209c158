"""A benchmark that could not be done whole says what is missing, keeps the rest and exits with 3."""

import json
import sys
from pathlib import Path

from tests.behaviour.shell import toolbooth

DEMO = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
STARTS_ONCE = """
import os, sys
from pathlib import Path
flag = Path(sys.argv[1])
if flag.exists():
    sys.exit("once is enough")
flag.touch()
os.execv(sys.executable, [sys.executable, "-m", "toolbooth.demo", "weather"])
"""


def config(folder: Path, **servers: object) -> str:
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return str(path)


def test_a_section_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(STARTS_ONCE)
    once = {"command": sys.executable, "args": [str(tmp_path / "once.py"), str(tmp_path / "flag")]}
    done = toolbooth("bench", config(tmp_path, once=once), "--out", tmp_path / "out", home=tmp_path)
    assert done.code == 3, done
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["tokens"]["corpus_tools"] > 0
    assert [each.partition(":")[0] for each in report["partial"]] == ["latency"]
    assert "partial: latency: " in done.out


def test_where_no_section_comes_of_it_the_first_fault_is_the_answer(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(STARTS_ONCE)
    once = {"command": sys.executable, "args": [str(tmp_path / "once.py"), str(tmp_path / "flag")]}
    done = toolbooth("bench", config(tmp_path, once=once), "--only", "latency", home=tmp_path)
    assert (done.code, done.out) == (3, "")
