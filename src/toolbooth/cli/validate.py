"""`toolbooth validate`: check suites and toolbooth.yaml without running anything; mistakes have line and column."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth import errors, gateway, safetext
from toolbooth.catalog.config import ConfigFile, GatewaySettings, read_config
from toolbooth.cli import arguments, terminal
from toolbooth.cli.scripts.tools import unchecked
from toolbooth.suite import Suite, SuiteServers, check_models, find_suites, load_suite

EXAMPLES = """\
  toolbooth validate                           every *.toolbooth.yaml here and below
  toolbooth validate agents.toolbooth.yaml toolbooth.yaml
  toolbooth validate suites/ --json
"""
EXITS = {
    0: "all files are valid",
    2: "wrong usage, or a file is invalid",
    7: "no suite was found",
}
MOST_MISTAKES = 50
OWN_CONFIGS = frozenset({"toolbooth.yaml", "toolbooth.yml"})


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("validate", __doc__ or "", EXAMPLES, EXITS)
    made.add_argument(
        "suite",
        nargs="*",
        metavar="SUITE",
        help="suite files, folders of them, or a toolbooth.yaml (default: all suites here and below)",
    )
    made.add_argument("--json", action="store_true", help="the result as JSON")
    return made


class CheckedFile(NamedTuple):
    """One file: its contents or its mistakes, and warnings."""

    path: Path
    counts: dict[str, int]
    warnings: tuple[str, ...] = ()
    error: errors.ConfigError | None = None

    @property
    def mistakes(self) -> tuple[errors.ConfigError, ...]:
        """In the order of the file."""
        return () if self.error is None else (self.error, *self.error.more)

    @property
    def line(self) -> str:
        """The contents of the file in one line."""
        counted = (f"{count} {noun[:-1] if count == 1 else noun}" for noun, count in self.counts.items())
        return f"{self.path}: {', '.join(counted)}"


def run(words: Sequence[str]) -> int:
    """Check every file, even after a mistake in another one."""
    options = parser().parse_args(list(words))
    checked = [_checked(path) for path in _files(options.suite)]
    wrong = any(each.error for each in checked)
    if options.json:
        terminal.print_json({"valid": not wrong, "files": [_plain(each) for each in checked]})
    else:
        _print_checked(checked)
    return 2 if wrong else 0


def _files(named: Sequence[str]) -> list[Path]:
    """The files to check; a missing one is reported like any other error."""
    if not named:
        return list(find_suites((), Path()))
    found: list[Path] = []
    for name in named:
        found += find_suites([name], Path()) if Path(name).is_dir() else [Path(name)]
    return list(dict.fromkeys(found))


def _checked(path: Path) -> CheckedFile:
    try:
        if path.name in OWN_CONFIGS:
            return _config(path)
        suite = load_suite(path)
        check_models(suite)
    except errors.ConfigError as error:
        return CheckedFile(path, {}, error=error)
    counts = {
        "tests": len(suite.tests),
        "cells": sum(len(test.models) * len(test.surfaces) for test in suite.tests),
        "gates": sum(len(test.gates) for test in suite.tests),
    }
    return CheckedFile(path, counts, (*suite.warnings, *dict.fromkeys(_server_warnings(suite))))


def _config(path: Path) -> CheckedFile:
    file = read_config(path, os.environ)
    problems = tuple(f"the server {each}" for each in file.problems)
    said = (*file.notes, *problems, *_pins(file))
    return CheckedFile(path, {"servers": len(file.servers) + len(file.problems)}, said)


def _pins(file: ConfigFile) -> list[str]:
    """`always_visible` against what the servers offered when a gateway last saw them; nothing is started."""
    wanted = tuple(file.gateway.get("always_visible") or ())
    if not wanted:
        return []

    names = [*(spec.name for spec in file.servers), *(problem.server for problem in file.problems)]
    registry = gateway.ToolRegistry(names)
    for offered in gateway.remembered(file.servers, os.environ, Path.home(), Path.cwd()):
        registry.put(offered)
    waiting = [name for name in names if name not in registry.servers]
    pinned = [name for name in waiting if any(each.startswith(f"{name}.") for each in wanted)]
    line = unchecked(pinned)
    problems = gateway.pin_problems(registry, GatewaySettings(always_visible=wanted))
    return [*problems, *([f"always_visible: {line}"] if line else [])]


def _server_warnings(suite: Suite) -> Iterator[str]:
    """Recordings are scored without servers, so these are warnings, not errors."""
    try:
        servers = SuiteServers(suite, os.environ)
    except errors.ConfigError as error:
        yield error.message if error.path == suite.path else str(error)
        return
    for test in suite.tests:
        try:
            servers.of(test)
        except errors.ConfigError as error:
            yield f"{test.name}: {error.message}" if test.name not in error.message else error.message


def _plain(checked: CheckedFile) -> dict[str, Any]:
    mistakes = [
        {"message": each.message, "line": each.line, "column": each.column} for each in checked.mistakes
    ]
    return {
        "path": checked.path.as_posix(),
        "valid": not mistakes,
        **checked.counts,
        "warnings": list(checked.warnings),
        **({"error": mistakes[0], "errors": mistakes} if mistakes else {}),
    }


def _print_checked(checked: Sequence[CheckedFile]) -> None:
    """Results to stdout, mistakes and warnings to stderr."""
    for each in checked:
        # As an editor or a CI log links it: `path:line:column: message`
        for mistake in each.mistakes[:MOST_MISTAKES]:
            sys.stderr.write(f"{safetext.for_terminal(str(mistake), 2000)}\n")
        if len(each.mistakes) > MOST_MISTAKES:
            sys.stderr.write(
                f"{safetext.for_terminal(f'{each.path}: {len(each.mistakes) - MOST_MISTAKES} more', 2000)}\n"
            )
        if not each.mistakes:
            sys.stdout.write(f"{safetext.for_terminal(each.line, 2000)}\n")
        for warning in each.warnings:
            sys.stderr.write(f"{safetext.for_terminal(f'{each.path}: warning: {warning}', 2000)}\n")
