"""`toolbooth test --watch`: run once, and again whenever a suite or one of its recordings changes."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from toolbooth.errors import ToolboothError
from toolbooth.safetext import for_terminal

LOOK_EVERY = 0.5  # seconds
Stamps = dict[Path, tuple[int, int]]


def watch(options: Namespace, once: Callable[[Namespace], int], rounds: int | None = None) -> int:
    """Until Ctrl-C. A mistake in a file is told, and the next change is waited for."""
    while True:
        seen = _stamps(options)
        _round(options, once)
        rounds = None if rounds is None else rounds - 1
        if rounds == 0:
            return 0
        _say("waiting for a change; Ctrl-C ends")
        while _stamps(options) == seen:
            time.sleep(LOOK_EVERY)


def _round(options: Namespace, once: Callable[[Namespace], int]) -> None:
    try:
        once(options)
    except ToolboothError as error:
        _say(str(error))


def _say(line: str) -> None:
    print(f"toolbooth: {for_terminal(line, 2000)}", file=sys.stderr, flush=True)  # noqa: T201


def _stamps(options: Namespace) -> Stamps:
    """Suites, and what is recorded of them; a run of ours that records is seen by nobody as a change."""
    from toolbooth.suite.files import find_suites

    try:
        suites = find_suites(options.suite, Path())
    except ToolboothError:
        return {}
    found: Stamps = {}
    for suite in suites:
        recorded = () if options.record else (suite.parent / "cassettes").rglob("*.json")
        for path in (suite, *recorded):
            try:
                facts = path.stat()
            except OSError:
                continue
            found[path] = (facts.st_mtime_ns, facts.st_size)
    return found
