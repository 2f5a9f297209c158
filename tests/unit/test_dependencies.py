"""What is installed beside us: every direct dependency has an upper bound, and the tested versions lie within."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEVELOPMENT = {"test", "check"}  # for those who work here, who install with the constraints
DIRECT = [
    *PROJECT["dependencies"],
    *(
        each
        for extra, listed in PROJECT["optional-dependencies"].items()
        if extra not in DEVELOPMENT
        for each in listed
    ),
]
NAMED = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<least>[\d.]+),<(?P<bound>[\d.]+)(?:;.*)?")


def pinned() -> dict[str, tuple[int, ...]]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==", 1) for line in lines if "==" in line)
    return {_plain(name): _numbers(version) for name, version in pins.items()}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


@pytest.mark.promise("package:bounded")
@pytest.mark.parametrize("written", DIRECT)
def test_a_direct_dependency_ends_before_its_next_breaking_version(written: str) -> None:
    found = NAMED.fullmatch(written)
    assert found, "name>=least,<bound"
    version, bound = pinned()[_plain(found["name"])], _numbers(found["bound"])
    assert _numbers(found["least"]) <= version < bound
    following = (0, version[1] + 1) if version[0] == 0 else (version[0] + 1,)
    assert bound <= following, "no release is let in that nobody could have tried"


@pytest.mark.promise("package:bounded")
def test_the_action_installs_the_versions_that_were_tested() -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (script,) = [step["run"] for step in steps if "pip install" in step["run"]]
    assert '-c "$GITHUB_ACTION_PATH/constraints.txt"' in script
