"""The servers of a suite, from its `servers:` and `config:`, as server specs by name."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from toolbooth import catalog, errors, suggest
from toolbooth.catalog.config import Document, read_document
from toolbooth.suite.spec.suite import Suite, TestCase

OWN_PYTHON: Final = "TOOLBOOTH_PYTHON"
_BESIDE: Final = ("toolbooth.yaml", ".mcp.json", "mcp.json")


class SuiteServers:
    """The servers of a suite: their specs, and why some entries cannot be used."""

    def __init__(self, suite: Suite, environ: Mapping[str, str]) -> None:
        self.suite, self.given = suite, environ
        self.environ = {**environ, OWN_PYTHON: sys.executable}
        self.specs: dict[str, catalog.ServerSpec] = {}
        self.problems: dict[str, str] = {}
        if suite.servers:
            self._take(Document(suite.path, "yaml", {"servers": suite.servers}))
        for path in suite.configs or (() if suite.servers else _configs_beside(suite.path)):
            self._take(path)

    def _take(self, source: Document | Path) -> None:
        if isinstance(source, Document):
            found = read_document(source, self.environ)
        else:
            found = catalog.config_sources(source, self.environ)
        own = isinstance(source, Document)
        for spec in found.servers:
            self.specs.setdefault(spec.name, self._placed(spec) if own else spec)
        for problem in found.problems:
            self.problems.setdefault(problem.server, problem.reason)

    def _placed(self, spec: catalog.ServerSpec) -> catalog.ServerSpec:
        """The suite's own servers start in its folder, whatever the working folder is."""
        return spec if spec.cwd is not None else replace(spec, cwd=self.suite.path.absolute().parent)

    def of(self, test: TestCase) -> tuple[catalog.ServerSpec, ...]:
        """The servers of one test. Raises ConfigError if one cannot be used."""
        wanted = test.agent.servers if test.agent.servers is not None else (*self.specs, *self.problems)
        if not wanted:
            raise errors.ConfigError(
                f"{test.name}: the suite has no server; define `servers:`, or name a `config:`",
                self.suite.path,
                test.line or None,
            )
        return tuple(self._one(name, test) for name in wanted)

    def _one(self, name: str, test: TestCase) -> catalog.ServerSpec:
        if name in self.specs:
            return self.specs[name]
        reason = self.problems.get(name)
        if reason is None:
            hint = suggest.did_you_mean(name, self.specs, "add it to `servers:`", form="{!r}")
            reason = f"is not defined here; {hint}"
        raise errors.ConfigError(f"the server {name}: {reason}", self.suite.path, test.line or None)


def _configs_beside(path: Path) -> tuple[Path, ...]:
    return tuple(found for name in _BESIDE if (found := path.parent / name).is_file())
