"""The address of a server and a version of the spec → the verdict of the official suite on each check."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SCENARIO_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
JUDGED = {"SUCCESS": True, "FAILURE": False, "WARNING": False}  # INFO and SKIPPED are no verdicts
SCENARIO_DEADLINE_MS = (
    15_000  # the longest scenario takes 2 s; a server that hangs must not cost half a minute each
)
SUITE_DEADLINE_S = 900


class Verdict(NamedTuple):
    passed: bool
    reason: str


Verdicts = dict[str, Verdict]


@dataclass(frozen=True)
class Suite:
    node: Path
    script: Path

    def judge(self, url: str, spec_version: str, results: Path) -> Verdicts:
        """Every scenario of the version, also those that the suite itself calls pending."""
        command = [str(self.node), str(self.script), "server", "--url", url, "--suite", "all"]
        command += [
            "--spec-version",
            spec_version,
            "--timeout",
            str(SCENARIO_DEADLINE_MS),
            "-o",
            str(results),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SUITE_DEADLINE_S, check=False)
        verdicts = dict(_verdicts(results))
        assert verdicts, f"the suite judged nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return verdicts


def _verdicts(results: Path) -> Iterator[tuple[str, Verdict]]:
    for path in sorted(results.glob("*/checks.json")):
        folder = SCENARIO_FOLDER.fullmatch(path.parent.name)
        assert folder is not None, path
        yield from _of_scenario(folder["scenario"], json.loads(path.read_text(encoding="utf-8")))


def _of_scenario(scenario: str, checks: list[dict[str, Any]]) -> Iterator[tuple[str, Verdict]]:
    """The suite repeats ids for different checks, and names for the same one: the second becomes `…#2`."""
    seen: Counter[str] = Counter()
    for check in checks:
        if check["status"] not in JUDGED:
            continue
        key = f"{scenario}/{check['id']}/{check['name']}"
        seen[key] += 1
        key += f"#{seen[key]}" if seen[key] > 1 else ""
        yield key, Verdict(JUDGED[check["status"]], check.get("errorMessage", ""))
