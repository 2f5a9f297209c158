"""The steps of `action.yml`, run in bash as GitHub runs them: inputs by the environment, files for what it collects."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
OBEYED = re.compile(r"^\s*::[a-z-]+[ :]|##\[", re.MULTILINE)


@dataclass(frozen=True)
class StepResult:
    """What a step left behind."""

    code: int
    log: str
    complaints: str
    summary: str
    outputs: dict[str, str]


class ActionJob:
    """One job in a workspace; `also` is what the runner's environment has besides."""

    def __init__(self, workspace: Path, runner: Path, **also: str) -> None:
        self.workspace, self._runner = workspace, runner
        runner.mkdir()
        self._files = {
            name: runner / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH")
        }
        self._also = also

    def run(self, step: str, **inputs: str) -> StepResult:
        """A step with these inputs, all others as `action.yml` has them."""
        wanted = STEPS[step]
        given = {name: each["default"] for name, each in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        script = self._runner / "step.sh"
        script.write_text(wanted["run"], encoding="utf-8")
        for file in self._files.values():
            file.touch()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            env=self._environ() | {key: _filled(value, given) for key, value in wanted["env"].items()},
            cwd=self.workspace / _filled(wanted.get("working-directory", "."), given),
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in self._read("GITHUB_OUTPUT").splitlines())
        return StepResult(
            done.returncode, done.stdout, done.stderr, self._read("GITHUB_STEP_SUMMARY"), outputs
        )

    def _environ(self) -> dict[str, str]:
        """Steps before may have put folders in front of the path."""
        path = [
            *reversed(self._read("GITHUB_PATH").split()),
            str(Path(sys.executable).parent),
            os.environ["PATH"],
        ]
        return {
            "PATH": ":".join(path),
            "HOME": str(self._runner),
            "PYTHONUTF8": "1",
            "RUNNER_TEMP": str(self._runner),
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_ACTION_PATH": str(ROOT),
            **{name: str(file) for name, file in self._files.items()},
            **self._also,
        }

    def _read(self, name: str) -> str:
        file = self._files[name]
        return file.read_text(encoding="utf-8") if file.exists() else ""


def _filled(text: str, inputs: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


def obeyed(log: str) -> str:
    """What of a log is left for the runner to obey: nothing between `stop-commands` and its token."""
    return re.sub(r"(?ms)^::stop-commands::(\S+)$.*?^::\1::$", "", log)
